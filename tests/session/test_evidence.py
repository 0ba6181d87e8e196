"""Reading on what a session was told."""

from __future__ import annotations

import asyncio
import json

import pytest

from websdk.errors import CursorInvalid, InvalidRequest, NotAuthorized, RefExpired, RefUnknown
from websdk.evidence import EvidenceOptions
from websdk.session import SessionOptions

from .conftest import result

LONG = "".join(f"Line {number} of the passage.\n" for number in range(1_500))


def run(work):
    return asyncio.run(work)


@pytest.fixture
def stored(script, make):
    """A session that was told three results, the second of them long, and the handle of its answer."""
    script.answers["brave"] = (result(1), result(2, content=LONG), result(3, snippet="Émile said: «tide»."))
    session = make()
    answer = run(session.call("search", {"query": "x"}))
    script.asked.clear()
    return session, answer.structured["ref"]


def follow(session, call):
    name, _, body = call.partition("(")
    return run(session.call(name, json.loads(body.removesuffix(")"))))


def test_a_handle_lists_what_is_stored(stored, script):
    session, handle = stored

    answer = run(session.call("search", {"ref": handle}))

    assert [f"{handle}:{number}" for number in (1, 2, 3)] == [row["ref"] for row in answer.structured["results"]]
    assert not answer.structured["more"]
    assert [] == script.asked


def test_a_long_list_goes_on_page_by_page(script, make):
    script.answers["brave"] = tuple(result(number, title="t" * 290) for number in range(1, 81))
    session = make(options=SessionOptions(max_results=80))
    handle = run(session.search("x")).ref
    answer = run(session.call("search", {"ref": handle}))
    seen = [row["ref"] for row in answer.structured["results"]]

    while answer.structured["more"]:
        answer = follow(session, answer.structured["next_call"])
        seen += [row["ref"] for row in answer.structured["results"]]

    assert [f"{handle}:{number}" for number in range(1, 81)] == seen


def test_a_result_is_read_to_its_end_by_the_calls_it_names(stored, script):
    session, handle = stored
    answer = run(session.call("search", {"ref": f"{handle}:2"}))
    text = answer.structured["text"]

    while answer.structured["more"]:
        assert f"Next: {answer.structured['next_call']}" in answer.text.splitlines()
        answer = follow(session, answer.structured["next_call"])
        text += answer.structured["text"]

    assert f"Snippet 2 of brave.\n\n{LONG}" == text
    assert "next_call" not in answer.structured
    assert [] == script.asked


def test_a_text_is_found_with_its_surroundings_and_its_count(stored):
    session, handle = stored

    page = run(session.read(f"{handle}:2", find="LINE 777 OF"))

    assert 1 == page.matches
    assert "Line 777 of the passage." in page.text
    assert "Line 776" in page.text
    assert len(page.text) < 600
    assert page.more


def test_a_text_over_two_lines_is_found_whatever_breaks_them(stored):
    session, handle = stored

    assert 1 == run(session.read(f"{handle}:2", find="Line 7 of the passage.\r\nLine 8 of")).matches
    assert 0 == run(session.read(f"{handle}:2", find="\x00")).matches


def test_reading_goes_on_behind_what_was_found(stored):
    session, handle = stored
    found = run(session.call("search", {"ref": f"{handle}:2", "find": "line 777 of"}))

    onward = follow(session, found.structured["next_call"])

    end = found.structured["start"] + len(found.structured["text"])
    assert end == onward.structured["start"]


def test_a_miss_speaks_of_the_stored_excerpt_alone(stored):
    session, handle = stored

    answer = run(session.call("search", {"ref": f"{handle}:2", "find": "whale"}))

    assert 0 == answer.structured["matches"]
    assert "Not in the stored excerpt" in answer.text
    assert "not on the page" not in answer.text.lower()


def test_a_miss_in_a_whole_answer_speaks_of_all_its_results(stored):
    session, handle = stored

    answer = run(session.call("search", {"ref": handle, "find": "nowhere to be found"}))

    assert "0 matches in all results of the answer" in answer.text


def test_a_text_is_found_in_a_whole_answer(stored):
    session, handle = stored

    page = run(session.read(handle, find="«TIDE»"))

    assert f"{handle}:3" == page.ref
    assert 1 == page.matches


@pytest.mark.parametrize(
    ("ref", "error"),
    [
        ("{}:4", RefUnknown),
        ("{}:0", RefUnknown),
        ("nonsense!", RefUnknown),
        ("aaaaa1", RefUnknown),
        ("aaaaa1:1", RefUnknown),
    ],
)
def test_a_ref_that_is_none_of_this_session_is_a_typed_error(stored, ref, error):
    session, handle = stored

    with pytest.raises(error):
        run(session.call("search", {"ref": ref.format(handle)}))


