"""The `[vendor]` table: who a vendor is, shared by search, reader and probe."""

from __future__ import annotations

import attrs

from websdk.declarative.checks import KeyProblem, at_least
from websdk.declarative.words import NO_TEXTS, BaseUrl, Place, Texts, UrlPath, setting_name


@attrs.frozen(kw_only=True)
class Auth:
    """Where the key goes.

    Attributes:
        at: The place of the key; it is written last and masked wherever a request is shown.
        scheme: The word before the key, such as ``Bearer``; ``Basic`` encodes ``user:password``.
        env: Environment variables that hold the key, for bundled presets; ``A:B`` joins two of them.
    """

    at: Place
    scheme: str | None = None
    env: Texts = NO_TEXTS

    def __attrs_post_init__(self) -> None:
        if not self.at.startswith(("header:", "query:")):
            raise KeyProblem("at", "a key goes to header:Name or query:name")
        if self.scheme is not None and not self.scheme.isalnum():
            raise KeyProblem("scheme", "is one word")


@attrs.frozen(kw_only=True)
class Setting:
    """Something that an operator gives, such as an engine or an index.

    Attributes:
        about: What it is, in a few words for the person who must give it.
        at: The place that it goes to; a place that ends in ``[]`` takes a list, written with commas.
        default: What it is unless the operator says otherwise; an empty text makes it optional.
    """

    about: str
    at: Place | None = None
    default: str | None = None


@attrs.frozen(kw_only=True)
class HttpVendor:
    """Who a vendor is: shared by search call, page reader and probe.

    Attributes:
        id: Id of the preset; the name of its file.
        name: The vendor's name, as people write it.
        base_url: Where its interface stands; left out for services that an operator runs.
        auth: Where the key goes.
        settings: What an operator must or may give, by name.
        min_interval_s: Seconds that the vendor wants between two calls.
        max_reply_bytes: Ceiling for a reply, in bytes.
        probe: Path of a GET request that costs nothing and tells whether the service answers.
    """

    id: str = ""
    name: str
    base_url: BaseUrl | None = None
    auth: Auth | None = None
    settings: dict[str, Setting] = attrs.field(factory=dict)
    min_interval_s: float | None = attrs.field(default=None, validator=at_least(0))
    max_reply_bytes: int | None = attrs.field(default=None, validator=at_least(1024))
    probe: UrlPath | None = None

    def __attrs_post_init__(self) -> None:
        for name in self.settings:
            if not setting_name(name):
                raise KeyProblem(f"settings.{name}", "is a lower-case word")

    @property
    def env(self) -> tuple[str, ...]:
        """Environment variables of the key; ``A:B`` joins two."""
        return self.auth.env if self.auth is not None else ()
