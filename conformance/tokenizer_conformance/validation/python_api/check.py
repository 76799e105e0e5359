"""``check``: the commands ``run`` and ``suite run`` from Python, for whatever encodes."""

from __future__ import annotations

import os
import tempfile
import threading
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import OffsetUnit
from tokenizer_adapters.objects import Manner
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.events import InputRefused
from tokenizer_conformance.command_io.internal_error import InternalError
from tokenizer_conformance.command_io.progress import PROGRESS
from tokenizer_conformance.command_io.status import Advance
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.ledger.reader import joined, known_ledger, read_ledgers
from tokenizer_conformance.results.records.run import LoadFailed
from tokenizer_conformance.validation.python_api.given import corpus_of, side_of, tokenizer_file
from tokenizer_conformance.validation.python_api.report import ConformanceReport
from tokenizer_conformance.validation.python_api.wording import NOT_WANTED
from tokenizer_conformance.validation.running.engine import run
from tokenizer_conformance.validation.running.events import RunFinished, TokenizerFinished
from tokenizer_conformance.validation.running.plan import RunPlan
from tokenizer_conformance.validation.running.vocabularies import vocabulary_line
from tokenizer_conformance.validation.running.wording import coverage
from tokenizer_conformance.validation.suite.engine import run_suite
from tokenizer_conformance.validation.suite.events import ImplementationJudged, SuiteFinished
from tokenizer_conformance.validation.suite.plan import SuitePlan
from tokenizer_conformance.validation.suite.reader import read_suite
from tokenizer_conformance.validation.suite.selection import Wanted, chosen_cases

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from pathlib import Path

    from tokenizer_adapters.contract import Implementation
    from tokenizer_conformance.ledger.matching import Ledger
    from tokenizer_conformance.validation.python_api.given import CheckedImplementation, Texts
    from tokenizer_conformance.validation.running.events import Event
    from tokenizer_conformance.validation.suite.events import SuiteEvent

_SHOWN = threading.Lock()
"""Held by the check whose progress is shown: there is one standard error."""


def check(
    mine: object,
    against: object = "tokenizers",
    tokenizer: object = None,
    texts: Texts | None = None,
    *,
    suite: bool | str | None = None,
    load: Callable[[str], object] | None = None,
    name: str = "mine",
    offset_unit: OffsetUnit | str = OffsetUnit.CODE_POINTS,
    adds_special_tokens: bool = True,
    skips_special_tokens: bool = True,
    ledger: Iterable[Path | str] | Path | str = (),
    progress: bool | None = None,
) -> ConformanceReport:
    """Compare ``mine`` with ``against`` on ``tokenizer`` and ``texts``, and ask it the requirements of the suite.

    Either side is a word of the command line (``"tokie"``, ``"command:./mine"``), a ``tokenizers.Tokenizer``, a
    tokenizer of ``transformers``, an object with ``encode`` and ``decode``, or functions, as a pair or as
    ``{"encode": …, "decode": …}``. An ``encode`` gives ids, or a mapping or object with ``ids`` and further fields
    (:mod:`tokenizer_adapters.objects`); it is told whether to add special tokens, and a second text, where it has
    arguments for that.

    ``tokenizer`` is a tokenizer.json: a path, a folder, a bundled name, a name of the hub, its content, or an object
    that writes one; where it is ``None``, ``mine`` has to write one. ``texts`` are texts and pairs of texts, the
    built-in inputs where they are ``None``. ``suite``: ``True`` asks the requirements, a text those that it finds
    (as ``-k`` does), ``False`` none; ``None`` asks them where ``mine`` can load tokenizers, and else says why not.
    ``load`` loads such an object from a path. ``name`` is what an object goes by; ``offset_unit`` what its offsets
    count (``"code points"``, ``"UTF-8 bytes"``, ``"UTF-16 units"``); ``adds_special_tokens`` and
    ``skips_special_tokens`` say what functions do that have no arguments for it. ``ledger`` names files of known
    differences. ``progress`` shows on standard error how far it is: by default, unless pytest runs.

    >>> words = {"encode": lambda text: [0 for word in text.split()], "decode": lambda ids: ""}
    >>> report = check(words, tokenizer="bert-mini", texts=["hello"], name="words", progress=False)
    >>> report.conforms, report.findings[0].signature.stage.value, report.findings[0].signature.field.value
    (False, 'post_process', 'ids')

    Raises :class:`ValueError` where what is given cannot be used (and says what to do), :class:`TypeError` where
    ``mine`` encodes nothing, and :class:`UnavailableError` where the library of an implementation is not installed. A
    ``KeyboardInterrupt`` passes through.
    """
    unit = _unit(offset_unit)
    manner = Manner(
        name=name,
        offset_unit=unit,
        adds_special_tokens=adds_special_tokens,
        skips_special_tokens=skips_special_tokens,
    )
    other = _name_against(against, name)
    with ExitStack() as stack:
        stack.enter_context(_progress(progress))
        checked = stack.enter_context(side_of(mine, manner, load))
        baseline = stack.enter_context(side_of(against, Manner(name=other)))
        if checked.loading is None and suite not in (None, False):
            raise ValueError(f"suite: {checked.why_not}")
        if checked.name == baseline.name:
            raise ValueError(f"both sides are called {checked.name!r}; compare two, and give an object another name=")
        known = _ledger(ledger)
        asked = None if checked.loading is None else _suite_plan(suite, checked.loading, known)
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="tokconf-check-"))
        plan = RunPlan(
            tokenizers=(tokenizer_file(tokenizer, checked, folder),),
            implementations=(baseline.implementation, checked.implementation),
            baseline=baseline.name,
            corpus=corpus_of(texts),
            ledger=known,
            asks=lambda question: checked.takes(question) and baseline.takes(question),
            vocabulary=True,
        )
        compared: list[Event] = _events(run(plan))
        judged: list[SuiteEvent] = [] if asked is None else _events(run_suite(asked))
        return _report(plan, checked, compared, judged, NOT_WANTED if suite is False else checked.why_not)


