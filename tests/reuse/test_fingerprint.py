"""Names of requests."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websdk.credentials import Secret
from websdk.reuse import credential_fingerprint, fingerprint

KEY = b"k" * 16
data = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(first=data, second=data)
def test_equal_parts_and_only_these_have_equal_names(first, second):
    same = repr(first) == repr(second) or (first == second and type(first) is type(second) is dict)

    assert same or fingerprint(KEY, part=first) != fingerprint(KEY, part=second)
    assert fingerprint(KEY, part=first) == fingerprint(KEY, part=first)


def test_the_order_of_parts_does_not_matter():
    assert fingerprint(KEY, a=1, b={"x": 1, "y": 2}) == fingerprint(KEY, b={"y": 2, "x": 1}, a=1)


def test_parts_cannot_be_shifted_into_one_another():
    assert fingerprint(KEY, a="x", b="") != fingerprint(KEY, a="", b="x")


def test_a_name_depends_on_the_key():
    assert fingerprint(KEY, a=1) != fingerprint(b"other", a=1)


def test_what_is_no_plain_data_is_refused():
    with pytest.raises(TypeError):
        fingerprint(KEY, a=object())


def test_a_secret_cannot_slip_in_as_a_part():
    with pytest.raises(TypeError):
        fingerprint(KEY, a=Secret("k+/=&9"))


def test_a_credential_is_told_apart_and_not_told():
    one = credential_fingerprint(KEY, Secret("k+/=&9"))

    assert one == credential_fingerprint(KEY, Secret("k+/=&9"))
    assert one != credential_fingerprint(KEY, Secret("k+/=&8"))
    assert one != credential_fingerprint(KEY, None)
    assert "k+/=&9" not in one
    assert "k%2B" not in one