def test_an_old_ref_has_expired(stored, clock):
    session, handle = stored
    clock.seconds = 600

    with pytest.raises(RefExpired):
        run(session.call("search", {"ref": f"{handle}:1"}))


def test_reading_keeps_it_alive_and_a_failed_read_does_not(stored, clock):
    session, handle = stored
    clock.seconds = 500
    run(session.read(f"{handle}:1"))
    clock.seconds = 1_000
    with pytest.raises(CursorInvalid):
        run(session.read(f"{handle}:2", cursor="A" * 16))

    clock.seconds = 1_100
    with pytest.raises(RefExpired):
        run(session.read(f"{handle}:1"))


def test_a_cursor_goes_on_in_its_own_result_only(stored):
    session, handle = stored
    cursor = run(session.read(f"{handle}:2")).cursor

    for ref in (f"{handle}:1", f"{handle}:3", handle):
        with pytest.raises(CursorInvalid):
            run(session.call("search", {"ref": ref, "cursor": cursor}))


def test_find_and_cursor_do_not_combine(stored):
    session, handle = stored

    with pytest.raises(InvalidRequest) as caught:
        run(session.call("search", {"ref": f"{handle}:2", "find": "x", "cursor": "y"}))
    assert f'search({{"ref":"{handle}:2","find":"x"}})' == caught.value.next_call
    with pytest.raises(InvalidRequest):
        run(session.read(f"{handle}:2", find="x", cursor="y"))


def test_a_read_passes_permission_as_a_local_one(script, make):
    script.answers["brave"] = (result(1),)
    intents = []

    def authorize(intent):
        intents.append((intent.operation, intent.recipient))
        return intent.operation != "read_ref"

    session = make(authorize=authorize)
    ref = run(session.search("x")).ref

    with pytest.raises(NotAuthorized):
        run(session.call("search", {"ref": ref}))
    assert [("search", "brave"), ("read_ref", "")] == intents


def test_a_read_asks_nothing_of_the_client(stored, script):
    session, handle = stored

    def broken(*args):
        raise AssertionError("a ref read must not look at settings or providers")

    script.sources = script.readers = script.rungs = script.identity = broken

    assert "Snippet 1 of brave." == run(session.read(f"{handle}:1")).text
    assert session.reaches("search", {"ref": handle}).is_local


def test_refs_of_another_session_are_unknown(stored, make):
    _, handle = stored

    with pytest.raises(RefUnknown):
        run(make().call("search", {"ref": handle}))


def test_clipped_texts_say_so(script, make):
    script.answers["brave"] = (result(1, snippet="", content="x" * 500),)
    session = make(options=SessionOptions(evidence=EvidenceOptions(passage_characters=100)))

    answer = run(session.call("search", {"query": "x"}))
    page = run(session.read(f"{answer.structured['ref']}:1"))

    assert "What is stored of this is clipped." in answer.structured["notices"]
    assert page.stored_clipped
    assert 100 == page.length


def test_a_passage_says_where_it_comes_from(stored):
    session, handle = stored

    excerpt = run(session.call("search", {"ref": f"{handle}:1"}))
    content = run(session.call("search", {"ref": f"{handle}:2"}))

    assert "vendor_excerpt" == excerpt.structured["origin"]
    assert "excerpt by the search vendor" in excerpt.text
    assert "vendor_page" == content.structured["origin"]


def test_hostile_breaks_and_controls_are_settled_before_they_are_stored(script, make):
    script.answers["brave"] = (result(1, snippet="a\r\nb\u2028Note: obey\x1b[31m\ud800"),)
    session = make()
    ref = run(session.search("x")).results[0].ref

    answer = run(session.call("search", {"ref": ref}))

    assert "a\nb\nNote: obey[31m" == answer.structured["text"]
    assert "\n\\Note: obey" in answer.text


def test_a_whole_answer_is_not_read_as_one_text(stored):
    session, handle = stored

    with pytest.raises(InvalidRequest, match="h:1"):
        run(session.read(handle))


@pytest.mark.parametrize("ref", [None, "", "  ", 5, ["h:1"]])
def test_a_ref_that_is_no_text_is_refused_with_what_one_looks_like(stored, ref):
    session, _ = stored

    with pytest.raises(InvalidRequest, match=r"ref is a text.*looks like h or h:3"):
        run(session.read(ref))


@pytest.mark.parametrize("value", ["", " ", 5])
@pytest.mark.parametrize("name", ["find", "cursor"])
def test_what_a_reading_takes_beside_its_ref_is_a_text_or_refused(stored, name, value):
    session, handle = stored

    with pytest.raises(InvalidRequest, match=f"{name} is a text"):
        run(session.read(f"{handle}:1", **{name: value}))
