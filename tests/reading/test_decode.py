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
from websdk.reading.legacy import decode_as
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


JAPANESE = "日本語のページです。ここに本文があります。"
GERMAN = "Größe, Äpfel und Straßen über den Flüssen"
RUSSIAN = "Привет, это обычный текст на русском языке."


@pytest.mark.parametrize("meta", ["iso-8859-1", "windows-1251", "koi8-r", "windows-1252", "big5", "x-nosuch"])
@pytest.mark.parametrize(
    ("header", "text"),
    [("utf-8", GERMAN), ("utf-8", RUSSIAN), ("utf-8", JAPANESE), ("shift_jis", JAPANESE), ("euc-jp", JAPANESE)],
)
def test_one_damaged_byte_does_not_lose_the_header(header: str, text: str, meta: str) -> None:
    body = f"<meta charset={meta}><p>{text}</p>".encode(header) + b"<p>\xff</p>"
    decoded = decode(body, charset=header, kind=Kind.HTML)

    assert header == decoded.encoding
    assert text in decoded.text
    assert 1 == decoded.text.count("\ufffd")


WRITTEN = [
    ("windows-1252", GERMAN),
    ("windows-1251", RUSSIAN),
    ("koi8-r", RUSSIAN),
    ("utf-8", JAPANESE),
    ("shift_jis", JAPANESE),
    ("euc-jp", JAPANESE),
    ("euc-kr", "안녕하세요 여기에 본문이 있습니다"),
    ("gb18030", "这里是正文内容。欢迎阅读。"),
]
PLAINLY_OTHER = [
    (header, meta, text)
    for header in ("utf-8", "shift_jis", "euc-jp", "gbk", "euc-kr")
    for meta, text in WRITTEN
    if decode_as(text.encode(meta), header)[1]
]


@pytest.mark.parametrize(("header", "meta", "text"), PLAINLY_OTHER)
def test_page_that_is_plainly_not_what_its_header_says_is_read_by_its_meta(header: str, meta: str, text: str) -> None:
    body = f"<meta charset={meta}><p>{text * 3}</p>".encode(meta)
    decoded = decode(body, charset=header, kind=Kind.HTML)

    assert text in decoded.text


def test_whole_sequences_outweigh_stray_bytes_under_a_utf8_header() -> None:
    assert "é\ufffd \ufffd \ufffd à" == decode(b"\xc3\xa9\xff \xfe \xfd \xc3\xa0", charset="utf-8", kind=Kind.HTML).text


@pytest.mark.parametrize(
    "declarations",
    [
        "<meta charset=bogus><meta charset=windows-1251>",
        "<meta charset=utf-7><meta charset=undefined><meta charset=windows-1251>",
        "<meta http-equiv=content-type content='text/html; charset=nope'><meta charset=windows-1251>",
        "<meta charset=''><meta http-equiv=Content-Type content='text/html; charset=windows-1251'>",
        "<?xml version='1.0' encoding='koi8-r'?><meta charset=windows-1251>",
        "<?xml version='1.0' encoding='windows-1251'?><meta charset=bogus>",
    ],
)
def test_declarations_are_asked_in_order_until_one_is_known(declarations: str) -> None:
    body = f"{declarations}<p>{RUSSIAN}</p>".encode("windows-1251")
    decoded = decode(body, charset=None, kind=Kind.HTML)

    assert RUSSIAN in decoded.text
    assert "windows-1251" == decoded.encoding


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (f"<p>{GERMAN}</p>".encode() + b"\xff", GERMAN),
        ("<p>Größe".encode() + b"\xff", "Größe"),
        (JAPANESE.encode()[:-1], JAPANESE[:-1]),
        (JAPANESE.encode()[1:], JAPANESE[1:]),
        (RUSSIAN.encode()[:20], RUSSIAN[:10]),
    ],
)
def test_undeclared_utf8_that_was_cut_is_utf8(body: bytes, text: str) -> None:
    decoded = decode(body, charset=None, kind=Kind.HTML)

    assert "utf-8" == decoded.encoding
    assert text in decoded.text


FRENCH = (
    "Les élèves français ont préparé à l'école une fête très gaie : gâteaux, œufs, crêpes, où chacun a reçu un rôle. "
    "Cœur et âme, naïveté, Noël, « citations » et forêts — tout a été prévu pour le mois d'août."
)
CZECH = "Příliš žluťoučký kůň úpěl ďábelské ódy. Všechny děti šly včera do školy a něco dobrého se naučily."
POLISH = "Zażółć gęślą jaźń. Wszystkie dzieci poszły wczoraj do szkoły i nauczyły się czegoś dobrego."
HUNGARIAN = "Árvíztűrő tükörfúrógép. Az összes gyerek elment tegnap az iskolába, és ott jó időt töltöttek, erősek."


@pytest.mark.parametrize(
    ("text", "encoding"),
    [(FRENCH, "windows-1252"), (CZECH, "windows-1250"), (POLISH, "windows-1250"), (HUNGARIAN, "windows-1250")],
)
def test_undeclared_western_text_is_no_text_of_central_europe(text: str, encoding: str) -> None:
    body = f"<p>{text}</p>".encode(encoding)

    assert text in decode(body, charset=None, kind=Kind.HTML).text