def assert_conforms(
    implementation: object,
    tokenizer: object = None,
    texts: Texts | None = None,
    against: object = "tokenizers",
    **manner: Any,
) -> None:
    """Raise :class:`ConformanceError` where ``implementation`` differs from ``against`` on ``tokenizer`` and ``texts``.

    The arguments are those of :func:`check`, ``manner`` those by name; the requirements are asked where ``suite`` says
    so. Raises as :func:`check` does, too.

    >>> assert_conforms("reference", "bert-mini", ["Hello, how are you?"])
    """
    __tracebackhide__ = True
    check(
        implementation, against, tokenizer, texts, **({"suite": False, "progress": False} | manner)
    ).raise_for_differences()


# What is given --------------------------------------------------------------------------------------------------------


def _unit(unit: OffsetUnit | str) -> OffsetUnit:
    try:
        return OffsetUnit(unit)
    except ValueError:
        raise ValueError(f"offset_unit {unit!r} is none of {', '.join(map(repr, map(str, OffsetUnit)))}") from None


def _name_against(against: object, name: str) -> str:
    """Return what the other side goes by where it is an object."""
    kind = type(against).__name__
    return f"{kind} (against)" if kind == name else kind


def _suite_plan(suite: bool | str | None, implementation: Implementation, ledger: Ledger) -> SuitePlan | None:
    """Return what ``implementation`` is to be asked of the suite, ``None`` for nothing."""
    if suite is False:
        return None
    wanted = Wanted(suite if isinstance(suite, str) else "")
    try:
        cases = chosen_cases(read_suite(), wanted)
    except BadInputError as error:
        raise ValueError(f"suite: {error}") from error
    return SuitePlan(
        implementations=(implementation,),
        words={},
        unavailable=(),
        cases=cases,
        wanted=wanted,
        fields=None,
        max_fail=0,
        ledger=ledger,
        every_requirement=wanted == Wanted(),
        command=(),
    )


def _ledger(files: Iterable[Path | str] | Path | str) -> Ledger:
    paths = [files] if isinstance(files, str | os.PathLike) else list(files)
    try:
        return joined(known_ledger(), read_ledgers(paths))
    except BadInputError as error:
        raise ValueError(str(error)) from error


@contextmanager
def _progress(wanted: bool | None) -> Iterator[None]:
    """Show progress inside, unless it is not ``wanted``, or another thread shows its own."""
    is_test = not {"PYTEST_VERSION", "PYTEST_CURRENT_TEST"}.isdisjoint(os.environ)
    if (is_test if wanted is None else not wanted) or not _SHOWN.acquire(blocking=False):
        yield
        return
    try:
        with PROGRESS.shown():
            yield
    finally:
        _SHOWN.release()


# What happens ---------------------------------------------------------------------------------------------------------


def _events(engine: Generator[Any]) -> list[Any]:
    """Return all events of ``engine`` but those that say how far it is.

    An interrupt, and an error that nobody expected, which the engine ends with, are raised.
    """
    events: list[Any] = []
    for event in engine:
        if isinstance(event, InternalError):
            raise event.error
        if isinstance(event, Advance):
            PROGRESS.status.reach(event.place)
        else:
            events.append(event)
    if getattr(events[-1], "conclusion", None) is Conclusion.INTERRUPTED:
        raise KeyboardInterrupt
    return events


def _report(
    plan: RunPlan, checked: CheckedImplementation, compared: list[Event], judged: list[SuiteEvent], not_asked: str
) -> ConformanceReport:
    ran = next(event for event in compared if isinstance(event, RunFinished))
    finished = tuple(event for event in compared if isinstance(event, TokenizerFinished))
    suite = next((event for event in judged if isinstance(event, SuiteFinished)), None)
    return ConformanceReport(
        implementation=checked.name,
        against=plan.baseline,
        tokenizer=plan.tokenizers[0].source.name,
        conclusion=ran.conclusion,
        findings=tuple(finding for each in finished for finding in each.findings),
        known=tuple(finding for each in finished for finding in each.known),
        unstable=tuple(finding for each in finished for finding in each.unstable),
        requirements=tuple(
            result for event in judged if isinstance(event, ImplementationJudged) for result in event.results
        ),
        suite_conclusion=None if suite is None else suite.conclusion,
        not_asked="" if suite is not None else not_asked,
        texts=ran.inputs,
        compared=ran.compared,
        problems=tuple(_problems(compared, ran)),
        stale=(*ran.stale, *(() if suite is None else suite.stale)),
        finished=finished,
    )


def _problems(events: Iterable[Event], ran: RunFinished) -> Iterator[str]:
    for event in events:
        match event:
            case LoadFailed(reason=reason):
                yield one_line(reason)
            case InputRefused(refusal):
                yield one_line(refusal.reason)
            case TokenizerFinished(unstable=unstable, results=rows):
                yield from (vocabulary_line(row, found) for row in rows if (found := row.vocabulary) and found.fails)
                for name in dict.fromkeys(finding.signature.implementation for finding in unstable):
                    yield f"{one_line(name)} is unstable: the same question was answered in different ways"
    if ran.shortfalls or ran.conclusion is Conclusion.NOTHING_COMPARED:
        yield from coverage(ran)
