from __future__ import annotations

from websdk.wire import HttpRequest, HttpResponse, json_request

CANARY = "k-canary-9"


def test_a_request_shows_method_and_host_only():
    request = HttpRequest(
        method="POST",
        url=f"https://api.example/v1?key={CANARY}",
        headers=(("X-Key", CANARY),),
        body=CANARY.encode(),
    )

    assert "api.example" in repr(request)
    assert CANARY not in repr(request)


def test_a_reply_shows_sizes_only():
    reply = HttpResponse(status=200, headers=(("Set-Cookie", CANARY),), body=CANARY.encode())

    assert CANARY not in repr(reply)


def test_headers_are_found_whatever_their_case():
    reply = HttpResponse(status=200, headers=(("Content-Type", "text/HTML; charset=x"), ("content-type", "b/c")))

    assert "text/HTML; charset=x" == reply.header("CONTENT-TYPE")
    assert reply.header("etag") is None
    assert "text/html" == reply.media_type


def test_new_headers_replace_those_of_their_names():
    request = HttpRequest(method="GET", url="https://a.example/", headers=(("A", "1"), ("b", "2"), ("a", "3")))

    assert (("b", "2"), ("A", "9")) == request.with_headers([("A", "9")]).headers


def test_a_json_body_is_compact_and_utf8():
    request = json_request("POST", "https://a.example/", {"q": "ä", "n": [1]}, (("X", "y"),))

    assert '{"q":"ä","n":[1]}'.encode() == request.body
    assert (("X", "y"), ("Content-Type", "application/json")) == request.headers
