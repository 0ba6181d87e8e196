"""Codes of countries and languages."""

from __future__ import annotations

import pytest

from websdk.model.places import COUNTRIES, country_code, language_tag


def test_every_assigned_country_code_is_two_capitals():
    assert 249 == len(COUNTRIES)
    assert all(len(code) == 2 and code.isascii() and code.isupper() for code in COUNTRIES)


@pytest.mark.parametrize(
    ("text", "code"),
    [("de", "DE"), ("DE", "DE"), ("uk", None), ("XX", None), ("", None), ("\u0131e", None), ("DEU", None)],
)
def test_a_country_is_an_assigned_code(text, code):
    assert code == country_code(text)


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("DE", "de"),
        ("de-at", "de-AT"),
        ("zh-HANT-hk", "zh-Hant-HK"),
        ("es-419", "es-419"),
        ("sl-ROZAJ-biske", "sl-rozaj-biske"),
        ("de-CH-1901", "de-CH-1901"),
        ("gsw", "gsw"),
        ("de_AT", None),
        ("german", None),
        ("d", None),
        ("de-", None),
        ("de-x-private", None),
        ("", None),
        ("de\n", None),
    ],
)
def test_a_language_has_the_shape_and_letter_case_of_a_tag(text, tag):
    assert tag == language_tag(text)
