"""A plugin of ``pytest``: a process that has collected tests and runs some of them in forks, as often as it is asked.

Collecting and importing take most of the time that a few tests take. The environment variable :data:`CHANNELS` names
two descriptors: requests are read from the first, a JSON object a line; what comes of them is written to the second.

At first ``{"collected": [IDS], "costly": [IDS]}`` is written. A request is
``{"tests": [IDS], "expected": {ID: SECONDS}}``, with ``"module"``, its ``"file"``, and its source ``"before"`` and
``"after"`` where a module has been changed since it was imported, or ``"lines"``, a file to write the lines to that
are run. What tests start has the request's ``"mark"`` in its environment, as :data:`MARK`.
Answers are ``{"child": PID}``, ``{"started": ID}`` and ``{"ended": ID, "seconds": S, "failed": F, "skipped": K}`` for
each test until one fails, ``{"refused": REASON}`` where what is imported cannot be changed like this, and
``{"status": N, "seconds": S}`` in the end. All seconds are of the processor.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import sys
import warnings
from collections import defaultdict
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, Phase, settings

from power.first_failure import limit_memory
from power.live_change import NotLiveError, change, live_functions
from power.process_lines import CONTEXT, FOLDER, SOURCES, recorders, written_by_others

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from power.process_lines import LineRecorder

CHANNELS = "TOKCONF_SERVED"
MARK = "TOKCONF_SERVED_FOR"

COSTLY = frozenset({"command_template"})
"""Fixtures that take seconds, once for all tests that share them: a process that imports everything."""

TIMES_AS_LONG = 5
LEAST_SECONDS = 20.0
"""A test hangs when it takes so many times as long as it took before, and at least :data:`LEAST_SECONDS`."""


class Served:
    """The requests and the answers, and what the running test has come to."""

    def __init__(self, requests: int, answers: int) -> None:
        self.requests = os.fdopen(requests, encoding="utf-8")
        self._answers = answers
        self.failed = False
        self.skipped = False
        self.shared: defaultdict[str, set[str]] = defaultdict(set)
        """The contexts of the shared fixtures of each test."""

    def tell(self, **answer: object) -> None:
        """Write an answer."""
        rest = json.dumps(answer).encode() + b"\n"
        while rest:
            rest = rest[os.write(self._answers, rest) :]


_served: list[Served] = []


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Draw the same examples each time, and shrink none."""
    del config
    # Programs of tests load plugins, and write no fewer notes than in any other run.
    requests, answers = map(int, os.environ.pop(CHANNELS).split(","))
    os.environ.pop("PYTEST_DISABLE_PLUGIN_AUTOLOAD", None)
    for descriptor in (requests, answers):
        os.set_inheritable(descriptor, False)
    _served.append(Served(requests, answers))
    limit_memory()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    settings.register_profile(
        "served",
        settings.default,
        derandomize=True,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=[HealthCheck.too_slow],
        print_blob=False,
    )
    settings.load_profile("served")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    """Answer requests until there are no more."""
    (served,) = _served
    if session.testsfailed:
        served.tell(refused=f"{session.testsfailed} files cannot be collected")
        return True
    recorder = _recorder()
    imported = recorder.by_context().get("", {}) if recorder else {}
    items = {item.nodeid: item for item in session.items}
    gc.unfreeze()
    functions = live_functions(os.environ[SOURCES].split(os.pathsep))
    gc.collect()
    gc.freeze()
    costly = [name for name, item in items.items() if COSTLY.intersection(getattr(item, "fixturenames", ()))]
    served.tell(collected=list(items), costly=costly, imported=imported)
    for line in served.requests:
        request = json.loads(line)
        with warnings.catch_warnings(action="ignore"):
            child = os.fork()
        if not child:
            os.setsid()
            served.tell(child=os.getpid())
            _run(served, [items[name] for name in request["tests"]], request, functions)
            os._exit(0)
        _, status, used = os.wait4(child, 0)
        served.tell(status=os.waitstatus_to_exitcode(status), seconds=used.ru_utime + used.ru_stime)
    return True


