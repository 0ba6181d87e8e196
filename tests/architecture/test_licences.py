"""Everything installed with this project may be used by anybody: no GPL, AGPL or the like among it."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import PackageMetadata, distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECTS = [
    ROOT / "pyproject.toml",
    *sorted(ROOT.glob("plugins/*/pyproject.toml")),
    *sorted(ROOT.glob("plugins/*/*/pyproject.toml")),
]

# Licences whose terms reach past the files they cover.
RECIPROCAL = re.compile(
    r"(?<![A-Za-z])[AL]?GPL|GNU (?:Affero |Lesser |Library )?General Public|(?<![A-Za-z])(?:SSPL|BUSL)", re.I
)
_TOKEN = re.compile(r"\(|\)|[A-Za-z0-9.+-]+")


def refused(metadata: PackageMetadata) -> str | None:
    """Return why a distribution may not be depended on; ``None`` where it may.

    An SPDX expression is decisive where there is one: of alternatives, one that may be used is enough. Otherwise every
    word that is said about the licence must be harmless.
    """
    expression = metadata["License-Expression"]
    if not expression and _is_expression(metadata["License"]):
        expression = metadata["License"]
    if expression:
        return None if _may_be_used(expression) else expression
    said = [line for line in metadata.get_all("Classifier") or () if line.startswith("License ::")]
    said += [metadata["License"]] if metadata["License"] else []
    if not said:
        return "says nothing of its licence"
    return next((text.splitlines()[0] for text in said if RECIPROCAL.search(text)), None)


def _is_expression(text: str | None) -> bool:
    return bool(text and re.fullmatch(r"[A-Za-z0-9.+-]+(?: (?:AND|OR|WITH) [A-Za-z0-9.+-]+)*", text))


def _may_be_used(expression: str) -> bool:
    words = []
    for token in _TOKEN.findall(re.sub(r" WITH [A-Za-z0-9.+-]+", "", expression)):
        if token in ("(", ")") or token.lower() in ("and", "or"):
            words.append(token.lower())
        else:
            words.append(str(not RECIPROCAL.search(token)))
    return bool(eval(" ".join(words)))  # of brackets, and, or, True and False alone


def test_everything_installed_may_be_used():
    found = {item.name: why for item in distributions() if (why := refused(item.metadata))}

    assert {} == found


@pytest.mark.parametrize("project", PROJECTS, ids=lambda path: path.parent.relative_to(ROOT).as_posix())
def test_every_distribution_carries_the_licence_that_it_names(project: Path) -> None:
    named = tomllib.loads(project.read_text("utf-8"))["project"]

    assert ("Apache-2.0", ["LICENSE"]) == (named["license"], named.get("license-files"))
    assert (ROOT / "LICENSE").read_text("utf-8") == project.with_name("LICENSE").read_text("utf-8")


def _metadata(**fields: str | list[str]) -> PackageMetadata:
    from email.message import Message

    message = Message()
    for name, value in fields.items():
        for item in value if isinstance(value, list) else [value]:
            message[name.replace("_", "-")] = item
    return message  # type: ignore[return-value]


@pytest.mark.parametrize(
    "fields",
    [
        {"License_Expression": "GPL-3.0-or-later"},
        {"License_Expression": "MIT AND AGPL-3.0-only"},
        {"License_Expression": "(MIT OR GPL-2.0-only) AND GPL-3.0-only"},
        {"License": "AGPLv3"},
        {"License": "GNU General Public License v3"},
        {"Classifier": ["License :: OSI Approved :: GNU Affero General Public License v3"]},
        {"Classifier": ["Programming Language :: Python"]},
    ],
)
def test_a_licence_that_reaches_further_is_refused(fields):
    assert refused(_metadata(**fields)) is not None


@pytest.mark.parametrize(
    "fields",
    [
        {"License_Expression": "Apache-2.0"},
        {"License_Expression": "MPL-1.1 OR GPL-2.0-only OR LGPL-2.1-or-later"},
        {"License": "MIT OR Apache-2.0"},
        {"License": "BSD-3-Clause"},
        {"Classifier": ["License :: OSI Approved :: BSD License"]},
    ],
)
def test_a_licence_for_everybody_is_taken(fields):
    assert refused(_metadata(**fields)) is None
