"""Every failure that leaves a public method, in one tree.

Each class answers two questions: ``sent`` (did anything leave this machine?) and ``retryable`` (may the same call be
tried again unchanged?).

* WebSdkError
    * ConfigurationError          something the operator or embedder must put right; nothing was sent
        * PresetError             a preset file is wrong; all its problems at once
        * PluginError             a plugin could not be loaded or offers something wrong
        * SettingsError           a settings file or value is wrong
    * Refused                     this library declined the call; nothing was sent
        * InvalidRequest          the caller's values do not make a request
        * EgressRefused           the address is not one that a page read may reach
        * BudgetExhausted         a ceiling that the embedder set is reached
        * NotAuthorized           the embedder's ``authorize`` said no
        * FiltersUnsupported      ``on_unsupported="refuse"`` and a filter would not restrict the result
    * ProviderError               a search or reader vendor failed
        * RateLimited             too many calls; ``wait_s`` says how long to hold back where it is known
        * Unavailable             an outage, a time-out of the connection, or a broken reply
        * CredentialRejected      the vendor does not take the key
        * ProviderRejected        the vendor refused this request
        * MalformedAnswer         a reply that is not what the vendor documents
        * ReceiptMissing          a model provider answered without proof of a search
    * FetchError                  a page could not be read
        * Redirected              the page moved; ``destination`` holds where to
        * NotFound                404 or 410
        * AskAgain                429 or a passing 5xx; ``wait_s`` is already clamped
        * Unreadable              bytes came, and hold nothing a reader could use
        * TooLarge                more bytes than the ceiling
    * SearchFailed                a bounded search failed; carries a category and no upstream text
    * DeadlineExceeded            the call's wall clock ran out (also a ``TimeoutError``)
    * EvidenceError
        * RefUnknown              no stored entry has this ref
        * RefExpired              the entry was dropped
        * CursorInvalid           a cursor that was altered or belongs elsewhere

Messages name the thing and the next step. They never hold a query, a URL path or query string, a credential or a remote
body; fields such as :attr:`Redirected.destination` may.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from websdk.model.filters import FilterKey, FilterOutcome


def _restore(cls: type[WebSdkError], args: tuple[Any, ...], state: dict[str, Any]) -> WebSdkError:
    error = cls.__new__(cls, *args)
    error.args = args  # OSError, above TimeoutError, leaves them to its own __init__
    error.__dict__.update(state)
    return error


class WebSdkError(Exception):
    """Root of the tree.

    Attributes:
        sent: Whether any byte of the failed call left this machine.
        retryable: Whether the same call may succeed when tried again unchanged.
        call_id: The id of the call in receipts, events and logs; ``None`` outside a call.
    """

    category: ClassVar[str] = "error"
    sent: bool = False
    retryable: bool = False
    call_id: str | None = None

    def __init__(
        self, message: str, *, call_id: str | None = None, sent: bool | None = None, retryable: bool | None = None
    ) -> None:
        super().__init__(message)
        if call_id is not None:
            self.call_id = call_id
        if sent is not None:
            self.sent = sent
        if retryable is not None:
            self.retryable = retryable

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), self.args, dict(self.__dict__))


class ConfigurationError(WebSdkError):
    """Something must be configured, or is configured wrongly."""

    category = "configuration"


class _Problems(ConfigurationError):
    """A configuration failure that lists every problem of one source at once."""

    def __init__(self, message: str, *, problems: Iterable[str] = (), **kwargs: Any) -> None:
        self.problems = tuple(problems)
        lines = "".join(f"\n  {problem}" for problem in self.problems)
        super().__init__(message + lines, **kwargs)


class PresetError(_Problems):
    """A preset cannot be loaded.

    Attributes:
        problems: One line a problem, each beginning with the path of the key.
    """


class SettingsError(_Problems):
    """A settings source cannot be used.

    Attributes:
        problems: One line a problem, each beginning with the path of the key.
    """


class PluginError(ConfigurationError):
    """A plugin cannot be loaded or used.

    Attributes:
        distribution: The distribution that brought the plugin, where it is known.
    """

    def __init__(self, message: str, *, distribution: str | None = None, **kwargs: Any) -> None:
        self.distribution = distribution
        super().__init__(message, **kwargs)


class Refused(WebSdkError):
    """This library declined the call before anything was sent."""

    category = "refused"


class InvalidRequest(Refused):
    """The caller's values do not make a request.

    Attributes:
        next_call: The one tool call that would have been right, with the caller's own values; ``None`` where there is
            none. It holds what was asked for and is therefore no part of the message.
    """

    def __init__(self, message: str, *, next_call: str | None = None, **kwargs: Any) -> None:
        self.next_call = next_call
        super().__init__(message, **kwargs)


class EgressRefused(Refused):
    """The egress guard refused an address.

    Attributes:
        reason: The rule that fired, a word of ``docs/reference/egress.md``.
        host: The host as asked for, without credentials; ``None`` where no host could be read.
    """

    def __init__(self, message: str, *, reason: str, host: str | None = None, **kwargs: Any) -> None:
        self.reason = reason
        self.host = host
        super().__init__(message, **kwargs)


class BudgetExhausted(Refused):
    """A ceiling of the embedder's budget is reached.

    Attributes:
        limit: The name of the ceiling.
    """

    def __init__(self, message: str, *, limit: str, **kwargs: Any) -> None:
        self.limit = limit
        super().__init__(message, **kwargs)


class NotAuthorized(Refused):
    """The embedder's ``authorize`` refused the call, raised, or did not answer in time."""


