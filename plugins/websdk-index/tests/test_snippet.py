from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from websdk_index.snippet import make_snippet

FILLING = "nothing to see here " * 40


def test_the_passage_with_the_most_different_words_is_shown() -> None:
    text = FILLING + "gears gears gears " + FILLING + "the gears of the mill turn " + FILLING
    snippet = make_snippet(text, ("gears", "mill", "turning"))

    assert "the gears of the mill turn" in snippet
    assert snippet.startswith("…")
    assert snippet.endswith("…")


def test_a_short_page_is_shown_whole_and_plain() -> None:
    text = '# Gears\n\n- The **old** [mill](https://x.example/a "title") `turns`\n\n> slowly\n'

    assert "Gears The old mill turns slowly" == make_snippet(text, ("gears",))


def test_a_word_inside_another_is_no_hit() -> None:
    text = "swears " + FILLING + "ears" + " " + FILLING

    assert "ears" in make_snippet(text, ("ears",)).replace("swears", "")


def test_without_a_hit_the_page_is_shown_from_its_beginning() -> None:
    assert make_snippet(FILLING, ("absent",)).startswith("nothing to see")


@given(st.text(max_size=2_000), st.lists(st.text(min_size=1, max_size=10), max_size=4))
def test_no_snippet_is_longer_than_its_bound(text: str, words: list[str]) -> None:
    assert len(make_snippet(text, tuple(words))) <= 320
