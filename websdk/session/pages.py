"""Pages of one call: at most three at a time, each with an outcome of its own, in the order asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import attrs

from websdk.errors import BudgetExhausted, NotAuthorized, WebSdkError
from websdk.model.document import Document, FetchRequest, Via
from websdk.model.search import ResultKind, SearchResult
from websdk.search.chain import first_answer
from websdk.search.thorough import outcomes_of
from websdk.session.backend import Allowance, Backend
from websdk.session.contact import Contacts, Got, freshness
from websdk.session.joined import with_speaker
from websdk.session.searching import Judge, judged

AT_ONCE = 3  # enough that one slow page does not hold up a batch, few enough that no origin sees a crawler


def may_try_another_reader(error: WebSdkError) -> bool:
    """Tell whether the next reader of a chain may be asked after *error*: only where the same read may work later."""
    return error.retryable and not isinstance(error, (NotAuthorized, BudgetExhausted))


@attrs.frozen(kw_only=True)
class PageOutcome:
    """What became of one page.

    Attributes:
        url: Its address as it was asked for.
        document: The page; ``None`` where it did not come or was suppressed.
        error: Why it did not come.
    """

    url: str
    document: Document | None = None
    error: WebSdkError | None = None


class PageReader:
    """Reads the pages of one session's calls.

    Args:
        backend: Who is there.
        contacts: Makes the contacts.
        timeout_s: Seconds that the shared part of one contact may take.
        max_characters: Length that is asked of a page; ``None`` where the reader's setting holds.
        judge: The embedder's own look at pages.
    """

    def __init__(
        self,
        backend: Backend,
        contacts: Contacts,
        *,
        timeout_s: float,
        max_characters: int | None,
        judge: Judge | None,
    ) -> None:
        self._backend = backend
        self._contacts = contacts
        self._timeout_s = timeout_s
        self._max_characters = max_characters
        self._judge = judge

    def readers(self, via: Via) -> tuple[str, ...]:
        """Return the readers that a read over *via* can hand a page to."""
        return tuple(self._backend.readers()) if via is Via.PROXY else ()

    def reached(self, via: Via) -> tuple[str, ...]:
        """Return every way by which a read over *via* contacts somebody."""
        return tuple(map(str, self._backend.reached(via)))

    async def read(
        self, urls: Sequence[str], *, via: Via, remaining_s: Callable[[], float], allowance: Allowance | None
    ) -> tuple[PageOutcome, ...]:
        """Read *urls* over *via*, and return what became of each.

        A call in which a page failed is kept for reuse in no part.

        Raises:
            SearchFailed: The embedder's judge broke; nothing is stored.
        """
        outcomes = await outcomes_of(
            [lambda url=url: self._one(url, via, remaining_s) for url in urls],  # type: ignore[misc]
            at_most=AT_ONCE,
        )
        got = [outcome for outcome in outcomes if not isinstance(outcome, WebSdkError)]
        if len(got) == len(outcomes):
            for one in got:
                if one.keep is not None:
                    await one.keep()
        pages = [_page(url, outcome) for url, outcome in zip(urls, outcomes, strict=True)]
        return await self._admitted(pages, allowance)

    async def _one(self, url: str, via: Via, remaining_s: Callable[[], float]) -> Got[Document]:
        def request_to(reader: str | None) -> FetchRequest:
            return FetchRequest(url=url, via=via, provider=reader, max_characters=self._max_characters)

        async def permit(reader: str | None) -> None:
            await self._contacts.permit(self._backend.fetch_intent(request_to(reader)))

        async def ask(reader: str | None) -> Got[Document]:
            return await self._contacts.page(request_to(reader), timeout_s=self._timeout_s)

        readers: tuple[str | None, ...] = self.readers(via) or (None,)
        answer = await first_answer(
            readers, ask, remaining_s=remaining_s, permit=permit, goes_on=may_try_another_reader
        )
        return answer.value

    async def _admitted(self, pages: Sequence[PageOutcome], allowance: Allowance | None) -> tuple[PageOutcome, ...]:
        """Take out what the judge suppresses and what the budget has no place for."""
        asked = {page.url: as_result(page.document) for page in pages if page.document}
        kept = await judged(self._judge, list(asked.values()))
        places = await allowance.claim([result.url for result in kept]) if allowance is not None and kept else ()
        full = [result for result, place in zip(kept, places, strict=bool(places)) if not place]

        def admitted(page: PageOutcome) -> PageOutcome:
            if page.document is None:
                return page
            if asked[page.url] in full:
                error = BudgetExhausted("the budget has no place for more sources", limit="sources", sent=True)
                return attrs.evolve(page, document=None, error=error)
            return page if asked[page.url] in kept else attrs.evolve(page, document=None)

        return tuple(admitted(page) for page in pages)


def as_result(document: Document) -> SearchResult:
    """Return *document* as a result, which is how a judge sees it."""
    return SearchResult(
        url=document.served_url or document.url,
        title=document.title,
        content=document.markdown,
        published=document.published,
        kind=ResultKind.PAGE,
        sources=(document.reader or str(document.via or Via.LOCAL),),
    )


def _page(url: str, outcome: Got[Document] | WebSdkError) -> PageOutcome:
    if isinstance(outcome, WebSdkError):
        return PageOutcome(url=url, error=outcome)
    document = outcome.value
    speaker = document.reader or str(document.via or Via.LOCAL)
    notices = with_speaker(document.notices, document.said_by_vendor, speaker)
    document = attrs.evolve(document, notices=notices, said_by_vendor=())
    if outcome.age_s is not None:
        document = attrs.evolve(document, notices=(*document.notices, freshness(outcome.age_s)))
    return PageOutcome(url=url, document=document)
