"""Bytes become the text that a browser would show."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websdk.errors import Unreadable
from websdk.reading import read_page
from websdk.reading.decode import decode
from websdk.reading.sniff import Kind

HERE = Path(__file__).parent.parent / "data" / "decoding-cases"
CASES = json.loads((HERE / "cases.json").read_text("utf-8"))["cases"]
LABELS = ["utf-8", "windows-1252", "shift_jis", "gb2312", "big5", "euc-kr", "utf-16", "utf-7", "undefined", "", None]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_bytes_as_an_origin_sends_them(case: dict[str, object]) -> None:
    expected = case["expect"]
    label = case["headers"].get("content-type")  # type: ignore[attr-defined]
    try:
        page = read_page((HERE / str(case["bytes"])).read_bytes(), url="https://x.example/", content_type=label)
    except Unreadable:
        assert expected["kind"] in ("unreadable", "text_or_unreadable")  # type: ignore[index]
        return

    assert expected["kind"] != "unreadable"  # type: ignore[index]
    for part in expected["contains"]:  # type: ignore[index]
        assert part in page.markdown
    for part in expected["absent"]:  # type: ignore[index]
        assert part not in page.markdown
    if expected.get("encoding"):  # type: ignore[attr-defined]
        assert expected["encoding"] == page.encoding  # type: ignore[index]


@pytest.mark.parametrize(
    ("label", "body", "right"),
    [
        ("text/html; charset=shift_jis", b"<p>\x93\xfa\x96\x7b\x8c\xea</p>", "日本語"),
        ("text/html", b'<meta charset="shift_jis"><p>\x93\xfa\x96\x7b\x8c\xea', "日本語"),
        ("text/html; charset=windows-1252", b"\x93na\xefve\x94 \x805", "“naïve” €5"),
        ("text/html; charset=x-nosuch", "naïve".encode(), "naïve"),
    ],
)
def test_declared_encoding_is_used(label: str, body: bytes, right: str) -> None:
    page = read_page(body, url="https://x.example/", content_type=label)

    assert right == page.markdown


@pytest.mark.parametrize("words", ["año niño", "안녕"])
def test_declaration_beats_a_guess(words: str) -> None:
    body = f"<p>{'An English sentence that goes on for a while. ' * 40}</p><p>{words}</p>".encode()
    page = read_page(body, url="https://x.example/", content_type="text/html; charset=utf-8")

    assert words in page.markdown
    assert "utf-8" == page.encoding


def test_unknown_label_gives_way_to_the_next_declaration() -> None:
    body = b'<meta charset="windows-1251"><p>\xcf\xf0\xe8\xe2\xe5\xf2</p>'
    page = read_page(body, url="https://x.example/", content_type="text/html; charset=x-nosuch")

    assert "Привет" == page.markdown


def test_unknown_label_alone_means_utf8_and_no_guess() -> None:
    decoded = decode(b"caf\xe9", charset="x-nosuch", kind=Kind.HTML)

    assert "utf-8" == decoded.encoding
    assert "caf\ufffd" == decoded.text


def test_page_that_declares_nothing_and_cannot_be_told_is_windows_1252() -> None:
    decoded = decode(b"caf\xe9", charset=None, kind=Kind.HTML)

    assert "café" == decoded.text


def test_meta_far_down_the_page_counts() -> None:
    body = b"<head><!--" + b"x" * 3_000 + b'--><meta charset="koi8-r"></head><p>\xf0\xd2\xc9\xd7\xc5\xd4'

    assert "koi8-r" == decode(body, charset=None, kind=Kind.HTML).encoding


@given(st.binary(max_size=400), st.sampled_from(LABELS), st.sampled_from(list(Kind)))
def test_any_bytes_decode_to_clean_text(body: bytes, label: str | None, kind: Kind) -> None:
    text = decode(body, charset=label, kind=kind).text

    assert "\x00" not in text
    assert not any("\ud800" <= char <= "\udfff" for char in text)
    assert text == text.encode().decode()


@given(st.text(max_size=200).filter(lambda text: text.isprintable() and not text.startswith("\ufeff")))
def test_text_survives_utf8(text: str) -> None:
    assert text == decode(text.encode(), charset="utf-8", kind=Kind.TEXT).text


@given(
    st.binary(max_size=600), st.sampled_from([None, "text/html", "text/plain", "application/json", "application/xml"])
)
def test_any_bytes_are_read_or_refused(body: bytes, label: str | None) -> None:
    try:
        page = read_page(body, url="https://x.example/", content_type=label)
    except Unreadable:
        return

    assert "\x00" not in page.markdown + page.title
    assert page.markdown == page.markdown.encode().decode()


def test_latin_label_over_a_page_that_is_plainly_utf8_is_a_servers_default() -> None:
    body = "<p>Größe, Äpfel, Straße, naïve, été</p>".encode()

    assert "utf-8" == decode(body, charset="iso-8859-1", kind=Kind.HTML).encoding


def test_latin_label_over_a_few_bytes_is_believed() -> None:
    assert "Ã¤" == decode("ä".encode(), charset="iso-8859-1", kind=Kind.HTML).text
