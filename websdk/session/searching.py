"""One search of a session: who is asked, in what order, and what their answers come to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import attrs

from websdk.errors import InvalidRequest, NotAuthorized, SearchFailed, WebSdkError
from websdk.model.effort import Effort, Family
from websdk.model.search import ResultKind, SearchRequest, SearchResponse, SearchResult
from websdk.protocols.permission import invoke
from websdk.search.chain import Failed, first_answer, within
from websdk.search.merge import merge
from websdk.search.thorough import IN_ALL, choose, outcomes_of
from websdk.session.backend import Allowance, Backend, Source, Spend
from websdk.session.contact import Contacts, Got, freshness
from websdk.session.joined import failed_attempts, join_responses, with_attempts

Judge = Callable[[tuple[SearchResult, ...]], Iterable[SearchResult]]
"""Sees results first and returns those to keep; plain or async."""


@attrs.frozen(kw_only=True)
class Gathered:
    """What a search came to, before it is stored.

    Attributes:
        response: The answer; its results are all that were admitted, in stored order.
        families: Whether more than one provider answered, so that each result says whom it is from.
    """

    response: SearchResponse
    several: bool = False


class Searcher:
    """Runs the searches of one session.

    Args:
        backend: Who is there.
        contacts: Makes the contacts.
        timeout_s: Seconds that the shared part of one contact may take.
        judge: The embedder's own look at results, before anything else is done with them.
    """

    def __init__(self, backend: Backend, contacts: Contacts, *, timeout_s: float, judge: Judge | None) -> None:
        self._backend = backend
        self._contacts = contacts
        self._timeout_s = timeout_s
        self._judge = judge

    def candidates(self, effort: Effort, family: Family) -> tuple[Source, ...]:
        """Return everyone whom such a search can contact, in order.

        Raises:
            InvalidRequest: There is nobody of that family.
        """
        sources = tuple(self._backend.sources())
        if effort is Effort.THOROUGH:
            found = choose(sources, family)
        else:
            found = tuple(source for member in family.members for source in sources if source.family is member)
        if not found:
            raise InvalidRequest(f"this session has no sources of the family {family}")
        return found

    async def search(
        self,
        request: SearchRequest,
        *,
        effort: Effort,
        family: Family,
        remaining_s: Callable[[], float],
        allowance: Allowance | None,
    ) -> Gathered:
        """Search, judge, merge and claim; nothing is stored.

        Raises:
            WebSdkError: Nobody answered.
        """
        sources = self.candidates(effort, family)
        if effort is Effort.THOROUGH:
            got, failures = await self._at_once(sources, request, remaining_s, allowance)
        else:
            got, failures = await self._in_turn(sources, family, request, remaining_s, allowance)
        notices = [freshness(one.age_s) for one in got if one.age_s is not None]
        notices += [_failure_notice(source, error) for source, error in failures]
        responses = [one.value for one in got]
        results, suppressed = await self._judged([result for response in responses for result in response.results])
        merged, unclaimed = await _claimed(merge(results), allowance)
        if suppressed:
            notices.append(f"{_results(suppressed)} left out by this application.")
        if unclaimed:
            notices.append(f"{_results(unclaimed)} left out because the budget has no place for more sources.")
        vain = [(source.id, self._host(source, request), error) for source, error in failures]
        response = with_attempts(join_responses(responses, merged), failed_attempts(vain))
        budget = allowance.snapshot() if allowance else None
        return Gathered(
            response=attrs.evolve(response, notices=(*notices, *response.notices), budget=budget),
            several=len(responses) > 1,
        )

    async def _in_turn(
        self,
        sources: Sequence[Source],
        family: Family,
        request: SearchRequest,
        remaining_s: Callable[[], float],
        allowance: Allowance | None,
    ) -> tuple[list[Got[SearchResponse]], list[tuple[Source, WebSdkError]]]:
        """Ask one provider of each family, the next of it only after a failure that may pass."""

        async def permit(source: Source) -> None:
            await self._contacts.permit(self._backend.search_intent(source.id, request))

        async def ask(source: Source) -> Got[SearchResponse]:
            return await self._contact(source, request, allowance)

        got: list[Got[SearchResponse]] = []
        failures: list[tuple[Source, WebSdkError]] = []
        chains = [[source for source in sources if source.family is member] for member in family.members]
        chains = [chain for chain in chains if chain]
        for left, chain in zip(range(len(chains), 0, -1), chains, strict=True):

            def share(left: int = left) -> float:
                return remaining_s() / left

            failed: list[Failed[Source]] = []
            try:
                answer = await first_answer(chain, ask, remaining_s=share, permit=permit, failures=failed)
            except NotAuthorized:
                raise
            except WebSdkError:
                if left == 1 and not got:
                    raise
            else:
                got.append(answer.value)
            failures += [(one.source, one.error) for one in failed]
        return got, failures

    async def _at_once(
        self,
        sources: Sequence[Source],
        request: SearchRequest,
        remaining_s: Callable[[], float],
        allowance: Allowance | None,
    ) -> tuple[list[Got[SearchResponse]], list[tuple[Source, WebSdkError]]]:
        """Ask everyone at the same time; a refusal for one ends the call before anything is sent."""
        for source in sources:
            await self._contacts.permit(self._backend.search_intent(source.id, request))

        async def ask(source: Source) -> Got[SearchResponse]:
            return await self._contact(source, request, allowance)

        outcomes = await outcomes_of(
            [lambda source=source: within(remaining_s(), ask, source) for source in sources],  # type: ignore[misc]
            at_most=IN_ALL,
        )
        failures = [
            (source, outcome)
            for source, outcome in zip(sources, outcomes, strict=True)
            if isinstance(outcome, WebSdkError)
        ]
        got = [outcome for outcome in outcomes if not isinstance(outcome, WebSdkError)]
        if not got:
            raise failures[0][1]
        return got, failures

    def _host(self, source: Source, request: SearchRequest) -> str:
        origin = self._backend.search_intent(source.id, request).origin
        return (origin or "").partition("://")[2]

    async def _contact(
        self, source: Source, request: SearchRequest, allowance: Allowance | None
    ) -> Got[SearchResponse]:
        spend: Spend | None = None
        if allowance is not None:
            paying = allowance

            async def debit() -> None:
                await paying.spend_call(source.id)

            spend = debit
        got = await self._contacts.search(source, request, timeout_s=self._timeout_s, spend=spend)
        return attrs.evolve(got, value=_of_family(got.value, source.family))

    async def _judged(self, results: Sequence[SearchResult]) -> tuple[tuple[SearchResult, ...], int]:
        kept = await judged(self._judge, results)
        return kept, len(results) - len(kept)


async def judged(judge: Judge | None, results: Sequence[SearchResult]) -> tuple[SearchResult, ...]:
    """Return the results that the embedder's judge keeps, in their own order.

    Raises:
        SearchFailed: The judge raised, or returned something it was not given; nothing is stored.
    """
    if judge is None or not results:
        return tuple(results)
    try:
        kept = list(await invoke(judge, tuple(results)))
    except Exception as exc:  # the embedder's own function: whatever it raises fails the call
        raise SearchFailed(f"the judge of this application raised {type(exc).__name__}", reason="judge") from None
    if any(result not in results for result in kept):
        raise SearchFailed("the judge of this application returned a result that it was not given", reason="judge")
    return tuple(result for result in results if result in kept)


async def _claimed(
    results: tuple[SearchResult, ...], allowance: Allowance | None
) -> tuple[tuple[SearchResult, ...], int]:
    if allowance is None or not results:
        return results, 0
    admitted = await allowance.claim([result.url for result in results])
    kept = tuple(result for result, place in zip(results, admitted, strict=True) if place)
    return kept, len(results) - len(kept)


def _of_family(response: SearchResponse, family: Family) -> SearchResponse:
    """Return *response* with results of the kind that its source declares: a provider of another make may not say."""
    if family is not Family.CODE:
        return response
    return attrs.evolve(
        response,
        results=tuple(
            attrs.evolve(result, kind=ResultKind.CODE) if result.kind is ResultKind.SEARCH else result
            for result in response.results
        ),
    )


def _results(count: int) -> str:
    return "1 result was" if count == 1 else f"{count} results were"


def _failure_notice(source: Source, error: WebSdkError) -> str:
    return f"{source.id} gave no answer: {type(error).__name__}."
