"""The contract of a preset: every declared key and value, varied and held against wire and answer. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from websdk.declarative import Preset, PresetCodec, PresetReader, load_preset
from websdk.errors import PresetError, WebSdkError
from websdk.testing import answer_rules, claims, examples, reader_rules, search_rules, secrecy
from websdk.testing.desk import NOW
from websdk.testing.example_file import Example
from websdk.testing.examples import ExampleDesk
from websdk.testing.lines import key_lines, line_of
from websdk.testing.reader_rules import ReaderDesk
from websdk.testing.report import RULES, ContractReport, Finding, Problem
from websdk.testing.search_rules import PresetDesk

Findings = Iterator[Finding]
# What a request that contradicts itself raises while it is written.
_UNWRITABLE = (AttributeError, IndexError, KeyError, TypeError, ValueError, WebSdkError)


def check_text(text: str, *, name: str, examples: Iterable[Example] = ()) -> ContractReport:
    """Load a preset and check it; a file that does not load is a report as well.

    Args:
        text: The TOML text.
        name: Id of the preset: the name of its file without the ending.
        examples: Recorded answers of the vendor.
    """
    try:
        preset = load_preset(text, name=name)
    except PresetError as error:
        lines = key_lines(text)
        problems = []
        for line in error.problems:
            path, _, message = line.partition(": ")
            problems.append(Problem(rule="loads", path=path, line=line_of(lines, path), message=message))
        return ContractReport(preset=name, problems=tuple(problems), checked={"loads": 1})
    return check_preset(preset, text=text, examples=examples)


def check_preset(
    preset: Preset,
    *,
    text: str | None = None,
    examples: Iterable[Example] = (),
    codec: PresetCodec | None = None,
    reader: PresetReader | None = None,
) -> ContractReport:
    """Check a preset against every rule of the contract.

    Args:
        preset: The preset.
        text: Its file, for the lines of problems.
        examples: Recorded answers of the vendor.
        codec: Stands in for the codec of the preset's search half.
        reader: Stands in for the codec of its reading half.

    Returns:
        Everything that is wrong, each problem once, in the order of the rules.
    """
    recorded = tuple(examples)
    lines = key_lines(text) if text is not None else {}
    found: dict[str, list[Finding]] = {"loads": []}
    checked: dict[str, int] = {"loads": 1}
    _run(found, checked, "settings-used", lambda: search_rules.unused_settings(preset), None)
    _run(found, checked, "key-hidden", lambda: search_rules.keys_in_file(preset), None)
    if preset.search is not None:
        desk = PresetDesk.of(preset, codec)
        if _goes_out(found, checked, desk, "search.fixed"):
            for name, rule in _search_checks(desk):
                _run(found, checked, name, rule, desk)
    if preset.fetch is not None:
        shelf = ReaderDesk.of(preset, reader)
        if _goes_out(found, checked, shelf, "fetch.fixed"):
            for name, rule in _reader_checks(shelf):
                _run(found, checked, name, rule, shelf)
    if recorded:
        answers = ExampleDesk(preset=preset, examples=recorded)
        for name, rule in _example_checks(answers):
            _run(found, checked, name, rule, answers)
    problems = [
        Problem(rule=rule.name, path=item.path, line=line_of(lines, item.path), message=item.message)
        for rule in RULES
        for item in dict.fromkeys(found.get(rule.name, ()))
    ]
    counted = {rule.name: checked[rule.name] for rule in RULES if checked.get(rule.name)}
    return ContractReport(preset=preset.vendor.id, problems=tuple(problems), checked=counted, examples=len(recorded))


def _goes_out(found: dict[str, list[Finding]], checked: dict[str, int], desk: Any, path: str) -> bool:
    """Tell whether a plain request can be made; nothing else is worth looking at where it cannot."""
    checked["request-goes-out"] = checked.get("request-goes-out", 0) + 1
    try:
        desk.request()
    except _UNWRITABLE as error:
        what = str(error) if isinstance(error, WebSdkError) else "two places contradict each other"
        found.setdefault("request-goes-out", []).append(Finding(path=path, message=f"no request can be made: {what}"))
        return False
    return True


def _run(
    found: dict[str, list[Finding]], checked: dict[str, int], name: str, rule: Callable[[], Findings], desk: Any
) -> None:
    before = desk.looked if desk is not None else 0
    found.setdefault(name, []).extend(rule())
    looked = desk.looked - before if desk is not None else 1
    checked[name] = checked.get(name, 0) + looked


def _search_checks(desk: PresetDesk) -> Iterator[tuple[str, Callable[[], Findings]]]:
    codec, rules = desk.codec, desk.search.errors
    assert isinstance(codec, PresetCodec)

    def classify(reply: Any) -> Any:
        desk.looked += 1
        return codec.classify(reply, now=NOW)

    yield "settings-used", lambda: search_rules.settings_used(desk)
    yield "query-arrives", lambda: search_rules.query_arrives(desk)
    yield "query-limit", lambda: search_rules.query_limit(desk)
    yield "count-arrives", lambda: search_rules.count_arrives(desk)
    yield "page-unit", lambda: search_rules.page_unit(desk)
    yield "every-filter-accounted", lambda: claims.every_filter_accounted(desk)
    yield "undeclared-is-reported", lambda: claims.undeclared_is_reported(desk)
    yield "word-reachable", lambda: search_rules.word_reachable(desk)
    yield "values-differ", lambda: claims.values_differ(desk)
    yield "nothing-else-changes", lambda: search_rules.nothing_else_changes(desk)
    yield "outside-vocabulary", lambda: search_rules.outside_vocabulary(desk)
    yield "windows-render", lambda: claims.windows_render(desk)
    yield "dates-both-ends", lambda: claims.dates_both_ends(desk)
    yield "list-is-whole", lambda: search_rules.list_is_whole(desk)
    yield "list-too-long", lambda: search_rules.list_too_long(desk)
    yield "filters-together", lambda: search_rules.filters_together(desk)
    yield "unless-honoured", lambda: search_rules.unless_honoured(desk)
    yield "key-place", lambda: secrecy.key_place(desk.preset, codec, desk.request())
    yield "key-hidden", lambda: secrecy.key_hidden(desk.preset, codec, desk.request())
    yield "results-read", lambda: answer_rules.results_read(desk)
    yield "odd-fields", lambda: answer_rules.odd_fields(desk)
    yield "text-is-text", lambda: answer_rules.text_is_text(desk)
    yield "empty-is-empty", lambda: answer_rules.empty_is_empty(desk)
    yield "failures-are-failures", lambda: answer_rules.failures_are_failures(rules, classify, half="search")
    yield "failures-are-failures", lambda: answer_rules.wait_is_read(classify, half="search")
    yield "error-rules-fit", lambda: answer_rules.error_rules_fit(rules, classify, half="search")
    yield "error-in-success", lambda: answer_rules.error_in_success(desk)
    yield "reply-read", lambda: answer_rules.reply_read(desk)


def _reader_checks(desk: ReaderDesk) -> Iterator[tuple[str, Callable[[], Findings]]]:
    rules = desk.fetch.errors

    def classify(reply: Any) -> Any:
        desk.looked += 1
        return desk.classify(reply)

    yield "key-place", lambda: secrecy.key_place(desk.preset, desk.reader, desk.request())
    yield "key-hidden", lambda: secrecy.key_hidden(desk.preset, desk.reader, desk.request())
    yield "failures-are-failures", lambda: answer_rules.failures_are_failures(rules, classify, half="fetch")
    yield "error-rules-fit", lambda: answer_rules.error_rules_fit(rules, classify, half="fetch")
    yield "page-arrives", lambda: reader_rules.page_arrives(desk)
    yield "evidence-alone", lambda: reader_rules.evidence_alone(desk)
    yield "page-read", lambda: reader_rules.page_read(desk)
    yield "page-identity", lambda: reader_rules.page_identity(desk)
    yield "page-failures", lambda: reader_rules.page_failures(desk)


def _example_checks(desk: ExampleDesk) -> Iterator[tuple[str, Callable[[], Findings]]]:
    yield "example-expected", lambda: examples.example_expected(desk)
    yield "example-wire", lambda: examples.example_wire(desk)
    yield "example-fields", lambda: examples.example_fields(desk)
    yield "example-markup", lambda: examples.example_markup(desk)
