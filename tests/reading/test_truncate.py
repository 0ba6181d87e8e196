"""A cut keeps to its budget and leaves whole pieces."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websdk.reading.truncate import truncate

NOTICE = "*Text cut here:"
WORDS = st.lists(st.sampled_from(["word", "longer-word", "é", "日本", "👩‍💻", "e\u0301"]), min_size=1, max_size=12).map(
    " ".join
)
BLOCKS = st.one_of(
    WORDS,
    WORDS.map(lambda text: f"## {text}"),
    WORDS.map(lambda text: f"see [{text}](https://x.example/{len(text)}) and `{text}` there"),
    st.lists(WORDS, min_size=1, max_size=5).map(lambda lines: "```py\n" + "\n".join(lines) + "\n```"),
    st.lists(WORDS, min_size=1, max_size=5).map(
        lambda rows: "| a | b |\n| --- | --- |\n" + "\n".join(f"| {r} | x |" for r in rows)
    ),
    st.lists(WORDS, min_size=1, max_size=5).map(lambda items: "\n".join(f"- {item}" for item in items)),
)


def test_text_within_the_budget_is_left_alone() -> None:
    cut = truncate("# A\n\ntext", 9)

    assert "# A\n\ntext" == cut.markdown
    assert not cut.truncated


def test_no_budget_means_no_cut() -> None:
    assert not truncate("x" * 100_000, None).truncated


def test_cut_falls_at_a_block_and_the_notice_is_inside_the_budget() -> None:
    text = "\n\n".join(f"Paragraph {n} has some words in it." for n in range(50))
    cut = truncate(text, 500)

    assert len(cut.markdown) <= 500
    assert cut.truncated
    kept, _, notice = cut.markdown.rpartition("\n\n")
    assert text.startswith(kept + "\n\n")
    assert notice == f"*Text cut here: {len(kept):,} of {len(text):,} characters shown.*"


def test_long_fence_keeps_its_first_lines_and_is_closed() -> None:
    text = "```py\n" + "\n".join(f"line_{n} = {n}" for n in range(200)) + "\n```"
    cut = truncate(text, 600)

    assert len(cut.markdown) <= 600
    body, _, _ = cut.markdown.partition(f"\n\n{NOTICE}")
    assert body.startswith("```py\nline_0 = 0\n")
    assert body.endswith("\n```")


def test_fence_in_the_middle_is_left_out_whole() -> None:
    text = "word " * 60 + "\n\n```\n" + "code\n" * 100 + "```"
    cut = truncate(text, 500)

    assert "```" not in cut.markdown


@pytest.mark.parametrize("limit", range(150, 240, 7))
def test_link_is_never_cut(limit: int) -> None:
    text = "word " * 12 + "[a label of some words](https://x.example/with/a/long/path/that/goes/on) " * 20
    cut = truncate(text, limit)
    kept = cut.markdown.partition(f"\n\n{NOTICE}")[0]

    assert kept.count("[") == kept.count("](https://x.example/with/a/long/path/that/goes/on)")


@given(st.lists(BLOCKS, min_size=1, max_size=8), st.integers(min_value=0, max_value=400))
def test_cut_pieces_are_whole(blocks: list[str], limit: int) -> None:
    text = "\n\n".join(blocks)
    cut = truncate(text, limit)

    assert len(cut.markdown) <= limit
    assert cut.truncated is (len(text) > limit)
    if cut.truncated and NOTICE in cut.markdown:
        kept = cut.markdown.partition(f"\n\n{NOTICE}")[0]
        fences = re.findall(r"(?m)^```", kept)
        assert 0 == len(fences) % 2
        outside = re.sub(r"(?ms)^```.*?^```$", "", kept)
        assert outside.count("[") == outside.count("](https://x.example/")
        assert 0 == outside.count("`") % 2
        for row in re.findall(r"(?m)^\|.*$", outside):
            assert row.endswith("|")
        assert not text[len(kept) :].startswith(("\u0301", "\u200d")) or not text.startswith(kept)


@pytest.mark.parametrize("length", [100, 2_000, 500_000])
def test_a_fence_that_is_mostly_marks_keeps_the_budget(length):
    marks = "`" * length
    text = f"Before.\n\n{marks}`\n{marks}\nmore\n{marks}`"

    for limit in (200, 1_000, 40_000):
        assert len(truncate(text, limit).markdown) <= limit


@pytest.mark.parametrize(
    "character",
    [
        "\u0915\u093f",
        "\u0ba8\u0bbf",
        "\u0e19\u0e33",
        "\U0001f1e9\U0001f1ea",
        "\u05e9\u05b8\u05c1",
        "\u1100\u1161\u11a8",
    ],
)
@pytest.mark.parametrize("limit", range(1, 14))
def test_cut_keeps_every_character_whole(character: str, limit: int) -> None:
    cut = truncate(character * 40, limit)

    assert len(cut.markdown) <= limit
    assert character * (len(cut.markdown) // len(character)) == cut.markdown


@pytest.mark.parametrize("limit", range(1, 60))
def test_cut_of_few_characters_never_falls_inside_a_row(limit: int) -> None:
    table = "| alpha | beta |\n| --- | --- |\n| one | two |\n| three | four |"
    cut = truncate(table, limit)

    assert all(line.endswith("|") for line in cut.markdown.split("\n") if line.startswith("|"))


@pytest.mark.parametrize("whole", ["$x + y$", "10<sup>-3</sup>", "H<sub>2</sub>"])
def test_cut_never_falls_inside_a_formula(whole: str) -> None:
    text = f"It is so: {whole} and more of it."
    cuts = [truncate(text, limit).markdown for limit in range(1, len(text))]

    assert not [cut for cut in cuts if cut.count("$") % 2 or ("<su" in cut and "</su" not in cut)]
