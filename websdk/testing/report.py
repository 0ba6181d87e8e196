"""What a contract found: problems by rule, and how much was looked at."""

from __future__ import annotations

from collections.abc import Mapping

import attrs


@attrs.frozen(kw_only=True)
class Rule:
    """One rule of the contract of presets.

    Attributes:
        name: Its name in reports.
        about: What holds where the rule is kept, in one sentence.
        remedy: What the author of a preset does about a problem.
    """

    name: str
    about: str
    remedy: str


@attrs.frozen(kw_only=True)
class Finding:
    """Where a rule is broken, before the line is known.

    Attributes:
        path: The key of the preset, or the name of the example.
        message: What was seen, in one sentence.
    """

    path: str
    message: str


@attrs.frozen(kw_only=True)
class Problem:
    """One broken rule.

    Attributes:
        rule: Name of the rule.
        path: The key of the preset that breaks it, such as ``search.filters.country``; the name of an example.
        line: Line of that key in the file, from 1; ``None`` where no text was given.
        message: What was seen, in one sentence.
    """

    rule: str
    path: str
    line: int | None
    message: str


@attrs.frozen(kw_only=True)
class ContractReport:
    """What was found in one preset.

    Attributes:
        preset: Id of the preset.
        problems: Everything that is wrong, in the order of the rules.
        checked: For each rule that had something to look at, how many requests and replies it looked at.
        examples: How many recorded answers were read.
    """

    preset: str
    problems: tuple[Problem, ...]
    checked: Mapping[str, int]
    examples: int = 0

    @property
    def ok(self) -> bool:
        """Whether every rule is kept."""
        return not self.problems

    def __str__(self) -> str:
        lines = [f"{self.preset}: {len(self.problems) or 'no'} problem{'' if len(self.problems) == 1 else 's'}"]
        for problem in self.problems:
            where = problem.path if problem.line is None else f"line {problem.line}, {problem.path}"
            lines.append(f"  {where}: {problem.message} [{problem.rule}]")
        return "\n".join(lines)


def _rule(name: str, about: str, remedy: str) -> Rule:
    return Rule(name=name, about=about, remedy=remedy)


