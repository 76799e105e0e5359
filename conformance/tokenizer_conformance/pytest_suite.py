"""Requirements as items of pytest.

An item asks one implementation the cases of one requirement. What a ledger knows is expected to fail, strictly: where
it passes, the item fails. One more item asks about the entries of the ledgers that no requirement alone can judge.

What is asked for is decided once, by the process that the user has started; workers of xdist are told.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_adapters.contract import UnavailableError
from tokenizer_adapters.environments.words import known_as
from tokenizer_adapters.protocol.client import ProcessImplementation
from tokenizer_adapters.registry import RegistryError
from tokenizer_adapters.selection import Isolation, select
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.ledger.entry import TARGET
from tokenizer_conformance.ledger.names import fits, names_in
from tokenizer_conformance.ledger.reader import joined, known_ledger, read_ledgers
from tokenizer_conformance.ledger.staleness import holds_for
from tokenizer_conformance.plural import counted
from tokenizer_conformance.pytest_plugin import LEDGER, OPTION, PREFIX
from tokenizer_conformance.validation.python_api.wording import failed_requirement_lines
from tokenizer_conformance.validation.suite.judging import CaseVerdict
from tokenizer_conformance.validation.suite.known import with_known
from tokenizer_conformance.validation.suite.reader import read_register, read_rules, read_suite
from tokenizer_conformance.validation.suite.requirement import CaseInPlace
from tokenizer_conformance.validation.suite.results import by_requirement
from tokenizer_conformance.validation.suite.running import results_of
from tokenizer_conformance.validation.suite.wording import known_entry, stale_entry

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokenizer_adapters.contract import Implementation, ImplementationInfo
    from tokenizer_adapters.selection import Selected
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.ledger.matching import Ledger
    from tokenizer_conformance.validation.suite.requirement import Area, Requirement

LEDGER_ITEM = "ledger"
"""The name of the item that judges the ledgers."""


class RequirementError(Exception):
    """A requirement, or the ledger, fails. The message is all that is to be shown."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What is asked for: ``words`` that select implementations, files of ``ledgers``, and ``ids``, all if empty."""

    words: list[str]
    ledgers: list[str]
    ids: list[str]


def plugin_of(config: pytest.Config, ids: Sequence[str]) -> SuitePlugin:
    """Return the plugin that collects what ``config`` asks for; ``ids`` are those of items among the arguments.

    Raises :class:`pytest.UsageError` where that cannot be used.
    """
    worker = getattr(config, "workerinput", None)
    settings = _settled(config, ids) if worker is None else Settings(**worker[PREFIX])
    try:
        known = known_ledger()
        ledger = joined(known, read_ledgers(settings.ledgers))
        asked = tuple(Asked(select(word, Isolation())) for word in settings.words)
    except (BadInputError, RegistryError) as error:
        raise pytest.UsageError(str(error)) from error
    given = tuple(entry for entry in ledger.entries if entry.place.ledger >= len(known.files))
    plugin = SuitePlugin(settings, asked, ledger, given if settings.ledgers else None)
    missing = plugin.ids - {f"{PREFIX}::{name}" for name in plugin.names()} - {PREFIX}
    if missing:
        raise pytest.UsageError(f"no such item: {', '.join(sorted(missing))}")
    return plugin


def _settled(config: pytest.Config, ids: Sequence[str]) -> Settings:
    """Return what is asked for, on the command line or in a file; ``ids`` are taken out of the arguments.

    What a file says holds where no path was given: who names a test wants that test.
    """
    config.args[:] = [word for word in config.args if word not in ids]
    has_paths = config.args_source is pytest.Config.ArgsSource.ARGS and bool(config.args)
    words = config.getoption(OPTION) or ([] if has_paths and not ids else config.getini(OPTION))
    if ids and not words:
        raise pytest.UsageError(f"{ids[0]}: say which implementation is asked, with --tokenizer-conformance=IMPL")
    ledgers = config.getoption(LEDGER) or map(_from_here, config.getini(LEDGER))
    return Settings(list(dict.fromkeys(words)), list(ledgers), list(ids))


