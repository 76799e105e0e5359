"""``tokconf audit chat`` finds what is wrong with a chat template, with the conversation that shows it, and no more."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from chat_mishaps import OTHERS, REPORTED, SOUND, SOUND_SHAPES, Mishap, of_turns

from tokenizer_adapters.selection import Isolation, select
from tokenizer_conformance.inputs.bundled import bundled_file, names_with_chat_template
from tokenizer_conformance.inputs.tokenizer_files import locate
from tokenizer_conformance.report.reading import read_page
from tokenizer_conformance.research.file_audit.chat.checks import CHAT_CHECKS
from tokenizer_conformance.research.file_audit.checks_table import OF_CHAT
from tokenizer_conformance.research.file_audit.engine import FileAuditPlan, audit_files
from tokenizer_conformance.research.file_audit.reading import described
from tokenizer_conformance.results.records import file_audit as lines
from tokenizer_reference.chat import template
from tokenizer_reference.chat.sandbox import Limits, shared_sandbox

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Tokconf

TOKENIZERS = select("tokenizers", Isolation()).build()


def events(folder: Path) -> list[object]:
    return list(audit_files(FileAuditPlan((described(locate(str(folder))),), TOKENIZERS, audit=OF_CHAT)))


def findings(folder: Path) -> list[lines.Finding]:
    return [each for each in events(folder) if isinstance(each, lines.Finding)]


@pytest.mark.parametrize("mishap", [*REPORTED, *OTHERS], ids=lambda mishap: mishap.name)
def test_each_mishap_is_named(mishap: Mishap, tmp_path: Path) -> None:
    found = [each for each in findings(mishap.written(tmp_path)) if each.defect == mishap.defect]
    assert len(found) == 1, found
    shown = found[0].witness.result if found[0].witness else ""
    said = " ".join((found[0].message, shown, *(each.message for each in found[0].examples)))
    assert mishap.seen in said
    assert found[0].remedy


def test_every_kind_of_defect_is_found_somewhere() -> None:
    known = {defect.id for check in CHAT_CHECKS for defect in check.defects}
    assert known == {each.defect for each in (*REPORTED, *OTHERS)}


def test_a_sound_template_has_nothing_but_what_users_can_write(tmp_path: Path) -> None:
    sound = Mishap("", "", SOUND, post_processor=False)
    assert {each.defect for each in findings(sound.written(tmp_path))} == {"chat-injection"}


@pytest.mark.parametrize("shape", SOUND_SHAPES)
def test_templates_of_unusual_shapes_are_not_blamed_for_them(shape: str, tmp_path: Path) -> None:
    template, known = SOUND_SHAPES[shape]
    found = {each.defect for each in findings(Mishap("", "", template, post_processor=False).written(tmp_path))}
    assert found - {"chat-injection"} == known


def test_a_finding_has_the_conversation_that_shows_it(tmp_path: Path) -> None:
    shown = [each.witness for each in findings(REPORTED[0].written(tmp_path)) if each.defect == "chat-bos-twice"]
    assert shown[0] is not None
    assert json.loads(shown[0].conversation or "") == {
        "messages": [{"role": "user", "content": "How far is Quito?"}],
        "add_generation_prompt": True,
    }


def test_white_space_before_answers_is_what_a_model_says_itself(tmp_path: Path) -> None:
    spaced = of_turns("[{{ m.role }}]\n{{ said(m.content) }}{{ eos_token }}", after="{{ '[assistant]' }}")
    found = {each.defect for each in findings(Mishap("", "", spaced).written(tmp_path))}
    assert "chat-prefix-changed" not in found
    assert "chat-generation-prompt-always" in found


def test_the_end_of_an_answer_may_be_named_in_generation_config(tmp_path: Path) -> None:
    mishap = next(each for each in REPORTED if each.defect == "chat-end-other")
    mishap.written(tmp_path)
    (tmp_path / "generation_config.json").write_text('{"eos_token_id": [0, 2]}')
    assert "chat-end-other" not in {each.defect for each in findings(tmp_path)}


def test_a_template_that_runs_for_ever_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(template, "shared_sandbox", lambda: shared_sandbox(Limits(seconds=0.5)))
    endless = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
    found = findings(Mishap("", "", endless).written(tmp_path))
    assert [each.defect for each in found] == ["chat-template-stopped"]
    assert "stopped after" in found[0].message


CONSTANTS = "{% if quick is defined %}{{ quick }}{{ 'x' * 10 ** 12 }}{% endif %}"
"""It needs more memory than any machine has to compute, where it is not rendered either."""


def test_constants_of_a_template_are_not_computed_to_see_what_it_reads(tmp_path: Path) -> None:
    found = {each.defect: each.message for each in findings(Mishap("", "", SOUND + CONSTANTS).written(tmp_path))}
    assert found["chat-variables"] == "1 variable: quick"


WITHOUT_PROMPTS = {
    "no template": ("", {"chat templates"}, "no chat template can be used"),
    "one that does not parse": ("{% for m in messages %}", {"chat templates"}, "no chat template can be used"),
    "one that needs too much for tools": (
        SOUND + "{% if tools %}{{ 'x' * 2000000000 }}{% endif %}",
        {"chat templates", "special tokens of prompts", "contents of messages"},
        "the template needs more than 512 MiB of memory",
    ),
}


@pytest.mark.parametrize("given", WITHOUT_PROMPTS)
def test_a_check_that_had_no_prompt_to_look_at_has_found_nothing_sound(given: str, tmp_path: Path) -> None:
    template, done, why = WITHOUT_PROMPTS[given]
    (audited,) = [
        each for each in events(Mishap("", "", template).written(tmp_path)) if isinstance(each, lines.Audited)
    ]
    left = {check.name for check in CHAT_CHECKS} - done
    assert audited.checks.keys() == {"reading", *done}
    assert audited.not_done == dict.fromkeys(left, why)


def test_kinds_that_could_not_be_looked_for_are_no_success(cli: Tokconf, tmp_path: Path) -> None:
    folder = tmp_path / "checkpoint"
    folder.mkdir()
    broken = Mishap("", "", "{% for m in messages %}").written(folder)
    done = cli("audit", "chat", broken, "--select", "chat-bos-", "--junit", tmp_path / "chat.xml")
    assert done.exit_code == 3
    assert "· no chat template can be used" in done.stdout
    assert "nothing to mend" not in done.stdout
    assert "no chat template can be used" in (tmp_path / "chat.xml").read_text("utf-8")


def test_the_command_says_what_it_finds(cli: Tokconf, tmp_path: Path) -> None:
    folder = tmp_path / "checkpoint"
    folder.mkdir()
    done = cli("audit", "chat", REPORTED[0].written(folder), "--fail-on", "warning", "--json", tmp_path / "chat.jsonl")
    assert done.exit_code == 1
    assert "chat-bos-twice" in done.stdout
    assert 'user                   "How far is Quito?"' in done.stdout
    page = read_page(tmp_path / "chat.jsonl")
    assert "chat-bos-twice" in {each.reason for each in page.findings}
    assert page.kind == "audit of chat templates"


def test_kinds_of_defects_can_be_chosen(cli: Tokconf, tmp_path: Path) -> None:
    folder = REPORTED[0].written(tmp_path)
    done = cli("audit", "chat", folder, "--select", "chat-bos-")
    assert "chat-bos-twice" in done.stdout
    assert "chat-injection" not in done.stdout
    assert cli("audit", "chat", folder, "--select", "merge-").exit_code == 2
    assert "chat-date (note)" in cli("audit", "chat", "--list").stdout


BUNDLED = {
    "qwen-mini": {"chat-prefix-changed"},
    "llama3-mini": {"chat-bos-twice", "chat-date", "chat-trimmed"},
    "gemma-mini": {"chat-bos-twice", "chat-end-other", "chat-system-refused", "chat-tools-ignored"},
    "tekken-mini": {"chat-bos-twice", "chat-prefix-changed", "chat-order-refused"},
    "llama-mini": {"chat-bos-twice", "chat-marker-no-token"},
    "gpt2-mini": {"chat-injection"},
}
"""What the templates of bundled tokenizers have in common with published ones of their shapes."""


def test_bundled_templates_are_all_told_of() -> None:
    assert BUNDLED.keys() == set(names_with_chat_template())


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_templates_have_what_published_ones_have(name: str) -> None:
    found = {each.defect: each.severity for each in findings(bundled_file(name).parent)}
    assert BUNDLED[name] <= found.keys()
    assert "error" not in found.values()


def test_a_bundled_tokenizer_without_a_template_is_an_error(cli: Tokconf) -> None:
    done = cli("audit", "chat", "bert-mini")
    assert (done.exit_code, "chat-template-missing" in done.stdout) == (1, True)
