"""Content is read by what it is, whatever its label claims."""

from __future__ import annotations

import pytest

from websdk.errors import Unreadable
from websdk.reading import read_llms_txt, read_page
from websdk.reading.sniff import Kind, sniff

SIGNATURES = [
    (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj<<>>", "application/pdf"),
    (b"\n\n%PDF-1.4\n", "application/pdf"),
    (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "image/png"),
    (b"GIF89a\x01\x00", "image/gif"),
    (b"\xff\xd8\xff\xe0\x00\x10JFIF", "image/jpeg"),
    (b"PK\x03\x04\x14\x00", "application/zip"),
    (b"\x1f\x8b\x08\x00", "application/gzip"),
    (b"RIFF\x00\x00\x00\x00WEBPVP8 ", "image/webp"),
    (b"\x00\x00\x00\x18ftypmp42", "video/mp4"),
]


@pytest.mark.parametrize("label", ["text/html", "text/plain", "application/json", None, "application/octet-stream"])
@pytest.mark.parametrize(("body", "media_type"), SIGNATURES)
def test_other_content_is_named_and_not_read(body: bytes, media_type: str, label: str | None) -> None:
    with pytest.raises(Unreadable) as failure:
        read_page(body + b"\x00" * 50, url="https://x.example/", content_type=label)

    assert f"unsupported_type:{media_type}" == failure.value.seen
    assert media_type in str(failure.value)


@pytest.mark.parametrize(
    "label", ["application/pdf", "image/png", "application/zip", "video/mp4", "application/json", "font/woff2"]
)
@pytest.mark.parametrize(
    "head", [b"<!DOCTYPE html>", b"\xef\xbb\xbf\n<html>", b"<!-- c --><head><meta charset=utf-8></head>", b""]
)
def test_page_under_the_label_of_a_file_is_a_page(head: bytes, label: str) -> None:
    body = head + b"<h1>Pier</h1><p>The lighthouse stands at the end of the pier.</p>"
    document = read_page(body, url="https://x.example/", content_type=label)

    assert "text/html" == document.media_type
    assert "# Pier\n\nThe lighthouse stands at the end of the pier." == document.markdown


@pytest.mark.parametrize(
    "body", [b"<svg xmlns='http://www.w3.org/2000/svg'><p>x</p></svg>", b"<?xml version='1.0'?><svg/>"]
)
def test_picture_made_of_markup_is_no_page(body: bytes) -> None:
    with pytest.raises(Unreadable, match="image/svg"):
        read_page(body, url="https://x.example/", content_type="image/svg+xml")


@pytest.mark.parametrize("label", ["application/pdf", "image/png", "video/mp4", "application/vnd.ms-excel"])
def test_labelled_content_of_another_kind_is_not_read(label: str) -> None:
    with pytest.raises(Unreadable, match=label):
        read_page(b"\x01\x02\x03 whatever", url="https://x.example/", content_type=label)


@pytest.mark.parametrize(
    ("label", "body", "kind"),
    [
        ("text/html", b"x", Kind.HTML),
        ("application/xhtml+xml; charset=utf-8", b"x", Kind.HTML),
        ("text/plain", b"<html>", Kind.TEXT),
        ("text/markdown", b"# x", Kind.MARKDOWN),
        ("application/ld+json", b"{}", Kind.JSON),
        ("application/rss+xml", b"<rss>", Kind.XML),
        ("text/html", b"<?xml version='1.0'?><feed xmlns='x'>", Kind.XML),
        ("text/xml", b"<!DOCTYPE html><html>", Kind.HTML),
        (None, b"<!-- c --><!DOCTYPE html>", Kind.HTML),
        (None, b"\xef\xbb\xbf<html>", Kind.HTML),
        ("application/octet-stream", b'{"a": 1}', Kind.JSON),
        (None, b"just words", Kind.TEXT),
        ("text/plain", b"\x00\x01\x02" * 30, Kind.UNSUPPORTED),
        ("text/css", b"a{}", Kind.TEXT),
    ],
)
def test_kind(label: str | None, body: bytes, kind: Kind) -> None:
    assert kind is sniff(body, label).kind


def test_label_in_a_message_holds_nothing_but_a_type() -> None:
    with pytest.raises(Unreadable) as failure:
        read_page(b"\x00", url="https://x.example/", content_type="app/x<script>secret words</script>")

    assert "<" not in str(failure.value)
    assert "secret words" not in str(failure.value)


@pytest.mark.parametrize("comment", [b"<!-- ", b"--><!-- ", b"<?x "])
def test_comments_before_the_first_element_are_read_once(comment):
    body = b"<!-- " + comment * 4_000 + b"x"

    # Were a comment tried in more than one way, this would outlast the universe.
    assert sniff(body, "text/html").kind is Kind.HTML
    assert read_llms_txt(body) is None


@pytest.mark.parametrize(
    ("label", "body", "text"),
    [
        ("text/html", b"<p>One\x00 two.</p>", "One two."),
        ("text/html", b"<p>One\x00 two\x00.</p><p>" + b"word " * 30 + b"</p>", "One two."),
        ("text/html; charset=windows-1251", b"<p>One\x01 two.</p>", "One two."),
        ("text/plain", b"One\x00 two.", "One two."),
        ("text/markdown", b"# One\x00 two.", "# One two."),
        ("application/json", b'"One\x00 two."', "One two."),
        (None, b"<p>One\x00 two.</p>", "One two."),
    ],
)
def test_control_character_in_text_is_damage_and_no_sign_of_another_kind(
    label: str | None, body: bytes, text: str
) -> None:
    assert text in read_page(body, url="https://x.example/", content_type=label).markdown


@pytest.mark.parametrize("label", ["text/html", "text/plain", "application/json"])
@pytest.mark.parametrize(
    "body", [bytes(range(256)), b"MZ\x90\x00\x03\x00\x00\x00\x04\x00\x00\x00\xff\xff\x00\x00", b"\x00" * 40]
)
def test_bytes_with_many_control_characters_are_no_text_whatever_the_label(label: str, body: bytes) -> None:
    assert Kind.UNSUPPORTED is sniff(body, label).kind