def _from_here(path: Path) -> str:
    """Return ``path`` as people would write it here."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


class Asked:
    """An implementation that was ``selected``; it is built when it is first asked."""

    def __init__(self, selected: Selected) -> None:
        self.selected = selected
        self._built: Implementation | None = None

    @property
    def word(self) -> str:
        """The word that selects it."""
        return self.selected.word

    def built(self) -> Implementation:
        """Return the implementation.

        Raises :class:`UnavailableError` and :class:`RegistryError`.
        """
        if self._built is None:
            self._built = self.selected.build()
        return self._built

    def close(self) -> None:
        """Have its process end; another question starts it again."""
        if isinstance(self._built, ProcessImplementation):
            self._built.close()


# Items ---------------------------------------------------------------------------------------------------------------


class SuiteCollector(pytest.Collector):
    """What all items of ``plugin`` stand in: it is no path."""

    def __init__(self, *, plugin: SuitePlugin, **arguments: Any) -> None:
        super().__init__(**arguments)
        self._plugin = plugin

    def collect(self) -> Iterator[pytest.Item]:
        """Collect the items that were asked for."""
        return self._plugin.items(self)


class SuiteItem(pytest.Item):
    """An item whose failure is its message."""

    def reportinfo(self) -> tuple[Path, None, str]:
        """Say what the item is; there is no line of code to it."""
        return self.config.rootpath / PREFIX, None, self.nodeid

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Show a failed requirement by its message, and any other error as pytest does."""
        if isinstance(excinfo.value, RequirementError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)


class RequirementItem(SuiteItem):
    """One requirement, asked of one implementation."""

    def __init__(self, *, asked: Asked, area: Area, requirement: Requirement, ledger: Ledger, **arguments: Any) -> None:
        super().__init__(**arguments)
        self._asked = asked
        self._cases = [CaseInPlace(area, requirement, case) for case in requirement.cases]
        self._ledger = ledger
        self.requirement = requirement
        self.extra_keyword_matches.update({requirement.title, area.name, requirement.importance.value})
        self.add_marker(OPTION)

    def runtest(self) -> None:
        """Ask the cases, and judge the answers."""
        implementation = _built(self._asked)
        info = implementation.info
        (result,) = by_requirement(_judged(self._cases, implementation, self._ledger))
        entries = tuple(dict.fromkeys(entry for case in result.results for entry in case.entries))
        match result.verdict:
            case CaseVerdict.FAILED | CaseVerdict.ERROR:
                raise RequirementError("\n".join(failed_requirement_lines(result, info.name)))
            case CaseVerdict.KNOWN:
                pytest.xfail("; ".join(map(known_entry, entries)))
            case CaseVerdict.UNSUPPORTED:
                pytest.skip(one_line(result.results[0].reason))
        stale = [entry for entry in _entries_about(self._ledger.entries, info) if _names(entry, self.requirement)]
        if stale:
            raise RequirementError("\n".join(f"stale: {stale_entry(entry)}" for entry in stale))


class LedgerItem(SuiteItem):
    """The entries of ledgers that name requirements which there are not, or patterns that nothing matches."""

    def __init__(self, *, asked: Sequence[Asked], ledger: Ledger, given: Sequence[Entry], **arguments: Any) -> None:
        super().__init__(**arguments)
        self._asked = asked
        self._ledger = ledger
        self._given = given
        self.add_marker(OPTION)

    def runtest(self) -> None:
        """Judge the entries; what fits their patterns is asked for that."""
        problems = [problem for asked in self._asked for problem in self._problems(_built(asked))]
        if problems:
            raise RequirementError("\n".join(f"stale: {problem}" for problem in dict.fromkeys(problems)))

    def _problems(self, implementation: Implementation) -> Iterator[str]:
        ids = {requirement.id for _, requirement in read_rules().requirements()}
        for entry in _entries_about(self._given, implementation.info):
            names, patterns = names_in(entry.requirements)
            for name in sorted(names - ids):
                yield f"{one_line(str(entry.place))}: {_no_requirement(name)}"
            for pattern in patterns:
                if not any(fits(each, (pattern,)) for each in ids):
                    yield f"{one_line(str(entry.place))}: no requirement fits {one_line(repr(pattern))}"
            if patterns and not self._is_met(entry, implementation):
                yield stale_entry(entry)

    def _is_met(self, entry: Entry, implementation: Implementation) -> bool:
        """Return whether anything that ``entry`` is about fails as it says."""
        suite = read_suite()
        about = [case for case in suite.cases() if fits(case.requirement.id, entry.requirements)]
        results = list(_judged(about, implementation, self._ledger))
        unsupported = all(result.verdict is CaseVerdict.UNSUPPORTED for result in results)
        return unsupported or any(entry in result.entries for result in results)


def _no_requirement(name: str) -> str:
    reason = read_register().retired.get(name)
    gone = "there is none of that name" if reason is None else f"it is gone: {reason}"
    return f"requirement {one_line(repr(name))}: {one_line(gone)}; take the entry out"


def _judged(cases: Iterable[CaseInPlace], implementation: Implementation, ledger: Ledger) -> Iterator[Any]:
    info = implementation.info
    for result in results_of(cases, implementation):
        yield with_known(result, info, ledger)


def _built(asked: Asked) -> Implementation:
    try:
        return asked.built()
    except (UnavailableError, RegistryError) as error:
        raise RequirementError(one_line(str(error))) from error


