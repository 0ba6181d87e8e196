"""Answers in the vendors' recorded shape: one for each half of each preset, and any of them mutilated.

That each is read as it says, with fields nulled, left out and added, is the contract of presets and runs with it.
"""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from websdk.declarative import Preset
from websdk.errors import WebSdkError
from websdk.model import SearchAnswer
from websdk.protocols import RawDocument
from websdk.testing.example_file import load_examples
from websdk.testing.examples import ExampleDesk

FOLDER = Path(__file__).parents[1] / "data/examples"
EXAMPLES = {folder.name: load_examples(folder) for folder in sorted(FOLDER.iterdir())}
WITH_BODY = [(name, example) for name, found in EXAMPLES.items() for example in found if "body" in example.reply]
ODD = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.just(10**400)
    | st.text(max_size=4)
    | st.just([])
    | st.just({})
    | st.just([None])
)


def test_every_half_of_every_preset_has_a_good_example(presets: dict[str, Preset]) -> None:
    good = {
        (name, example.half)
        for name, found in EXAMPLES.items()
        for example in found
        if "failure" not in example.expected
    }

    assert good == {
        (name, half) for name, preset in presets.items() for half in ("search", "fetch") if getattr(preset, half)
    }


def test_every_example_says_what_is_read() -> None:
    assert [] == [f"{name}/{item.name}" for name, found in EXAMPLES.items() for item in found if not item.expected]


@settings(max_examples=400, deadline=None)
@given(data=st.data())
def test_mutilated_examples_are_answers_or_typed_failures(presets: dict[str, Preset], data: st.DataObject) -> None:
    name, example = data.draw(st.sampled_from(WITH_BODY), label="example")
    body = mutilated(copy.deepcopy(example.reply["body"]), data)
    desk = ExampleDesk(preset=presets[name], examples=())

    assert isinstance(desk.read(example, [] if body is None else body), (SearchAnswer, RawDocument, WebSdkError))


def mutilated(body: Any, data: st.DataObject) -> Any:
    """Return *body* with something odd in one place."""
    top: dict[str, Any] = {"body": body}
    parent: Any = top
    key: Any = "body"
    while isinstance(parent[key], (dict, list)) and parent[key] and data.draw(st.integers(0, 3)):
        parent = parent[key]
        key = data.draw(st.sampled_from(sorted(parent) if isinstance(parent, dict) else range(len(parent))))
    parent[key] = data.draw(ODD)
    return top["body"]
