"""The host: one plugin manager of one client, and what its plugins offer."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import attrs
import pluggy

from websdk import hookspecs
from websdk.errors import ConfigurationError, PluginError, WebSdkError
from websdk.plugins.members import Member, PluginFailure, PluginInfo, Selected, SourceKind, gather, suggestion
from websdk.plugins.offers import READERS, Offer, OfferKind, Pairs

if TYPE_CHECKING:
    from websdk.declarative import Preset
    from websdk.events import Event
    from websdk.hookspecs import PresetSource
    from websdk.model.connection import Connection
    from websdk.model.document import Via
    from websdk.protocols.assembly import Assembly
    from websdk.protocols.fetch import Extractor, FetchRung
    from websdk.protocols.search import AuthScheme, CredentialSource, WebSearchProvider
    from websdk.protocols.transport import Transport

EVENT_HOOK = "websdk_event"
PER_CLIENT = (OfferKind.SEARCH_PROVIDER, OfferKind.FETCH_RUNG)  # asked for anew whenever a client is put together
_log = logging.getLogger("websdk.plugins")


@attrs.frozen(kw_only=True, eq=False)
class _Hook:
    """One implementation of a hook."""

    member: Member
    function: Callable[..., Any]
    argnames: tuple[str, ...]

    def __call__(self, **given: Any) -> Any:
        return self.function(*(given[name] for name in self.argnames))


@attrs.frozen(kw_only=True, eq=False)
class _Offered:
    member: Member
    value: Any


_Found = dict[str, _Offered]


class PluginHost:
    """Puts the plugins of one client together and hands out what they offer.

    Plugins are registered in this order: bundled, data packages, preset folders, installed plugins, arguments. What
    they offer is asked for when it is first needed, and each id is offered once or the host says who clashes.

    Args:
        selected: ``auto`` for every installed plugin and data package, or the names of those to take. An empty list
            takes none and does not look.
        blocked: Names that are left out, however they come in; ``bundled`` is one of them.
        on_error: ``raise`` ends at the first plugin that fails; ``report`` leaves it out, keeps it in
            :attr:`failures`, and lets the others work.
        preset_folders: Folders with preset files.
        explicit: Modules or objects with hooks, given in code.

    Raises:
        PluginError: A plugin cannot be used, and ``on_error`` is ``raise``.
    """

    def __init__(
        self,
        *,
        selected: Selected = "auto",
        blocked: Sequence[str] = (),
        on_error: Literal["raise", "report"] = "raise",
        preset_folders: Sequence[Path] = (),
        explicit: Sequence[object] = (),
    ) -> None:
        self._raises = on_error == "raise"
        self._blocked = tuple(dict.fromkeys(blocked))
        self._failures: list[PluginFailure] = []
        self._found: dict[OfferKind, _Found] = {}
        self._presets: dict[str, Preset] = {}
        self._manager = pluggy.PluginManager(hookspecs.PROJECT)
        self._manager.add_hookspecs(hookspecs)
        self._known = frozenset(name for name in vars(hookspecs) if name.startswith("websdk_"))
        self._members = gather(selected=selected, folders=preset_folders, explicit=explicit)
        self._by_label: dict[str, Member] = {}
        for member in self._members:
            self._take(member)
        self._manager.check_pending()
        self._observers = self._hooks(EVENT_HOOK)

    # -- putting together

    def _take(self, member: Member) -> None:
        earlier = self._by_label.setdefault(member.label, member)
        if member.name in self._blocked:
            member.blocked = True
            self._manager.set_blocked(member.label)
            return
        try:
            if earlier is not member:
                raise PluginError(f"{earlier} has the same name; block or uninstall one of them")
            self._register(member)
        except PluginError as error:
            self._fail(member, error)

    def _register(self, member: Member) -> None:
        plugin = member.load()
        if plugin is None or isinstance(plugin, type):
            raise PluginError("a plugin is a module or an object with hooks, and this is a class or nothing")
        try:
            self._manager.register(plugin, name=member.label)
        # What an object does while its attributes are looked through is foreign code, so anything may come of it.
        except Exception as exc:
            self._withdraw(member)
            raise PluginError(self._reason(plugin, exc)) from exc
        problem = self._problem(plugin)
        if problem is not None:
            self._withdraw(member)
            raise PluginError(problem)

    def _withdraw(self, member: Member) -> None:
        if self._manager.has_plugin(member.label):
            self._manager.unregister(name=member.label)

    def _reason(self, plugin: object, exc: Exception) -> str:
        earlier = self._manager.get_name(plugin)
        if earlier is not None:
            return f"the same object is registered already, as {self._by_label.get(earlier, earlier)}"
        return " ".join(str(exc).split()) if isinstance(exc, pluggy.PluginValidationError) else type(exc).__name__

    def _problem(self, plugin: object) -> str | None:
        """Say what is wrong with a registered plugin's hooks; pluggy would pass each of these over in silence."""
        callers = self._manager.get_hookcallers(plugin) or []
        for caller in callers:
            [hook] = [item for item in caller.get_hookimpls() if item.plugin is plugin][:1]
            if not caller.has_spec() and not hook.optionalhook:
                return f"there is no hook {caller.name!r}{suggestion(caller.name, self._known)}"
            if hook.hookwrapper or hook.wrapper:
                return f"{caller.name!r} is a wrapper; hooks offer things and do not change what others offer"
            if inspect.iscoroutinefunction(hook.function):
                return f"{caller.name!r} is async; hooks return at once"
        unmarked = self._known - {caller.name for caller in callers}
        for name in sorted(unmarked):
            if callable(getattr(plugin, name, None)):
                return f"{name!r} is not marked with @hookimpl"
        return None if callers else "it implements no hook"

    def _fail(self, member: Member, exc: Exception, what: str = "") -> None:
        told = str(exc) if isinstance(exc, WebSdkError) else type(exc).__name__
        message = f"{member} cannot be used: {what}{told}"
        error = PluginError(message, distribution=member.distribution)
        error.__cause__ = (exc.__cause__ or exc) if isinstance(exc, PluginError) else exc
        if self._raises:
            raise error
        member.failure = message
        if any(failure.message == message for failure in self._failures):
            return  # found again by a second look
        self._failures.append(
            PluginFailure(
                plugin=member.name,
                kind=member.kind,
                distribution=member.distribution,
                message=message,
                error=error,
            )
        )

    # -- asking

    def _hooks(self, name: str) -> tuple[_Hook, ...]:
        found = [
            _Hook(member=self._by_label[item.plugin_name], function=item.function, argnames=tuple(item.argnames))
            for item in getattr(self._manager.hook, name).get_hookimpls()
        ]
        # pluggy calls the last registered first; here the order of registration is the order, whatever a plugin asks.
        return tuple(sorted(found, key=lambda hook: self._members.index(hook.member)))

    def _ask(self, kind: OfferKind, **given: Any) -> _Found:
        name, read = READERS[kind]
        found: _Found = {}
        for hook in self._hooks(name):
            for id, value in self._call(hook, name, read, given):
                if id not in found:
                    found[id] = _Offered(member=hook.member, value=value)
                else:
                    self._clash(kind, id, found[id].member, hook.member)
        self._found[kind] = found
        return found

    def _call(self, hook: _Hook, name: str, read: Callable[[Any], Pairs], given: Mapping[str, Any]) -> Pairs:
        """Call one hook in the name of its plugin. Whatever comes out of foreign code here is translated."""
        try:
            return tuple(read(hook(**given)))
        except Exception as exc:
            self._fail(hook.member, exc, f"{name}: ")
            return ()

    def _clash(self, kind: OfferKind, id: str, first: Member, second: Member) -> None:
        self._fail(second, PluginError(f"{kind.words} '{id}' is offered by {first} as well"))

    def _once(self, kind: OfferKind) -> _Found:
        return self._found[kind] if kind in self._found else self._ask(kind)

    def _values(self, found: _Found) -> dict[str, Any]:
        return {id: offered.value for id, offered in found.items()}

    # -- what plugins offer

    @property
    def failures(self) -> tuple[PluginFailure, ...]:
        """What was left out so far, each a reason why the client is not ready; empty under ``raise``."""
        return tuple(self._failures)

    def preset_ids(self) -> tuple[str, ...]:
        """Return the ids of all presets in order of the alphabet; none is parsed."""
        return tuple(sorted(self._once(OfferKind.PRESET)))

    def preset_kind(self, id: str) -> SourceKind:
        """Return how the preset *id* came in: only a bundled one has its environment variable read by its own name.

        Raises:
            ConfigurationError: No plugin offers it.
        """
        return self._preset(id).member.kind

    def preset(self, id: str) -> Preset:
        """Return the preset *id*, parsed and validated on first use.

        Raises:
            ConfigurationError: No plugin offers it.
            PresetError: Its text is wrong.
        """
        if id not in self._presets:
            from websdk.declarative import load_preset

            source: PresetSource = self._preset(id).value
            self._presets[id] = load_preset(source.text, name=source.name, source=source.source)
        return self._presets[id]

    def presets(self) -> dict[str, Preset]:
        """Return every preset, all of them parsed. One that is wrong raises or is reported like a failed plugin."""
        loaded: dict[str, Preset] = {}
        for id in self.preset_ids():
            try:
                loaded[id] = self.preset(id)
            except ConfigurationError as error:
                if self._raises:
                    raise
                self._fail(self._preset(id).member, error)
        return loaded

    def _preset(self, id: str) -> _Offered:
        presets = self._once(OfferKind.PRESET)
        if id not in presets:
            raise ConfigurationError(f"there is no preset {id!r}{suggestion(id, presets)}")
        return presets[id]

    def search_providers(self, assembly: Assembly) -> dict[str, WebSearchProvider]:
        """Return the providers that need code, by id. An id that a searching preset has belongs to the preset."""
        found = self._ask(OfferKind.SEARCH_PROVIDER, assembly=assembly)
        presets = self._once(OfferKind.PRESET)
        for id in [id for id in found if id in presets and self._searches(id)]:
            self._clash(OfferKind.SEARCH_PROVIDER, id, presets[id].member, found.pop(id).member)
        return self._values(found)

    def idle_searchers(self, assembly: Assembly) -> tuple[str, ...]:
        """Return the installed plugins that could bring search providers and, as they are configured, bring none."""
        found = self._ask(OfferKind.SEARCH_PROVIDER, assembly=assembly)
        busy = {id(offered.member) for offered in found.values()}
        members = [hook.member for hook in self._hooks(READERS[OfferKind.SEARCH_PROVIDER][0])]
        return tuple(
            member.name
            for member in members
            if member.kind is SourceKind.PLUGIN and member.failure is None and id(member) not in busy
        )

    def _searches(self, id: str) -> bool:
        try:
            return self.preset(id).search is not None
        except ConfigurationError:
            return True  # what a broken preset would have been is not known, so its id stays taken

    def fetch_rungs(self, assembly: Assembly) -> dict[Via, FetchRung]:
        """Return the rungs that plugins add, by the word that reads name them with."""
        return self._values(self._ask(OfferKind.FETCH_RUNG, assembly=assembly))  # type: ignore[return-value]

    def extractors(self) -> dict[str, Extractor]:
        """Return the extractors by media type."""
        return self._values(self._once(OfferKind.EXTRACTOR))

    def credential_sources(self) -> dict[str, CredentialSource]:
        """Return the credential sources by the name that settings use."""
        return self._values(self._once(OfferKind.CREDENTIAL_SOURCE))

    def auth_schemes(self) -> dict[str, AuthScheme]:
        """Return the signing schemes by the name that settings use."""
        return self._values(self._once(OfferKind.AUTH_SCHEME))

    def transports(self) -> dict[str, Callable[[Connection], Transport]]:
        """Return the makers of transports by the name that settings use."""
        return self._values(self._once(OfferKind.TRANSPORT))

    # -- observing and listing

    def emit(self, event: Event) -> None:
        """Tell every observer. One that raises is logged by its plugin's name, once, and not asked again."""
        for hook in self._observers:
            try:
                hook(event=event)
            except (KeyboardInterrupt, SystemExit):
                raise
            # An observer never disturbs a call, also not by raising what would cancel it.
            except BaseException as exc:
                self._observers = tuple(item for item in self._observers if item is not hook)
                # The name of the failure only: what its text holds is not known.
                _log.warning("observer %s raised %s and is not called again", hook.member, type(exc).__name__)

    def listing(self, assembly: Assembly | None = None) -> tuple[PluginInfo, ...]:
        """Return every plugin in order, with what it brings, and each blocked name that nothing has.

        Args:
            assembly: What providers and rungs are made with; without one their ids are known only where a client asked
                for them before.
        """
        for kind in PER_CLIENT if assembly is not None else ():
            self._ask(kind, assembly=assembly)
        # Asked for before the rows are made, because asking may leave a failure.
        offers = {id(member): tuple(self._offers(member)) for member in self._members}
        rows = [
            PluginInfo(
                name=member.name,
                kind=member.kind,
                distribution=member.distribution,
                version=member.version,
                offers=offers[id(member)],
                blocked=member.blocked,
                failure=member.failure,
            )
            for member in self._members
        ]
        there = {member.name for member in self._members}
        absent = [PluginInfo(name=name, kind=None, blocked=True) for name in self._blocked if name not in there]
        return (*rows, *absent)

    def _offers(self, member: Member) -> Iterable[Offer]:
        for kind, (name, _) in READERS.items():
            if any(hook.member is member for hook in self._hooks(name)):
                if kind in PER_CLIENT and kind not in self._found:
                    yield Offer(kind=kind)
                else:
                    mine = [key for key, offered in self._once(kind).items() if offered.member is member]
                    yield from (Offer(kind=kind, id=str(key)) for key in mine)
        if any(hook.member is member for hook in self._hooks(EVENT_HOOK)):
            yield Offer(kind=OfferKind.OBSERVER)