def _run(served: Served, items: list[pytest.Item], request: dict[str, Any], functions: Any) -> None:
    os.environ[MARK] = request["mark"]
    if request.get("module") in sys.modules:  # what is not yet imported will be, from the changed file
        compiled = partial(compile, filename=request["file"], mode="exec", dont_inherit=True)
        try:
            change(compiled(request["before"]), compiled(request["after"]), functions)
        except NotLiveError as error:
            served.tell(refused=str(error))
            return
    expected = request.get("expected", {})
    used = _used()
    for item, following in zip(items, [*items[1:], None], strict=True):
        _limit(TIMES_AS_LONG * expected.get(item.nodeid, LEAST_SECONDS))
        served.failed = served.skipped = False
        served.tell(started=item.nodeid)
        try:
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        except BaseException:  # noqa: BLE001 - a test that ends the whole run
            served.failed = True
        before, used = used, _used()
        served.tell(ended=item.nodeid, seconds=used - before, failed=served.failed, skipped=served.skipped)
        if served.failed and "lines" not in request:
            return
    if "lines" in request:
        _write_lines(served, Path(request["lines"]))


def _used() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _limit(seconds: float) -> None:
    """Have this process end when it has taken so much more time."""
    times = os.times()
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(times.user + times.system + max(seconds, LEAST_SECONDS)) + 1, most))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note whether a test has failed, be it in its set-up or in what follows it, or was skipped."""
    (served,) = _served
    served.failed |= report.failed
    served.skipped |= report.skipped


# Lines ----------------------------------------------------------------------------------------------------------------


def _recorder() -> LineRecorder | None:
    return recorders[0] if recorders else None


@contextmanager
def _recorded_for(context: str) -> Iterator[None]:
    recorder = _recorder()
    if recorder is None:
        yield
        return
    before = os.environ.get(CONTEXT, "")
    os.environ[CONTEXT] = context
    recorder.record_for(context)
    try:
        yield
    finally:
        os.environ[CONTEXT] = before
        recorder.record_for(before)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Record what is run for a test."""
    with _recorded_for(item.nodeid):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: Any) -> Generator[None, object, object]:
    """Record what a fixture that tests share runs for all of them, not only for the first."""
    if fixturedef.scope == "function":
        return (yield)
    with _recorded_for(_context_of(fixturedef)):
        return (yield)


def _context_of(fixture: Any) -> str:
    return f"{fixture.scope} {fixture.baseid} {fixture.argname}"


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    """Note which fixtures a test shares."""
    (served,) = _served
    known = item._fixtureinfo.name2fixturedefs  # type: ignore[attr-defined]  # noqa: SLF001 - told nowhere else
    for definitions in known.values():
        for each in definitions:
            if each.scope != "function":
                served.shared[item.nodeid].add(_context_of(each))


def _write_lines(served: Served, file: Path) -> None:
    """Write the lines of each test: its own, those of fixtures it shares, and those of processes that it started."""
    recorder = _recorder()
    if recorder is None:
        raise RuntimeError("lines are asked for and none are recorded")
    found = {context: [lines] for context, lines in recorder.by_context().items()}
    for context, others in written_by_others(Path(os.environ[FOLDER])).items():
        found.setdefault(context, []).extend(others)
    tests: dict[str, dict[str, list[int]]] = {}
    for test in [context for context in found if "::" in context]:
        lines: dict[str, set[int]] = defaultdict(set)
        for context in (test, *served.shared[test]):
            for part in found.get(context, []):
                for path, numbers in part.items():
                    lines[path].update(numbers)
        tests[test] = {path: sorted(numbers) for path, numbers in lines.items()}
    file.write_text(json.dumps(tests), encoding="utf-8")


if sys.platform != "linux":
    raise ImportError("changed code is run in forks, under limits that other systems do not have")
