"""The tables that say what comes back: results, pages, failures, and what replies mean."""

from __future__ import annotations

from typing import Any

import attrs

from websdk.declarative.checks import KeyProblem
from websdk.declarative.words import (
    NO_SCALARS,
    NO_STATUSES,
    NO_TEXTS,
    Addresses,
    AnswerPath,
    AnswerPaths,
    Meaning,
    Scalars,
    Statuses,
    Texts,
    UrlPath,
)


@attrs.frozen(kw_only=True)
class Topic:
    """A vertical that is asked elsewhere or answered elsewhere.

    Attributes:
        path: The path of its request.
        at: The paths of its lists of results.
    """

    path: UrlPath | None = None
    at: AnswerPaths | None = None


@attrs.frozen(kw_only=True)
class ResultRules:
    """Where results stand in an answer.

    Attributes:
        at: The list or lists of results, put together in this order.
        where: What a row must hold to be a result, by path.
        optional: Whether the list is left out when nothing was found.
        title: The title.
        url: The address, or a pattern that builds it.
        key: What fills ``{key}`` in the pattern of an address.
        snippet: The passage that is shown.
        content: A longer passage.
        published: The day or moment of publication.
        score: The vendor's figure; ``-path`` where a lower one is better.
        html: Which of title, snippet and content are HTML.
    """

    at: AnswerPaths
    where: dict[str, Any] = attrs.field(factory=dict)
    optional: bool = False
    title: AnswerPaths | None = None
    url: Addresses
    key: AnswerPath | None = None
    snippet: AnswerPaths | None = None
    content: AnswerPaths | None = None
    published: AnswerPaths | None = None
    score: AnswerPath | None = None
    html: Texts = NO_TEXTS

    def __attrs_post_init__(self) -> None:
        if not set(self.html) <= {"title", "snippet", "content"}:
            raise KeyProblem("html", "names other fields than title, snippet, content")
        if self.key is None and any("{key}" in address for address in self.url):
            raise KeyProblem("key", "is missing: `url` has {key}")


@attrs.frozen(kw_only=True)
class ReplyRules:
    """What else stands in an answer.

    Attributes:
        answer: Text that the vendor wrote about the results.
        usage: What the call cost: the unit and its path.
        left: What is left of the quota.
        notices: What the vendor says about the request.
        incomplete: Filled or true when some of the vendor's own sources failed.
        more: Filled or true when there is a next page.
        wait: How long to wait: seconds, milliseconds (a name ending in ``-ms``), a date, or a list by window; in a
            good answer a path of the body orders a pause.
    """

    answer: AnswerPaths | None = None
    usage: dict[str, AnswerPath] = attrs.field(factory=dict)
    left: AnswerPath | None = None
    notices: AnswerPaths | None = None
    incomplete: AnswerPaths | None = None
    more: AnswerPath | None = None
    wait: AnswerPaths | None = None


@attrs.frozen(kw_only=True)
class ErrorRule:
    """What one kind of reply means; the first rule that fits counts.

    Attributes:
        status: The HTTP statuses that it is about; any without it.
        at: A path of the answer that must hold something.
        equals: What must stand there.
        begins: How the text there must begin.
        means: The meaning.
    """

    status: Statuses = NO_STATUSES
    at: AnswerPath | None = None
    equals: Scalars = NO_SCALARS
    begins: Texts = NO_TEXTS
    means: Meaning

    def __attrs_post_init__(self) -> None:
        if not self.status and self.at is None:
            raise KeyProblem("status", "is missing, and so is `at`")
        if (self.equals or self.begins) and self.at is None:
            raise KeyProblem("at", "is missing: `equals` and `begins` look there")


@attrs.frozen(kw_only=True)
class PageRules:
    """Where a page stands in a reader's answer.

    Attributes:
        at: The list of pages, or the one page; the whole answer without it.
        url: The address that was asked for, by which a page is found in a list.
        served_url: The address that served the page.
        status: The status that the page's own origin gave.
        html: The page's HTML; ``body`` for the whole reply.
        markdown: Markdown that the vendor wrote.
        title: The title.
        published: The day or moment of publication.
    """

    at: AnswerPath | None = None
    url: AnswerPaths | None = None
    served_url: AnswerPaths | None = None
    status: AnswerPath | None = None
    html: AnswerPaths | None = None
    markdown: AnswerPaths | None = None
    title: AnswerPaths | None = None
    published: AnswerPaths | None = None

    def __attrs_post_init__(self) -> None:
        if self.html is None and self.markdown is None:
            raise KeyProblem("html", "is missing, and so is `markdown`")


@attrs.frozen(kw_only=True)
class FailureRules:
    """Where a reader names pages that it did not get, inside a good answer.

    Attributes:
        at: The list of failures.
        where: What an entry must hold to be a failure, by path.
        url: The address that an entry is about.
        status: The status that the page's own origin gave.
        key: The vendor's word for the failure.
        values: What such a word means; anything else is ``unreadable``.
    """

    at: AnswerPath
    where: dict[str, Any] = attrs.field(factory=dict)
    url: AnswerPaths | None = None
    status: AnswerPath | None = None
    key: AnswerPath | None = None
    values: dict[str, Meaning] = attrs.field(factory=dict)


@attrs.frozen(kw_only=True)
class ReaderReplyRules:
    """What else stands in a reader's answer.

    Attributes:
        notices: What the vendor says about the page.
        wait: How long to wait, as for a search.
    """

    notices: AnswerPaths | None = None
    wait: AnswerPaths | None = None
