"""Templates are code from strangers, so a process of its own renders them, within limits.

Jinja's sandbox refuses what leads out of a template: attributes that begin with an underscore, imports, methods that
change what they are called on. It limits neither time nor memory; the process does (``renderer_process``). One process
renders many templates one after the other, and a new one takes its place where a limit ended it.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from dataclasses import dataclass, fields
from functools import cache
from typing import TYPE_CHECKING, Any

from tokenizer_reference.chat.errors import TemplateLimitError, TemplateRefusedError
from tokenizer_reference.chat.rules import CONTRACT, RenderingRules, rules_json

if TYPE_CHECKING:
    from tokenizer_reference.chat.rendering import Conversation


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one rendering may take: ``seconds``, bytes of ``memory`` of the whole process, ``characters`` of text."""

    seconds: float = 5.0
    memory: int = 512 * 2**20
    characters: int = 10_000_000


DEFAULT_LIMITS = Limits()


class Sandbox:
    """Renders templates in a process of its own, within ``limits``. The process is started by the first of them."""

    def __init__(self, limits: Limits = DEFAULT_LIMITS) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._owner = 0

    def render(self, template: str, conversation: Conversation, rules: RenderingRules = CONTRACT) -> str:
        """Return the text that ``template`` makes of ``conversation``.

        Raises :class:`TemplateRefusedError`; :class:`TemplateLimitError` where a limit was reached.
        """
        request = {"template": template, "conversation": _members(conversation), "rules": rules_json(rules)}
        with self._lock:
            answer = self._asked(json.dumps(request) + "\n")
        if "limit" in answer:
            raise TemplateLimitError(self._words(answer["limit"]))
        if "text" not in answer:
            raise TemplateRefusedError(answer["kind"], answer["message"])
        return str(answer["text"])

    def _asked(self, line: str) -> dict[str, Any]:
        process = self._running()
        try:
            answered = _exchanged(process, line)
        except KeyboardInterrupt:
            self.close()
            raise
        if answered.endswith("\n"):
            answer: dict[str, Any] = json.loads(answered)
            return answer
        return self._ended(process)

    def _running(self) -> subprocess.Popen[str]:
        """Return the process. One that was started before this process was forked off is left to the other."""
        if self._process is not None and self._owner != os.getpid():
            _let_go(self._process)
            self._process = None
        if self._process is None:
            self._owner, self._process = os.getpid(), _started(self._limits)
        return self._process

    def _ended(self, process: subprocess.Popen[str]) -> dict[str, Any]:
        """Return why the ``process`` gave no answer: the alarm ended it, or something else did."""
        self._process = None
        status = process.wait()
        _let_go(process)
        if status == -signal.SIGALRM:
            return {"limit": "time"}
        return {"kind": "ProcessEnded", "message": f"the process that renders the template ended with status {status}"}

    def _words(self, limit: str) -> str:
        limits = self._limits
        return {
            "time": f"the template was stopped after {limits.seconds:g} s",
            "memory": f"the template needs more than {limits.memory // 2**20:,} MiB of memory",
            "characters": f"the template writes more than {limits.characters:,} characters",
        }[limit]

    @property
    def process_id(self) -> int | None:
        """The number of the process, ``None`` where there is none."""
        return None if self._process is None else self._process.pid

    def close(self) -> None:
        """End the process, where this one has started it."""
        process, self._process = self._process, None
        if process is None:
            return
        if self._owner == os.getpid():
            process.kill()
            process.wait()
        _let_go(process)


def _members(conversation: Conversation) -> dict[str, Any]:
    found = {each.name: getattr(conversation, each.name) for each in fields(conversation)}
    return {**found, "variables": dict(conversation.variables)}


def _exchanged(process: subprocess.Popen[str], line: str) -> str:
    """Return the line that answers ``line``; an empty one where the process ended."""
    if process.stdin is None or process.stdout is None:
        return ""
    with contextlib.suppress(BrokenPipeError):
        process.stdin.write(line)
        process.stdin.flush()
    return process.stdout.readline()


def _let_go(process: subprocess.Popen[str]) -> None:
    """Close this side of the pipes to ``process``, which has ended or is another's."""
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
    process.returncode = process.returncode or 0


def _started(limits: Limits) -> subprocess.Popen[str]:
    figures = (str(limits.seconds), str(limits.memory), str(limits.characters))
    return subprocess.Popen(  # noqa: S603 - this package's own program
        [sys.executable, "-P", "-m", "tokenizer_reference.chat.renderer_process", *figures],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": "0"},
        encoding="ascii",
        start_new_session=True,
    )


@cache
def shared_sandbox(limits: Limits = DEFAULT_LIMITS) -> Sandbox:
    """Return the sandbox that all templates share which have these ``limits``."""
    sandbox = Sandbox(limits)
    atexit.register(sandbox.close)
    return sandbox
