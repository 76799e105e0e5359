"""How a command ends: every error becomes one line on standard error and an exit status of the table, no more."""

from __future__ import annotations

import errno
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import click

from tokenizer_conformance.command_io import internal_error
from tokenizer_conformance.command_io.conclusion import EXIT_STATUS, Conclusion
from tokenizer_conformance.command_io.standard_streams import STANDARD_OUTPUT, complain, discard, reason_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CANNOT_WRITE = frozenset({errno.EPIPE, errno.ENOSPC, errno.EIO, errno.EBADF})
"""Why standard output, which is no file with a name, cannot be written."""

UNSAID = click.ClickException.exit_code
"""The status of an error of click that has none of its own; it is not to be taken for that of differences."""


@contextmanager
def ended_in_order() -> Iterator[None]:
    """Turn whatever is raised inside into an error that click ends the command with, with a status of the table."""
    try:
        yield
    except click.exceptions.Exit:
        raise
    except click.ClickException:
        raise
    except (KeyboardInterrupt, click.Abort):
        complain("interrupted before anything was compared")
        raise click.exceptions.Exit(EXIT_STATUS[Conclusion.INTERRUPTED]) from None
    except OSError as error:
        if error.filename is not None or error.errno not in CANNOT_WRITE:
            raise _internal(error) from None
        if error.errno == errno.EPIPE:  # whoever reads has seen enough, as the `head` of `tokconf suite list | head`
            discard(sys.stdout)
            raise click.exceptions.Exit(EXIT_STATUS[Conclusion.CONFORM]) from None
        complain(f"cannot write {STANDARD_OUTPUT}: {reason_of(error)}")
        raise click.exceptions.Exit(EXIT_STATUS[Conclusion.INTERNAL_ERROR]) from None
    except GeneratorExit:
        raise
    except BaseException as error:  # noqa: BLE001 - whatever it is, a SystemExit of other people's code too
        raise _internal(error) from None


def status_of(command: Callable[[], object]) -> int:
    """Return the exit status of ``command``, and say what is wrong with its call.

    It is a click command that ends no process itself.
    """
    try:
        try:
            with ended_in_order():
                status = command()
        except click.ClickException as error:
            with suppress(OSError):  # nobody can be told; the status stays
                error.show()
            return EXIT_STATUS[Conclusion.BAD_INPUT] if error.exit_code == UNSAID else error.exit_code
    except click.exceptions.Exit as end:
        return end.exit_code
    return status if isinstance(status, int) else EXIT_STATUS[Conclusion.CONFORM]


def _internal(error: BaseException) -> click.exceptions.Exit:
    internal_error.tell(error)
    return click.exceptions.Exit(EXIT_STATUS[Conclusion.INTERNAL_ERROR])
