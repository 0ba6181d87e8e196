"""What is kept, for how long, and under which name."""

from __future__ import annotations

import pytest

from websdk.errors import RefExpired, RefUnknown, SettingsError
from websdk.evidence import EvidenceOptions, EvidenceStore, Passage
from websdk.model import Ref


def passage(text: str = "text", **fields) -> Passage:
    return Passage(url="https://a.example/", text=text, **fields)


def test_results_are_numbered_from_one_in_the_order_given(make_store):
    store = make_store()

    entry = store.put([passage("one"), passage("two")])

    ref = Ref.parse(f"{entry.ref}:2")
    assert "two" == store.entry(ref).passages[ref.number - 1].text


def test_an_answer_without_results_is_not_kept(make_store):
    assert make_store().put([]) is None


@pytest.mark.parametrize("text", ["", "h:", "h:0", "h:01", "h:-1", "H", "h:1:2", "h 1", "../h", "h:9999999", "h\u0661"])
def test_a_malformed_ref_is_a_typed_error(text):
    with pytest.raises(RefUnknown):
        Ref.parse(text)


def test_a_number_past_the_last_result_names_the_range(make_store):
    store = make_store()
    entry = store.put([passage(), passage()])

    with pytest.raises(RefUnknown, match="1 to 2"):
        store.entry(entry.ref.of(3))


def test_a_handle_of_another_session_is_unknown_and_not_expired(clock, make_store):
    other = EvidenceStore(EvidenceOptions(), clock=clock, key=b"other")
    foreign = other.put([passage()]).ref
    store = make_store()
    store.put([passage()])

    with pytest.raises(RefUnknown):
        store.entry(foreign)


def test_a_handle_not_yet_given_out_is_unknown(make_store):
    early, late = make_store(), make_store()
    late.put([passage()])
    future = late.put([passage("another")]).ref
    early.put([passage()])

    with pytest.raises(RefUnknown):
        early.entry(future)


def test_an_entry_expires_when_it_idles(clock, make_store):
    store = make_store()
    ref = store.put([passage()]).ref

    clock.seconds = 599.9
    assert store.entry(ref)
    clock.seconds = 600
    with pytest.raises(RefExpired):
        store.entry(ref)


def test_reads_refresh_an_entry_up_to_its_lifetime(clock, make_store):
    store = make_store()
    ref = store.put([passage()]).ref
    for clock.seconds in range(0, 3_600, 500):
        store.touch(store.entry(ref))

    clock.seconds = 3_599
    assert store.entry(ref)
    clock.seconds = 3_600
    with pytest.raises(RefExpired):
        store.entry(ref)


def test_looking_without_a_read_does_not_refresh(clock, make_store):
    store = make_store()
    ref = store.put([passage()]).ref
    clock.seconds = 500
    store.entry(ref)

    clock.seconds = 600
    with pytest.raises(RefExpired):
        store.entry(ref)


def test_the_least_recently_read_entry_goes_first(make_store):
    store = make_store(entries=2)
    first = store.put([passage("1")])
    second = store.put([passage("2")])
    store.touch(first)

    store.put([passage("3")])

    assert store.entry(first.ref)
    with pytest.raises(RefExpired):
        store.entry(second.ref)


def test_texts_beyond_the_bounds_are_clipped_and_say_so(make_store):
    store = make_store(passage_characters=10, entry_characters=15, results=3, metadata_characters=4)

    entry = store.put([passage("x" * 11, title="a title"), passage("y" * 9), passage("z" * 3), passage("dropped")])

    assert ["x" * 10, "y" * 5, ""] == [kept.text for kept in entry.passages]
    assert [True, True, True] == [kept.clipped for kept in entry.passages]
    assert "a ti" == entry.passages[0].title
    assert 1 == entry.left_out
    assert entry.clipped


def test_a_clip_keeps_grapheme_clusters_whole(make_store):
    store = make_store(passage_characters=2)

    entry = store.put([passage("ae\u0301")])

    assert "a" == entry.passages[0].text


def test_what_fits_is_kept_whole_and_is_not_called_clipped(make_store):
    entry = make_store(passage_characters=5).put([passage("12345")])

    assert not entry.clipped


def test_an_answer_larger_than_the_store_is_not_kept_and_drops_nothing(make_store):
    store = make_store(bytes=2_000)
    small = store.put([passage()])

    assert store.put([passage("é" * 1_500)]) is None
    assert store.entry(small.ref)


def test_the_same_answer_again_is_the_entry_that_is_there(make_store):
    store = make_store()
    first = store.put([passage("one"), passage("two")])

    assert store.put([passage("one"), passage("two")]) is first
    assert store.put([passage("two"), passage("one")]) is not first
    assert 2 == len(store)


def test_the_same_answer_much_later_is_kept_anew(clock, make_store):
    store = make_store()
    first = store.put([passage("one")])
    clock.seconds = 400
    store.touch(first)
    clock.seconds = 700

    assert store.put([passage("one")]) is not first


def test_cleared_entries_expire(make_store):
    store = make_store()
    ref = store.put([passage()]).ref

    store.clear()

    assert 0 == store.size
    with pytest.raises(RefExpired):
        store.entry(ref)


@pytest.mark.parametrize("value", [0, -1, True, "many"])
def test_a_bound_is_a_number_above_zero(value):
    with pytest.raises(SettingsError, match="entries"):
        EvidenceOptions(entries=value)