def _entries_about(entries: Iterable[Entry], info: ImplementationInfo) -> Iterator[Entry]:
    """Yield those of ``entries`` that are about requirements, and about this version of an implementation."""
    for entry in entries:
        about = entry.requirements and entry.implementation == known_as(info.name)
        if about and holds_for(entry, info.version, TARGET, None):
            yield entry


def _names(entry: Entry, requirement: Requirement) -> bool:
    """Return whether ``entry`` names ``requirement``, and not just a pattern that it fits."""
    return requirement.id in names_in(entry.requirements)[0]


# The plugin -----------------------------------------------------------------------------------------------------------


class SuitePlugin:
    """Collects the requirements for each of ``asked``, and sees to it that nothing passes that was not asked.

    ``given`` are the entries of the ledgers that the user gave, ``None`` where none was given.
    """

    def __init__(
        self, settings: Settings, asked: tuple[Asked, ...], ledger: Ledger, given: tuple[Entry, ...] | None
    ) -> None:
        self.asked = asked
        self.ids = frozenset(settings.ids)
        self._settings = settings
        self._ledger = ledger
        self._given = given
        self._said: Counter[str] = Counter()
        self._silent: Counter[str] = Counter()

    def names(self) -> Iterator[str]:
        """Yield the names of all items."""
        yield from (f"{requirement.id}{label}" for _, requirement, _, label in self._questions())
        if self._given is not None and self.asked:
            yield LEDGER_ITEM

    def _questions(self) -> Iterator[tuple[Area, Requirement, Asked, str]]:
        """Yield the requirements with those that are asked, and what tells these apart in names."""
        for area, requirement in read_suite().requirements():
            for asked in self.asked if requirement.cases else ():
                yield area, requirement, asked, f"[{one_line(asked.word)}]" if len(self.asked) > 1 else ""

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Tell a worker of xdist what is asked for: it does not know what was said where."""
        node.workerinput[PREFIX] = asdict(self._settings)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self, session: pytest.Session) -> None:
        """Say at once where an implementation cannot be used."""
        if session.config.option.collectonly or hasattr(session.config, "workerinput"):
            return
        for asked in self.asked:
            try:
                asked.built()
            except (UnavailableError, RegistryError) as error:
                raise pytest.UsageError(one_line(str(error))) from error

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Add the items, before anybody deselects any."""
        collector = SuiteCollector.from_parent(session, name=PREFIX, nodeid=PREFIX, plugin=self)
        collector.ihook.pytest_collectstart(collector=collector)
        report: pytest.CollectReport = collector.ihook.pytest_make_collect_report(collector=collector)
        for item in report.result:
            if isinstance(item, pytest.Item):
                item.ihook.pytest_itemcollected(item=item)
                items.append(item)
        collector.ihook.pytest_collectreport(report=report)

    def items(self, collector: SuiteCollector) -> Iterator[pytest.Item]:
        """Yield the items that were asked for; they stand in ``collector``."""
        for item in self._all_items(collector):
            if not self.ids or item.nodeid in self.ids or PREFIX in self.ids:
                yield item

    def _all_items(self, collector: SuiteCollector) -> Iterator[pytest.Item]:
        # The id is given whole: pytest finds what stands in brackets in it, and not in a name.
        for area, requirement, asked, label in self._questions():
            name = f"{requirement.id}{label}"
            yield RequirementItem.from_parent(
                collector,
                name=name,
                nodeid=f"{PREFIX}::{name}",
                asked=asked,
                area=area,
                requirement=requirement,
                ledger=self._ledger,
            )
        if self._given is not None and self.asked:
            yield LedgerItem.from_parent(
                collector, name=LEDGER_ITEM, asked=self.asked, ledger=self._ledger, given=self._given
            )

    # The end

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count the requirements that said anything, and those that were skipped, by what is asked."""
        name = report.nodeid.removeprefix(f"{PREFIX}::")
        if name in (report.nodeid, LEDGER_ITEM) or report.when != "call":
            return
        is_silent = report.skipped and not hasattr(report, "wasxfail")
        (self._silent if is_silent else self._said)[name.partition("[")[2]] += 1

    def _unheard(self) -> list[str]:
        """Say of which implementations nothing was heard but that they cannot show what is asked."""
        return [
            f"{label.removesuffix(']') or self.asked[0].word}: nothing was compared: all "
            f"{counted(count, 'requirement')} that were asked are unsupported"
            for label, count in self._silent.items()
            if not self._said[label]
        ]

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """End with the status of "no tests" where nothing was compared."""
        if exitstatus == pytest.ExitCode.OK and self._unheard():
            session.exitstatus = pytest.ExitCode.NO_TESTS_COLLECTED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say why it does not pass where nothing was compared."""
        for line in self._unheard():
            terminalreporter.write_line(f"{PREFIX}: {line}", red=True)

    def pytest_unconfigure(self) -> None:
        """End the processes."""
        for asked in self.asked:
            asked.close()
