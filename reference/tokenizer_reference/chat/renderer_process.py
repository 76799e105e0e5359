"""The process that templates are rendered in: it answers requests, a line of JSON each, until its input ends.

It limits itself. Memory is limited for its whole life. Time is limited for each request by an alarm, which ends the
process however deep in a library it is. It can open no file, write none and start no process.
"""

from __future__ import annotations

import importlib
import json
import resource
import signal
import sys
from typing import IO, Any

from tokenizer_reference.chat.errors import TemplateRefusedError
from tokenizer_reference.chat.rendering import Conversation, rendered
from tokenizer_reference.chat.rules import rules_of

LATE = ("encodings.unicode_escape", "jinja2.constants", "jinja2.debug", "pprint", "textwrap")
"""What Jinja imports where a template first needs it, when no file can be opened any more."""

CLOSED = (resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE, resource.RLIMIT_NPROC, resource.RLIMIT_CORE)
"""What is limited to nothing more: open files, what is written to files, processes, dumps of memory."""


def main(seconds: float, memory: int, characters: int) -> None:
    """Answer the lines of standard input, each within ``seconds``, with ``memory`` bytes and as many ``characters``."""
    for module in LATE:
        importlib.import_module(module)
    requests, answers = sys.stdin, sys.stdout
    sys.stdin = sys.stderr
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    for limit in CLOSED:
        resource.setrlimit(limit, (0, resource.getrlimit(limit)[1]))
    for line in requests:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        answer = _answer(line, characters)
        signal.setitimer(signal.ITIMER_REAL, 0)
        _write(answers, answer)


def _answer(line: str, characters: int) -> dict[str, Any]:
    try:
        request = json.loads(line)
        conversation = Conversation(**request["conversation"])
        text = rendered(request["template"], conversation, rules_of(request["rules"]))
    except TemplateRefusedError as error:
        return {"kind": error.kind, "message": error.message[:characters]}
    except MemoryError:
        return {"limit": "memory"}
    return {"text": text} if len(text) <= characters else {"limit": "characters"}


def _write(answers: IO[str], answer: dict[str, Any]) -> None:
    answers.write(json.dumps(answer) + "\n")
    answers.flush()


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
