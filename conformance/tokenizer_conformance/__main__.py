"""``tokconf``, also as ``python -m tokenizer_conformance``.

Before anything that takes time is imported, signals are heard: Ctrl-C at any moment ends this in one line.
"""

from __future__ import annotations

import os

_SIGNALS = __import__("_signal")
"""What ``signal`` is made of, without the modules that it imports: a Ctrl-C while these are imported is heard too."""

_ENDING = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
"""The signals that end a run, by name; a system has not all of them."""


def _leave(_number: int, _frame: object) -> None:
    """End this process at once: nothing is there yet that could do better."""
    os.write(2, b"tokconf: interrupted before anything was compared\n")
    os._exit(130)


def _answered() -> list[int]:
    """Return the signals to be heard: a terminal that is closed is not heard of where that was asked for (nohup)."""
    numbers = {name: getattr(_SIGNALS, name) for name in _ENDING if hasattr(_SIGNALS, name)}
    is_left_alone = {"SIGHUP": _SIGNALS.getsignal(numbers["SIGHUP"]) == _SIGNALS.SIG_IGN} if "SIGHUP" in numbers else {}
    return [number for name, number in numbers.items() if not is_left_alone.get(name)]


def _heard(handlers: dict[int, object]) -> dict[int, object]:
    """Set ``handlers`` and return the former ones; in another thread than the main one nothing is done."""
    try:
        return {number: _SIGNALS.signal(number, handler) for number, handler in handlers.items()}
    except ValueError:
        return {}


_FORMER = _heard(dict.fromkeys(_answered(), _leave))

import codecs  # noqa: E402 - signals are heard before this takes its time
import importlib  # noqa: E402
import sys  # noqa: E402

from tokenizer_conformance.command_io import internal_error  # noqa: E402
from tokenizer_conformance.command_io.conclusion import EXIT_STATUS, Conclusion  # noqa: E402
from tokenizer_conformance.command_io.interrupts import INTERRUPTS, keep_quiet_about_lost_interrupts  # noqa: E402
from tokenizer_conformance.command_io.standard_streams import complain, hold_standard_descriptors  # noqa: E402

_heard(_FORMER)

COMMAND_LINE = "tokenizer_conformance.cli"


def main() -> int:
    """Carry out the command line of this process, and return its exit status; signals are ignored from then on."""
    _read_names_as_utf8()
    try:
        hold_standard_descriptors()
        INTERRUPTS.hear()
        keep_quiet_about_lost_interrupts()
        status = _status()
    except KeyboardInterrupt:
        status = _interrupted()
    INTERRUPTS.ignore()
    _forget_interrupted_code()
    return status


def _read_names_as_utf8() -> None:
    """Begin again in UTF-8 mode where this process takes arguments and names of files for ASCII (LC_ALL=C).

    Nothing less does: libraries that are handed a name, and the processes that are started, have to read it alike.
    """
    if os.name == "posix" and not sys.flags.utf8_mode and codecs.lookup(sys.getfilesystemencoding()).name == "ascii":
        os.environ["PYTHONUTF8"] = "1"
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])  # noqa: S606 - this very command


def _status() -> int:
    try:
        importlib.import_module(COMMAND_LINE).main(prog_name="tokconf")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else EXIT_STATUS[Conclusion.CONFORM]
    except Exception as error:  # noqa: BLE001 - whatever it is, such as a library that cannot be imported
        internal_error.tell(error)
        return EXIT_STATUS[Conclusion.INTERNAL_ERROR]
    return EXIT_STATUS[Conclusion.CONFORM]


def _interrupted() -> int:
    INTERRUPTS.hold_back()
    complain("interrupted before anything was compared")
    return EXIT_STATUS[Conclusion.INTERRUPTED]


def _forget_interrupted_code() -> None:
    """Have the interpreter end with the status that it is given.

    Once a ``KeyboardInterrupt`` has left code that was compiled from a string (a named tuple being imported is enough),
    it ends itself with SIGINT, whoever has caught it since; until it has evaluated another string to the end.
    """
    eval("None")  # noqa: S307 - a constant


if __name__ == "__main__":
    sys.exit(main())