@pytest.mark.parametrize(
    ("label", "raw", "shown"),
    [
        ("windows-1252", b"a\x81\x8d\x8f\x90\x9db", "ab"),
        ("windows-1251", b"a\x98b", "ab"),
        ("windows-1250", b"a\x81\x83\x88\x90\x98b", "ab"),
        ("windows-1255", b"\xca", "\u05ba"),
        ("windows-1253", b"a\xaa", "a\ufffd"),
        ("gb2312", b"\x805 \xa8\xbc", "€5 ḿ"),
        ("gb18030", b"\x80\xa6\xd9", "€\ufe10"),
        ("big5", b"\xa3\xe1 \xa4\xa4", "€ 中"),
        ("euc-jp", b"\xad\xa1\xad\xea\xa1\xc1\xa1\xdd\xb0\xa1", "\u2460\u3231\uff5e\uff0d亜"),
        ("shift_jis", b"\x87\x40\x81\x60", "\u2460\uff5e"),
        ("koi8-u", b"\xae\xbe\xa6", "ўЎі"),
        ("euc-kr", b"\x8c\x63", "똠"),
        ("unicode", "naïve 日".encode("utf-16le"), "naïve 日"),
        ("ucs-2", "naïve 日".encode("utf-16le"), "naïve 日"),
        ("csunicode", "naïve 日".encode("utf-16le"), "naïve 日"),
        ("unicodefeff", "naïve 日".encode("utf-16le"), "naïve 日"),
        ("iso-10646-ucs-2", "naïve 日".encode("utf-16le"), "naïve 日"),
        ("unicodefffe", "naïve 日".encode("utf-16be"), "naïve 日"),
    ],
)
def test_label_means_the_table_of_the_web(label: str, raw: bytes, shown: str) -> None:
    for content_type in ("text/plain", "text/html"):
        page = read_page(raw, url="https://x.example/", content_type=f"{content_type}; charset={label}")

        assert shown == page.markdown


@pytest.mark.parametrize(
    "label",
    [
        "text/html; charset=windows-1251, text/html",
        'text/html; charset="windows-1251',
        "text/html; charset='windows-1251'",
        'text/html; charset=\\"windows-1251\\"',
        'text/html; charset="windows\\-1251"',
        'text/html;charset = "windows-1251" ; boundary=x',
        "text/html;charset=windows-1251;charset=utf-8",
    ],
)
def test_header_in_another_form_still_names_its_charset(label: str) -> None:
    page = read_page(f"<p>{RUSSIAN}</p>".encode("windows-1251"), url="https://x.example/", content_type=label)

    assert RUSSIAN == page.markdown
    assert "windows-1251" == page.encoding


@given(st.binary(max_size=200), st.sampled_from(sorted({"windows-1255", "gbk", "big5", "euc-jp", "koi8-u", "euc-kr"})))
def test_no_bytes_stop_a_legacy_decoder(body: bytes, name: str) -> None:
    text, bad = decode_as(body, name)

    assert bad == text.count("\ufffd")
    assert len(text) <= 2 * len(body)


@pytest.mark.parametrize("declarations", ["", "<meta charset=iso-2022-jp>"])
def test_escapes_of_japanese_mail_are_no_ascii(declarations: str) -> None:
    body = f"{declarations}<p>{JAPANESE}</p>".encode("iso-2022-jp")

    assert JAPANESE in decode(body, charset="utf-8" if declarations else None, kind=Kind.HTML).text


@pytest.mark.parametrize("encoding", ["shift_jis", "euc-jp"])
@pytest.mark.parametrize("cut", [0, 1])
def test_undeclared_page_may_end_inside_a_character(encoding: str, cut: int) -> None:
    body = f"<p>{JAPANESE * 5}".encode(encoding)

    assert JAPANESE in decode(body[: len(body) - cut], charset=None, kind=Kind.HTML).text


@pytest.mark.parametrize("header", ["shift_jis", "euc-jp", "iso-8859-1", "gbk", "windows-1251"])
def test_damaged_utf8_under_another_label_is_still_utf8(header: str) -> None:
    body = f"<meta charset=iso-8859-1><p>{JAPANESE * 2}</p>".encode() + b"\xff"

    assert JAPANESE in decode(body, charset=header, kind=Kind.HTML).text


@pytest.mark.parametrize("header", ["shift_jis", "euc-jp", "euc-kr", "gbk", "big5"])
def test_two_characters_of_the_header_outweigh_one_damaged_byte(header: str) -> None:
    body = "<meta charset=windows-1252><p>日本</p>".encode(header) + b"<p>\xff</p>"

    assert "日本" in decode(body, charset=header, kind=Kind.HTML).text


@given(st.text(st.characters(min_codepoint=0xA0, exclude_categories=("Cs", "Cc", "Cn", "Co", "Cf")), min_size=1))
def test_letters_encoded_twice_are_letters(text: str) -> None:
    sure = "\u2019"  # its second half is a control, which no text has on purpose
    body = f"<p>{sure}{text}{sure}".encode().decode("latin-1").encode()

    assert f"<p>{sure}{text}{sure}" == decode(body, charset="utf-8", kind=Kind.HTML).text


@pytest.mark.parametrize("text", ["caf\u00c3\u00a9", "\u00c2\u00a9 2020", "\u00e2\u20ac\u2122"])
def test_letters_that_only_look_encoded_twice_stay(text: str) -> None:
    assert text == decode(text.encode(), charset="utf-8", kind=Kind.TEXT).text


def test_what_was_hidden_by_encoding_it_twice_is_still_taken_out() -> None:
    hidden = "".join(chr(0xE0000 + ord(letter)) for letter in "obey")
    body = f"<p>Nothing to see in this {hidden}sentence.".encode().decode("latin-1").encode()

    page = read_page(body, url="https://x.example/", content_type="text/html; charset=utf-8")

    assert "Nothing to see in this sentence." in page.markdown
    assert not any(ord(letter) >= 0xE0000 for letter in page.markdown)