RULES: tuple[Rule, ...] = (
    _rule(
        "loads",
        "The file is a preset: known keys, each with a value of its kind.",
        "Correct the key; `websdk preset schema` and the reference of presets say what it may be.",
    ),
    _rule(
        "request-goes-out",
        "A plain search, or the read of a page, makes a request.",
        "Write the body either as a table or as a list: two places contradict each other.",
    ),
    _rule(
        "settings-used",
        "Every setting that an operator gives goes somewhere.",
        "Name a place in `at`, use the setting's hole, or drop the setting.",
    ),
    _rule(
        "query-arrives",
        "The query stands whole at each of its places, and two queries differ there and nowhere else.",
        "Give the query a place that nothing else writes to.",
    ),
    _rule(
        "query-limit",
        "A query of exactly `max` code points goes out whole, and one more is refused before anything is sent.",
        "State the vendor's limit in `search.query.max`, in code points.",
    ),
    _rule(
        "count-arrives",
        "Two counts differ at `count.at` alone, stay within `min`, `max` and `step`, and a changed count is stated.",
        "Correct `search.count`: its place must be its own, and its bounds must fit each other.",
    ),
    _rule(
        "page-unit",
        "A later page changes `page.at` alone, counts in the unit of `style`, and ends at `last`.",
        "Correct `search.page`: its place must be its own, and `last` is in the unit of `style`.",
    ),
    _rule(
        "every-filter-accounted",
        "Each asked filter has exactly one outcome, and one that is not applied in full has a reason.",
        "Nothing in a preset can cause this; report it.",
    ),
    _rule(
        "undeclared-is-reported",
        "A filter that the preset does not declare is reported and changes nothing on the wire.",
        "Nothing in a preset can cause this; report it.",
    ),
    _rule(
        "word-reachable",
        "Every word of a table can be asked for and goes out.",
        "Write codes as callers do: DE, GB, pt-BR, day, strict; each once, whatever its letter case.",
    ),
    _rule(
        "values-differ",
        "Two values of a declared filter make two requests.",
        "Give each value a word of its own; leave out those that the vendor cannot tell apart.",
    ),
    _rule(
        "nothing-else-changes",
        "A filter changes the request at its own place and nowhere else.",
        "Give the filter a place that nothing else writes to; a table cannot stand where `fixed` puts a text.",
    ),
    _rule(
        "outside-vocabulary",
        "A value outside a table is reported and not sent.",
        "Nothing in a preset can cause this; report it.",
    ),
    _rule(
        "windows-render",
        "Each window of time goes out as a word or as a first day, or is reported.",
        "Give each window its word, or declare `search.filters.dates`.",
    ),
    _rule(
        "dates-both-ends",
        "The first and the last day each change the request, or are reported.",
        "Write both {start} and {end} into `range`, or leave out the end that the vendor does not take.",
    ),
    _rule(
        "list-is-whole",
        "Each host of a list that is sent can be told apart on the wire, and a list that is not sent is reported.",
        "Let the place end in `[]`, or give `join` or a pattern; without these the place takes one host.",
    ),
    _rule(
        "list-too-long",
        "A list of exactly `max` goes out whole; one more is left out and reported.",
        "State the vendor's limit in `max`.",
    ),
    _rule(
        "filters-together",
        "Filters that are asked for together do not overwrite each other; one that is reported sends nothing.",
        "Give each filter its own place, or name in `exclusive` or `unless` what the vendor does not take together.",
    ),
    _rule(
        "unless-honoured",
        "Beside a value named in `unless` the filter is reported and not sent, and without it it goes out.",
        "Name values of `unless` that can be asked for.",
    ),
    _rule(
        "key-place",
        "The key goes to `auth.at` and changes nothing else.",
        "Give the key a place that neither `fixed` nor the query uses.",
    ),
    _rule(
        "key-hidden",
        "The key is in no address (unless declared there), message, log line or representation.",
        "Take the key out of the file; operators give it through settings or the environment.",
    ),
    _rule(
        "results-read",
        "An answer in the declared shape is read row by row, in its order, with every declared field.",
        "Let no error rule match good answers, and no two fields claim what the other needs.",
    ),
    _rule(
        "odd-fields",
        "Null, missing, additional and odd fields lose no row that has an address.",
        "Let no rule depend on a field that the vendor may leave out.",
    ),
    _rule(
        "text-is-text",
        "Text is handed on as it is; a field declared as HTML loses its tags and is decoded once.",
        "Name in `html` the fields that hold HTML, and only those that are declared.",
    ),
    _rule(
        "empty-is-empty",
        "An empty list is a good, empty answer; a list that is absent is not, unless `optional` says so.",
        "Let no error rule match an answer without results.",
    ),
    _rule(
        "failures-are-failures",
        "401, 403, 429, 500 and 503 are never taken for an answer.",
        "Bind a rule that means `ok` or `empty` to what the vendor really sends with it.",
    ),
    _rule(
        "error-rules-fit",
        "Each error rule is reached by a reply made for it, and gives its meaning.",
        "Put the narrow rule before the wide one, and drop a rule that never counts.",
    ),
    _rule(
        "error-in-success",
        "An error inside a good status is a failure, and its text is in no message.",
        "Make `optional` false, or name the vendor's error in `errors`.",
    ),
    _rule(
        "reply-read",
        "What `reply` declares is read: answer, cost, notices, next page, and sources that failed.",
        "Let each path stand beside the results and not inside another one.",
    ),
    _rule(
        "page-arrives",
        "The address of the page goes to `fetch.url` alone.",
        "Give the address a place that nothing else writes to.",
    ),
    _rule(
        "evidence-alone",
        "A read for evidence differs from another at each place of `fetch.evidence`, and nowhere else.",
        "Write there only what differs from `fixed`, and neither at the place of the address nor of the key.",
    ),
    _rule(
        "page-read",
        "A page in the declared shape is read, and one without text is reported as empty.",
        "Let no rule match good answers.",
    ),
    _rule(
        "page-identity",
        "A reply about another page is refused, where the vendor names pages.",
        "Name in `fetch.page.url` the address that was asked for.",
    ),
    _rule(
        "page-failures",
        "A failure that the vendor names is told for its own page alone.",
        "Name in `fetch.failures.url` the address that an entry is about.",
    ),
    _rule(
        "example-expected",
        "Each recorded answer is read as it says.",
        "Correct the path, or the expectation in the example.",
    ),
    _rule(
        "example-wire",
        "The request of each example goes out as it says.",
        "Correct the place or the unit, or the expectation in the example.",
    ),
    _rule(
        "example-fields",
        "Null, missing and additional fields never lose a recorded answer.",
        "Let no rule depend on a field that the vendor may leave out.",
    ),
    _rule(
        "example-markup",
        "No text of a recorded answer still holds markup.",
        "Name the field in `html`.",
    ),
)
"""Every rule, in the order in which they are looked at."""
