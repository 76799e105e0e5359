"""Templates are code from strangers: none gets out, and none takes more than its share."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from tokenizer_reference.chat import ChatTemplate, Limits, Sandbox, TemplateLimitError, TemplateRefusedError

HI = [{"role": "user", "content": "Hi"}]
SMALL = Limits(seconds=0.5, memory=256 * 2**20, characters=100_000)


def rendered(template: str, sandbox: Sandbox | None = None) -> str:
    return ChatTemplate({"default": template}, {}, sandbox=sandbox).render(HI)


ESCAPES = {
    "a class": "{{ ''.__class__.__mro__ }}",
    "globals of a function": "{{ cycler.__init__.__globals__ }}",
    "the clock's": "{{ strftime_now.__self__.year }}",
    "a dictionary's class": "{{ dict.__class__.__mro__ }}",
    "a namespace's class": "{{ namespace(__class__=1) }}",
    "a namespace's member": "{% set n = namespace() %}{% set n.__init__ = 1 %}",
    "the frame of a generator": "{{ (messages | map('upper')).gi_frame.f_globals }}",
    "an import": "{% import 'os' as os %}",
    "an inclusion": "{% include '/etc/passwd' %}",
    "another template": "{% extends '/etc/passwd' %}",
    "a list": "{{ messages.append(1) }}",
    "a dictionary": "{{ messages[0].update(a=1) }}",
    "the environment": "{{ self.__init__.__globals__ }}",
    "a format": "{{ '{0.__class__.__init__.__globals__[x]}'.format(1) + missing.x }}",
    "a filter for attributes": "{{ (messages | attr('__class__')).__mro__ }}",
}


@pytest.mark.parametrize("template", ESCAPES.values(), ids=ESCAPES)
def test_nothing_leads_out_of_a_template(template: str) -> None:
    with pytest.raises(TemplateRefusedError) as caught:
        rendered(template)
    assert caught.value.kind in {"SecurityError", "TypeError", "UndefinedError", "TemplateSyntaxError", "ValueError"}


ENDLESS = "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}"
BOMBS = {
    "a loop": (ENDLESS, "the template was stopped after 0.5 s"),
    "a string": ("{{ 'x' * 10 ** 9 }}", "the template needs more than 256 MiB of memory"),
    "a list": ("{{ [1] * 10 ** 9 }}", "the template needs more than 256 MiB of memory"),
    "a width": ("{{ '%10000000000d' | format(3) }}", "the template needs more than 256 MiB of memory"),
    "a number": ("{{ (10 ** 200000) ** 20000 }}", "was stopped after 0.5 s|needs more than 256 MiB"),
    "a text": ("{{ 'x' * 100001 }}", "the template writes more than 100,000 characters"),
    "growing": (
        "{% set n = namespace(l=['x']) %}{% for i in range(60) %}{% set n.l = n.l + n.l %}{% endfor %}",
        "was stopped after 0.5 s|needs more than 256 MiB",
    ),
}


@pytest.mark.long_but(1)
@pytest.mark.parametrize(("template", "message"), BOMBS.values(), ids=BOMBS)
def test_a_template_that_takes_too_much_is_stopped(template: str, message: str) -> None:
    sandbox = Sandbox(SMALL)
    with pytest.raises(TemplateLimitError, match=message):
        rendered(template, sandbox)
    assert rendered("{{ messages[0].content }}", sandbox) == "Hi"  # whatever became of the process
    sandbox.close()


REFUSED = {
    "a long range": ("{% for i in range(10 ** 9) %}{% endfor %}", "OverflowError"),
    "a macro that calls itself": ("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", "RecursionError"),
    "its own exception": ("{{ raise_exception('no') }}", "TemplateError"),
    "half a block": ("{% if %}", "TemplateSyntaxError"),
}


@pytest.mark.parametrize(("template", "kind"), REFUSED.values(), ids=REFUSED)
def test_a_refusal_has_its_kind(template: str, kind: str) -> None:
    with pytest.raises(TemplateRefusedError) as caught:
        rendered(template)
    assert caught.value.kind == kind
    assert not isinstance(caught.value, TemplateLimitError)


def test_one_process_renders_all_and_is_started_anew_after_one_that_was_stopped() -> None:
    sandbox = Sandbox(SMALL)
    processes = []
    for template in ("a", "b", ENDLESS, "c"):
        try:
            rendered(template, sandbox)
        except TemplateLimitError:
            continue
        processes.append(sandbox.process_id)
    assert processes[0] == processes[1] != processes[2]
    sandbox.close()


def test_a_fork_has_a_process_of_its_own() -> None:
    sandbox = Sandbox(SMALL)
    rendered("a", sandbox)
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.write(writing, f"{rendered('b', sandbox)} {sandbox.process_id}".encode())
        sandbox.close()
        os._exit(0)
    os.waitpid(child, 0)
    text, process = os.read(reading, 100).decode().split()
    assert text == "b"
    assert int(process) != sandbox.process_id
    assert rendered("c", sandbox) == "c"
    sandbox.close()


def test_threads_get_their_own_answers() -> None:
    sandbox, found = Sandbox(SMALL), {}

    def ask(number: int) -> None:
        found[number] = [rendered(f"{number} {{{{ {each} }}}}", sandbox) for each in range(20)]

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert found == {number: [f"{number} {each}" for each in range(20)] for number in range(4)}
    sandbox.close()


def test_the_process_opens_no_file_and_knows_no_variable_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKCONF_SECRET", "s3cret")
    sandbox = Sandbox(SMALL)
    rendered("a", sandbox)
    process = Path("/proc") / str(sandbox.process_id)
    assert b"s3cret" not in (process / "environ").read_bytes()
    lines = (process / "limits").read_text(encoding="ascii").splitlines()
    limits = {line[:25].strip(): line[26:].split()[0] for line in lines}
    assert (limits["Max open files"], limits["Max file size"], limits["Max core file size"]) == ("0", "0", "0")
    sandbox.close()
