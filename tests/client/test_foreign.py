"""What an embedder's own part raises leaves as a failure of this package, which repeats nothing of what it says."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import attrs
import pytest

from websdk import Client, HttpRequest, SearchAnswer, SearchRequest, Secret, Settings, hookimpl
from websdk.errors import (
    AskAgain,
    CredentialRejected,
    FetchError,
    MalformedAnswer,
    PluginError,
    ProviderError,
    Unavailable,
    WebSdkError,
)
from websdk.fetch import FetchOptions
from websdk.model.document import Via
from websdk.protocols.call import Call
from websdk.protocols.fetch import CheckedUrl, RawDocument
from websdk.protocols.transport import TransportFailure
from websdk.settings import SearchOptions

from .conftest import Loopback, TinyCodec, TinyPlugin

KEY = "sk-k+/=&9-canary"
SAID = f"canary-query at https://a.example/path?key={KEY} answered: canary-body"


@attrs.define
class Parts:
    """A plugin whose provider ``own`` and whose rung do as a test says."""

    does: Callable[[], Any]
    plans: Callable[[], Any] = tuple
    id: str = "own"
    filter_keys: frozenset[Any] = frozenset()
    via: Via = Via.RENDER

    @hookimpl
    def websdk_search_providers(self, assembly: Any) -> list[Any]:
        return [self]

    @hookimpl
    def websdk_fetch_rungs(self, assembly: Any) -> list[Any]:
        return [self]

    def unsupported_filters(self, filters: Any) -> Any:
        return self.plans()

    async def search(self, request: SearchRequest, *, call: Call) -> SearchAnswer:
        answer: SearchAnswer = self.does()
        return answer

    async def read(self, url: CheckedUrl, *, call: Call) -> RawDocument:
        raw: RawDocument = self.does()
        return raw


def raising(error: Exception) -> Callable[[], Any]:
    def function() -> Any:
        raise error

    return function


def failure(work: Callable[[], Any]) -> WebSdkError:
    with pytest.raises(WebSdkError) as caught:
        work()
    for word in ("canary", "path"):
        assert word not in f"{caught.value} {caught.value!r} {vars(caught.value)}"
    return caught.value


def client(plugin: Any, **arguments: Any) -> Client:
    settings = Settings(plugins=(), search=SearchOptions(enabled=True, provider="own"), fetch=FetchOptions(render=True))
    return Client(settings, plugins=[plugin], **arguments)


@pytest.mark.parametrize(
    ("raised", "kind", "retryable"),
    [
        (KeyError(SAID), ProviderError, False),
        (ExceptionGroup(SAID, [ValueError(SAID)]), ProviderError, False),
        (PermissionError(SAID), ProviderError, False),
        (ConnectionResetError(SAID), Unavailable, True),
        (TimeoutError(SAID), Unavailable, True),
    ],
)
def test_what_a_provider_raises_is_a_failure_of_the_provider(
    raised: Exception, kind: type[WebSdkError], retryable: bool
) -> None:
    with client(Parts(raising(raised))) as tested:
        direct = failure(lambda: tested.search("canary-query"))
        in_session = failure(lambda: tested.session().search("canary-query"))

    assert (kind, kind) == (type(direct), type(in_session))
    assert f"own raised {type(raised).__name__}" == str(direct)
    assert ("own", True, retryable) == (direct.provider, direct.sent, direct.retryable)
    assert raised is direct.__cause__
    assert direct.call_id


@pytest.mark.parametrize("answer", [None, [], SearchAnswer(results=({"url": "https://a.example/"},))])
def test_what_a_provider_returns_is_an_answer_or_malformed(answer: Any) -> None:
    with client(Parts(lambda: answer)) as tested:
        error = failure(lambda: tested.search("canary-query"))

    assert isinstance(error, MalformedAnswer)


def test_a_provider_that_breaks_where_it_tells_its_plan_is_a_plugin_to_put_right() -> None:
    with client(Parts(SearchAnswer, plans=raising(KeyError(SAID)))) as tested:
        errors = [failure(lambda: tested.search("canary-query")), failure(lambda: tested.plan("canary-query"))]

    assert [PluginError, PluginError] == [type(error) for error in errors]
    assert "own raised KeyError where it says what a search comes to" == str(errors[0])
    assert isinstance(errors[0].__cause__, KeyError)


@pytest.mark.parametrize(
    ("raised", "kind", "retryable"),
    [(KeyError(SAID), FetchError, False), (ConnectionResetError(SAID), AskAgain, True)],
)
def test_what_a_rung_raises_is_a_failure_of_the_read(
    raised: Exception, kind: type[WebSdkError], retryable: bool
) -> None:
    with client(Parts(raising(raised))) as tested:
        error = failure(lambda: tested.fetch("https://93.184.216.34/path?canary", via="render"))

    assert kind is type(error)
    assert f"the rung render raised {type(raised).__name__} at 93.184.216.34" in str(error)
    assert retryable is error.retryable
    assert raised is error.__cause__
    assert error.call_id


def test_what_a_rung_returns_is_a_page_or_a_failure() -> None:
    with client(Parts(lambda: b"<p>page")) as tested:
        error = failure(lambda: tested.fetch("https://93.184.216.34/path", via="render"))

    assert "the rung render returned no RawDocument" == str(error)


class OwnTransport:
    """A transport that does as a test says with what it is given."""

    def __init__(self, does: Callable[[], Any]) -> None:
        self._does = does

    async def send(self, request: HttpRequest, **_: Any) -> Any:
        return self._does()

    async def aclose(self) -> None:
        pass


@pytest.mark.parametrize(
    ("does", "words"),
    [
        (raising(RuntimeError(SAID)), "tiny: the transport raised RuntimeError"),
        (lambda: None, "tiny: the transport returned no HttpResponse"),
    ],
)
def test_what_a_transport_does_wrong_is_an_outage_and_keeps_nothing_of_the_request(
    does: Callable[[], Any], words: str
) -> None:
    with client(TinyPlugin("https://api.example"), transport=OwnTransport(does)) as tested:
        error = failure(lambda: tested.search("canary-query", provider="tiny"))

    assert (Unavailable, words, True) == (type(error), str(error), error.sent)
    assert error.__cause__ is None
    assert isinstance(error.__context__, TransportFailure)
    assert (None, None) == (error.__context__.__cause__, error.__context__.__context__)


class BreakingAuth:
    """A scheme that fails, and says its secret."""

    def sign(self, request: HttpRequest, secret: Secret, now: datetime) -> HttpRequest:
        raise ValueError(secret.reveal())


def test_what_a_signing_scheme_raises_tells_no_secret_and_sends_nothing(rows: Loopback) -> None:
    with client(TinyPlugin(rows.origin, BreakingAuth()), credentials={"tiny": KEY}) as tested:
        error = failure(lambda: tested.search("x", provider="tiny"))

    assert (CredentialRejected, False) == (type(error), error.sent)
    assert "tiny: the signing scheme raised ValueError" == str(error)
    assert (None, None) == (error.__cause__, error.__context__)
    assert [] == rows.asked


@attrs.frozen
class BreakingCodec(TinyCodec):
    """A codec that breaks before it asks for anything."""

    def exchange(self, request: SearchRequest, **_: Any) -> Any:
        raise KeyError(SAID)
        yield


@attrs.frozen
class BreakingPlugin:
    """Brings a provider of that codec."""

    origin: str

    @hookimpl
    def websdk_search_providers(self, assembly: Any) -> list[Any]:
        return [assembly.http_provider(BreakingCodec(self.origin), connection=assembly.connection("tiny"))]


def test_a_codec_that_breaks_is_a_plugin_to_put_right_and_nothing_is_sent(rows: Loopback) -> None:
    with client(BreakingPlugin(rows.origin)) as tested:
        error = failure(lambda: tested.search("canary-query", provider="tiny"))

    assert (PluginError, False) == (type(error), error.sent)
    assert [] == rows.asked
