from __future__ import annotations

from websdk.egress import reasons
from websdk.egress.addresses import table


def test_every_block_is_explained():
    assert {word for _, word in table()} <= set(reasons())


def test_every_explanation_is_a_sentence():
    assert [] == [
        word
        for word, text in reasons().items()
        if not text[0].isupper() and not text[0].isdigit() and text[0] not in ":f"
    ]
    assert [] == [word for word, text in reasons().items() if not text.endswith(".")]


def test_the_list_cannot_be_changed():
    try:
        reasons()["mine"] = "x"
    except TypeError:
        changed = False
    else:
        changed = True

    assert not changed