class FiltersUnsupported(Refused):
    """Filters were asked for that would not restrict the result in full, and the caller wanted a refusal.

    Attributes:
        keys: The filter keys concerned.
        outcomes: What would have become of every asked filter.
    """

    def __init__(
        self, message: str, *, keys: Iterable[FilterKey], outcomes: Iterable[FilterOutcome] = (), **kwargs: Any
    ) -> None:
        self.keys = tuple(keys)
        self.outcomes = tuple(outcomes)
        super().__init__(message, **kwargs)


class ProviderError(WebSdkError):
    """A vendor did not answer as asked.

    Attributes:
        provider: Id of the search provider or reader.
        status: HTTP status of the reply; ``None`` where none arrived.
        wait_s: Seconds to wait before asking again, already clamped; ``None`` where unknown.
    """

    category = "provider"
    sent = True

    def __init__(
        self, message: str, *, provider: str, status: int | None = None, wait_s: float | None = None, **kwargs: Any
    ) -> None:
        self.provider = provider
        self.status = status
        self.wait_s = wait_s
        super().__init__(message, **kwargs)


class RateLimited(ProviderError):
    """The vendor, or a local pause that the vendor asked for, holds calls back."""

    retryable = True


class Unavailable(ProviderError):
    """The vendor could not be reached, broke off, or reported a passing outage."""

    retryable = True


class CredentialRejected(ProviderError):
    """The vendor does not accept the credential, or none is configured where one is needed."""


class ProviderRejected(ProviderError):
    """The vendor refused this request; the same request will be refused again."""


class MalformedAnswer(ProviderError):
    """The reply is not what the vendor documents."""


class ReceiptMissing(ProviderError):
    """A model provider gave an answer without proof that it searched."""


class FetchError(WebSdkError):
    """A page could not be read."""

    category = "fetch"
    sent = True


class Redirected(FetchError):
    """The origin answered with a redirect, which is never followed.

    Attributes:
        destination: Absolute address that the origin names, credentials removed, at most 2,048 characters; ``None``
            where the origin named none that is an address. ``str()`` and ``repr()`` show its host only.
        status: The HTTP status.
    """

    def __init__(self, message: str, *, destination: str | None, status: int, **kwargs: Any) -> None:
        self.destination = destination
        self.status = status
        super().__init__(message, **kwargs)


class NotFound(FetchError):
    """The origin says that there is no such page (404 or 410)."""

    def __init__(self, message: str, *, status: int | None = None, **kwargs: Any) -> None:
        self.status = status
        super().__init__(message, **kwargs)


class AskAgain(FetchError):
    """The same read may work later.

    Attributes:
        wait_s: Seconds to wait, clamped; ``None`` where the origin gave none.
        status: The HTTP status; ``None`` for a failure of the connection.
    """

    retryable = True

    def __init__(self, message: str, *, wait_s: float | None = None, status: int | None = None, **kwargs: Any) -> None:
        self.wait_s = wait_s
        self.status = status
        super().__init__(message, **kwargs)


class Unreadable(FetchError):
    """Bytes came back that hold nothing to read; nothing is salvaged from them.

    Attributes:
        rung: The rung that read; ``None`` for bytes that were handed in.
        seen: What was there instead, a word of ``docs/reference/reading.md``.
        remaining_rungs: Rungs that exist here and were not tried by this call.
        hidden_content_detected: Whether prose was there and hidden from the eye.
    """

    def __init__(
        self,
        message: str,
        *,
        seen: str,
        rung: str | None = None,
        remaining_rungs: Iterable[str] = (),
        hidden_content_detected: bool = False,
        **kwargs: Any,
    ) -> None:
        self.seen = seen
        self.rung = rung
        self.remaining_rungs = tuple(remaining_rungs)
        self.hidden_content_detected = hidden_content_detected
        super().__init__(message, **kwargs)


class TooLarge(FetchError):
    """The reply passed the byte ceiling.

    Attributes:
        limit_bytes: The ceiling, in bytes, raw and decoded alike.
    """

    def __init__(self, message: str, *, limit_bytes: int, **kwargs: Any) -> None:
        self.limit_bytes = limit_bytes
        super().__init__(message, **kwargs)


class SearchFailed(WebSdkError):
    """A bounded search failed; no text of the upstream failure is carried.

    Attributes:
        reason: A word of a closed list.
    """

    category = "search_failed"
    sent = True

    def __init__(self, message: str, *, reason: str, **kwargs: Any) -> None:
        self.reason = reason
        super().__init__(message, **kwargs)


class DeadlineExceeded(WebSdkError, TimeoutError):
    """The wall clock of the call ran out; its work was stopped.

    Attributes:
        deadline_s: The time that was given, in seconds.
    """

    category = "deadline"
    sent = True
    retryable = True

    def __init__(self, message: str, *, deadline_s: float | None = None, **kwargs: Any) -> None:
        self.deadline_s = deadline_s
        super().__init__(message, **kwargs)


class EvidenceError(WebSdkError):
    """A stored passage cannot be handed out."""

    category = "evidence"


class RefUnknown(EvidenceError):
    """No entry of this session has the ref."""


class RefExpired(EvidenceError):
    """The entry existed and was dropped by age or by room."""


class CursorInvalid(EvidenceError):
    """The cursor was altered, or belongs to another entry."""
