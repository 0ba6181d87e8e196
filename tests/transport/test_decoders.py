from __future__ import annotations

import gzip
import tracemalloc
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websdk.protocols.transport import FailureKind, TransportFailure
from websdk.transport.bounds import BoundedBody
from websdk.transport.decoders import MAX_MEMBERS, STEP_BYTES, Deflate, Gzip, decoders

ROOM = 10 << 20


def bare(data):
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


PACK = {"gzip": gzip.compress, "x-gzip": gzip.compress, "deflate": zlib.compress, "bare": bare}
NAME = {"bare": "deflate"}


def split(data, cuts):
    places = sorted({cut % (len(data) + 1) for cut in cuts})
    return [data[start:end] for start, end in zip([0, *places], [*places, len(data)], strict=True)]


def outcome(encodings, pieces, max_bytes=ROOM):
    try:
        return decode(encodings, pieces, max_bytes)
    except TransportFailure as failure:
        return failure.kind


def decode(encodings, pieces, max_bytes=ROOM):
    body = BoundedBody(encodings, max_bytes=max_bytes)
    for piece in pieces:
        body.feed(piece)
    return body.finish()


CUTS = st.lists(st.integers(min_value=0, max_value=10_000), max_size=12)


@given(st.binary(max_size=2_000), st.lists(st.sampled_from(sorted(PACK)), max_size=2), CUTS)
def test_any_split_of_any_coding_gives_the_same_bytes(data, codings, cuts):
    coded = data
    for coding in codings:
        coded = PACK[coding](coded)
    names = [NAME.get(coding, coding) for coding in codings]

    assert (data, True) == decode([", ".join(names)], split(coded, cuts))


@given(st.lists(st.binary(max_size=200), min_size=1, max_size=6), st.integers(min_value=0, max_value=9), CUTS)
def test_every_member_of_a_gzip_stream_counts(members, padding, cuts):
    coded = b"".join(gzip.compress(member) for member in members) + bytes(padding)

    assert (b"".join(members), True) == decode(["gzip"], split(coded, cuts))


@given(st.binary(min_size=1, max_size=500), st.sampled_from(["gzip", "deflate"]), CUTS, st.data())
def test_a_stream_cut_anywhere_is_never_whole(data, coding, cuts, draw):
    coded = PACK[coding](data)
    cut = draw.draw(st.integers(min_value=1, max_value=len(coded) - 1))

    body, whole = decode([coding], split(coded[:cut], cuts))
    assert not whole
    assert data.startswith(body)


@given(st.binary(min_size=1, max_size=300), st.sampled_from(["gzip", "deflate", "gzip, deflate"]), CUTS)
def test_any_bytes_end_in_a_body_or_a_failure_of_the_coding(data, coding, cuts):
    found = outcome([coding], split(data, cuts))

    assert found is FailureKind.CODING or isinstance(found[0], bytes)


@given(st.integers(min_value=1, max_value=5_000), st.integers(min_value=1, max_value=5_000), CUTS)
def test_the_ceiling_is_exact(size, ceiling, cuts):
    coded = gzip.compress(bytes(size))
    fits = max(size, len(coded)) <= ceiling

    expected = (bytes(size), True) if fits else FailureKind.TOO_LARGE
    assert expected == outcome(["gzip"], split(coded, cuts), max_bytes=ceiling)


@pytest.mark.parametrize("coded", [gzip.compress(bytes(50 << 20)), bare(bytes(50 << 20))], ids=["gzip", "deflate"])
def test_one_step_never_grows_beyond_its_bound(coded):
    decoder = Gzip() if coded.startswith(b"\x1f\x8b") else Deflate()
    pieces = decoder.feed(coded)
    tracemalloc.start()
    try:
        sizes = {len(next(pieces)) for _ in range(20)}
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert {STEP_BYTES} == sizes
    assert peak < 20 * STEP_BYTES


def test_bytes_between_two_codings_have_the_ceiling_too():
    endless_name = b"\x1f\x8b\x08\x08" + bytes(6) + b"n" * (4 << 20)
    body = BoundedBody(["gzip, gzip"], max_bytes=1 << 20)

    with pytest.raises(TransportFailure) as caught:
        body.feed(gzip.compress(endless_name))
    assert FailureKind.TOO_LARGE is caught.value.kind


def test_members_are_bounded():
    empty = gzip.compress(b"")

    assert (b"", True) == decode(["gzip"], [empty * MAX_MEMBERS])
    with pytest.raises(TransportFailure):
        decode(["gzip"], [empty * (MAX_MEMBERS + 1)])


@pytest.mark.parametrize("values", [[], [""], ["identity"], [" , ,"], ["identity, IDENTITY", "identity"]])
def test_no_coding_needs_no_decoder(values):
    assert () == decoders(values)


def test_the_coding_applied_last_is_undone_first():
    assert [Deflate, Gzip] == [type(decoder) for decoder in decoders(["gzip", "deflate"])]


@pytest.mark.parametrize("values", [["gzip"] * 3, ["gzip, deflate", "gzip"], ["aes128gcm"], ["gzip;q=1"], ["br"]])
def test_more_than_two_and_unknown_ones_are_failures(values):
    with pytest.raises(TransportFailure) as caught:
        decoders(values)

    assert FailureKind.CODING is caught.value.kind
