"""Each change of a conversation asks what its words say, and what bears it out is counted as the words say."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest
from planted_chats import FaultyChats, PlantedChat, messages, text

from tokenizer_adapters.contract import (
    After,
    Chat,
    Encode,
    Encoded,
    EncodeSpecialTokens,
    Failed,
    Rendered,
    TokenizerSource,
)
from tokenizer_adapters.reference import ReferenceImplementation
from tokenizer_conformance.causes.bench import Bench
from tokenizer_conformance.causes.classes import chat_changes
from tokenizer_conformance.causes.classes.chat_changes import CHANGES, IDS, MESSAGES, PROMPT, other_prompts
from tokenizer_conformance.inputs.bundled import bundled_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tokenizer_adapters.contract import Outcome
    from tokenizer_conformance.causes.classes.experiment import Ground
    from tokenizer_conformance.causes.classes.hypothesis import Candidate

BY_WORDS = {(each.name, each.does): each for each in CHANGES}

SYSTEM, USER, ANSWER = (
    {"role": role, "content": content} for role, content in (("system", " Be. "), ("user", "Hi"), ("assistant", "Ho"))
)
TOOL = {"role": "tool", "content": "3"}
CALL: dict[str, Any] = {"role": "assistant", "content": None, "name": "x"}


def chat(*given: Any, **options: Any) -> Chat:
    return Chat(json.dumps(given), **options)


def user(content: str) -> dict[str, str]:
    return {"role": "user", "content": content}


ASKED: list[tuple[str, Chat, Chat | None]] = [
    ("takes no tools", chat(USER, tools="[1]"), chat(USER)),
    ("ignores add_generation_prompt", chat(USER, add_generation_prompt=True), chat(USER)),
    ("always adds a generation prompt", chat(USER), chat(USER, add_generation_prompt=True)),
    ("always adds a generation prompt", chat(USER, continue_final_message=True), None),
    ("adds no generation prompt after an answer", chat(ANSWER, add_generation_prompt=True), chat(ANSWER)),
    *(
        ("adds no generation prompt after an answer", each, each)
        for each in (
            chat(ANSWER, USER, add_generation_prompt=True),
            chat(USER),
            chat(add_generation_prompt=True),
            chat("odd", add_generation_prompt=True),
            Chat('{"role": "assistant"}', add_generation_prompt=True),
        )
    ),
    ("ignores continue_final_message", chat(ANSWER, continue_final_message=True), chat(ANSWER)),
    ("strips the end of the content of each message", chat(SYSTEM, CALL), chat({**SYSTEM, "content": " Be."}, CALL)),
    ("strips the beginning of the content of each message", chat(SYSTEM), chat({**SYSTEM, "content": "Be. "})),
    ("leaves out system messages", chat(SYSTEM, USER), chat(USER)),
    ("leaves out system messages", chat("odd"), None),
    ("leaves out system messages", Chat('{"role": "user"}'), None),
    ("leaves out the results of tools", chat(USER, TOOL), chat(USER)),
    ("takes system messages for those of the user", chat(SYSTEM, TOOL), chat({**SYSTEM, "role": "user"}, TOOL)),
    ("leaves out the last message", chat(USER, ANSWER), chat(USER)),
    ("leaves out the first message", chat(USER, ANSWER), chat(ANSWER)),
    ("reads role and content of messages alone", chat(CALL), chat({"role": "assistant", "content": None})),
    ("takes content that is null or absent for an empty text", chat(CALL, USER, {"role": "tool"}),
     chat({**CALL, "content": ""}, USER, {"role": "tool", "content": ""})),
    ("takes U+001C to U+001F for no white space", chat(user("a\x1c\x1f\x20\x1b")),
     chat(user("a\uf8fc\uf8ff\x20\x1b"))),
    ("takes U+FEFF for white space, and U+0085 and U+001C to U+001F for none", chat(user("\x1d\x85\ufeff")),
     chat(user("\uf8fd\uf8df\u205f"))),
    ("takes nothing for white space but what C does: no separators, and nothing outside of ASCII",
     chat(user("\x1b\x1c\x20\x85\xa0\u1fff\u2000\u200a\u200b\u3000")),
     chat(user("\x1b\ue000\x20\ue004\ue005\u1fff\ue007\ue011\u200b\ue016"))),
]  # fmt: skip


@pytest.mark.parametrize(("does", "given", "asked"), ASKED)
def test_what_is_asked_in_place_of_a_conversation(does: str, given: Chat, asked: Chat | None) -> None:
    (change,) = [each for each in CHANGES if each.does == does]
    assert change.asked is not None
    found = change.asked(given)
    if found is None or asked is None:
        assert found == asked
    else:
        assert replace(found, messages="") == replace(asked, messages="")
        assert json.loads(found.messages) == json.loads(asked.messages)


GENERATING, CONTINUED = chat(USER, add_generation_prompt=True), chat(ANSWER, continue_final_message=True)

TOLD: list[tuple[str, str, str]] = [
    ("strips the end of a generation prompt", " a \n", " a"),
    ("strips the end of a prompt that is to be continued", " a \n", " a"),
    ("strips the end of the prompt", " a \n", " a"),
    ("strips the prompt", " a \n", "a"),
    ("ends the prompt with a line break", "a", "a\n"),
    ("ends a generation prompt with <think>", "a", "a<think>\n"),
    ("begins the prompt with its first token twice", "<s>a<s>", "<s><s>a<s>"),
    ("leaves out the token that begins the prompt", "<s>a<s>", "a<s>"),
    ("leaves out the token that ends the prompt", "<s>a<s> \n", "<s>a"),
    ("leaves out the token that ends the prompt", "<s>a< s>", "<s>a< s>"),
    ("writes no line breaks between tokens", "<s>\n<a>\nb\n<c>", "<s><a>\nb\n<c>"),
    ("writes one line break for two", "a\n\n\nb", "a\n\nb"),
    ("writes line breaks as CR LF", "a\nb", "a\r\nb"),
    ("writes exponents of numbers without zeros before them", "1e-07 2E+00 e+05", "1e-7 2E+0 e+05"),
    ("takes U+001C to U+001F for no white space", "\uf8fc\uf8ff", "\x1c\x1f"),
]


@pytest.mark.parametrize(("does", "prompt", "made"), TOLD)
def test_what_becomes_of_a_prompt(does: str, prompt: str, made: str) -> None:
    (change,) = [each for each in CHANGES if each.does == does]
    assert change.told is not None
    assert change.told(prompt) == made


def test_some_changes_are_of_some_prompts() -> None:
    of = {each.does: each.of for each in CHANGES if each.of is not None}
    asked = (GENERATING, CONTINUED, chat(USER))
    assert {does: [is_met(each) for each in asked] for does, is_met in of.items()} == {
        "strips the end of a generation prompt": [True, False, False],
        "strips the end of a prompt that is to be continued": [False, True, False],
        "ends a generation prompt with <think>": [True, False, False],
    }


def test_prompts_and_ids_are_cut_where_clients_cut_them() -> None:
    for count in (1000, 1024, 2000, 2048, 4000, 4096, 8192):
        told = BY_WORDS[PROMPT, f"takes the first {count:,} characters of the prompt alone"].told
        assert told is not None
        assert told("a" * 10_000) == "a" * count
    for count in (512, 1024, 2048):
        ids = BY_WORDS[IDS, f"takes the first {count:,} ids alone"].ids
        assert ids is not None
        assert ids(cast("Ground", None), Rendered("", (7,) * 3000)) == (7,) * count
        assert ids(cast("Ground", None), Rendered("")) is None


@pytest.mark.parametrize(
    ("does", "refused", "taken"),
    [
        ("refuses whatever is asked of this template", [[], [USER]], []),
        ("refuses messages without a role", [[USER, {"content": ""}]], [[USER], ["odd"], []]),
        ("refuses messages without content, but for answers", [[USER, {"role": "tool"}]],
         [[{"role": "assistant"}], [CALL], ["odd"], [USER]]),
        ("refuses messages whose content is no text", [[USER, CALL], [{"role": "user"}], [{"content": []}]],
         [[USER], ["odd"], []]),
    ],
)  # fmt: skip
def test_what_is_refused(does: str, refused: list[list[Any]], taken: list[list[Any]]) -> None:
    refuses = BY_WORDS[MESSAGES, does].refuses
    assert refuses is not None
    assert [refuses(each) for each in (*refused, *taken)] == [True] * len(refused) + [False] * len(taken)


def _ids_of(does: str, answers: dict[str, dict[Any, Outcome]], rendered: Rendered) -> tuple[int, ...] | None:
    other = Failed("ValueError", "")
    ground = SimpleNamespace(
        **{side: lambda question, given=given: given.get(question, other) for side, given in answers.items()}
    )
    ids = BY_WORDS[IDS, does].ids
    assert ids is not None
    return ids(cast("Ground", ground), rendered)


def test_other_ids_of_a_prompt() -> None:
    plain, special = Encode("a", add_special_tokens=False), Encode("a")
    as_text = After((EncodeSpecialTokens(True),), plain)
    answers: dict[str, dict[Any, Outcome]] = {
        "expected": {special: Encoded((1, 2)), as_text: Encoded((3,))},
        "actual": {plain: Encoded((4,))},
    }
    rendered, without = Rendered("a", (5, 6)), Rendered("a")
    expected = {
        "makes these ids of the same text outside of conversations, too": (4,),
        "tokenizes the prompt with special tokens added": (1, 2),
        "begins the ids with the first one twice": (5, 5, 6),
        "takes special tokens of the prompt for text": (3,),
        "leaves out the first id": (6,),
    }
    assert {does: _ids_of(does, answers, rendered) for does in expected} == expected
    nothing: dict[str, dict[Any, Outcome]] = {"expected": {}, "actual": {}}
    assert {does: _ids_of(does, nothing, without) for does in expected} == dict.fromkeys(expected)


def test_changes_are_joined_where_they_can_be() -> None:
    stripped, thinking = BY_WORDS[PROMPT, "strips the prompt"], BY_WORDS[MESSAGES, "takes no tools"]
    both = stripped.joined(thinking)
    assert both is not None
    assert (both.name, both.does, both.single) == (PROMPT, "strips the prompt, and takes no tools", False)
    assert (both.told, both.asked, both.of) == (stripped.told, thinking.asked, None)
    other = thinking.joined(stripped)
    assert other is not None
    assert (other.told, other.asked) == (stripped.told, thinking.asked)
    rule = next(each for each in CHANGES if each.rules)
    generating = BY_WORDS[PROMPT, "strips the end of a generation prompt"]
    for one, two in ((rule, generating), (generating, rule)):
        joined = one.joined(two)
        assert joined is not None
        assert (joined.rules, joined.of) == (rule.rules, generating.of)
    refusing = BY_WORDS[MESSAGES, "refuses messages without a role"]
    for one, two in ((stripped, stripped), (thinking, thinking), (refusing, rule), (rule, refusing)):
        assert one.joined(two) is None


# What bears a change out ----------------------------------------------------------------------------------------------

LINES = "{% for each in messages %}<{{ each.role }}>\n{{ each.content }}\n{% endfor %}"
REFUSING = "{% if messages[0].content == 'no' %}{{ raise_exception('never') }}{% endif %}" + LINES

OTHERS = [chat(user(each), add_generation_prompt=True) for each in ("one", " two ", "three")]


@pytest.fixture
def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[Candidate]]:
    """Gives what explains the difference of a chat with a faulty renderer, where these are the other conversations."""
    beside = bundled_file("llama-mini").parent
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(beside / name, tmp_path / name)

    def look(fault: PlantedChat, asked: Chat, controls: list[Chat], template: str = LINES) -> list[Candidate]:
        (tmp_path / "chat_template.jinja").write_text(template)
        monkeypatch.setattr(chat_changes, "_asked_of_all", lambda: tuple(controls))
        source = TokenizerSource("own", str(tmp_path / "tokenizer.json"), str(tmp_path))
        with Bench(ReferenceImplementation(), FaultyChats(fault)) as bench:
            witness = bench.trial(source).witness(asked)
            assert witness is not None, "the fault does not show"
            return list(other_prompts(bench, witness))

    return look


def fault(**options: Any) -> PlantedChat:
    return PlantedChat("planted", ("", ""), **options)


def parameters(candidates: list[Candidate]) -> list[str]:
    return [each.reason.parameter for each in candidates]


STRIPPED = fault(spoil=text(str.rstrip))


def test_what_other_conversations_show_is_a_reason(found: Callable[..., list[Candidate]]) -> None:
    (candidate,) = found(STRIPPED, chat(USER), OTHERS)
    assert candidate.reason.parameter == "it strips the end of the prompt"
    said, same, shown, rival = candidate.reason.proof
    assert said == 'The baseline answers "<user>\\nHi\\n", the implementation "<user>\\nHi".'
    assert same == "An implementation that strips the end of the prompt gives exactly the answer of this one."
    assert shown == "3 other conversations show the same, and none speaks against it."
    assert rival == "So it would be if it strips the prompt; nothing here tells them apart."
    explains, concerns = candidate.reason.explains, candidate.reason.concerns
    assert explains is not None
    assert concerns is not None
    assert [explains(each) for each in (OTHERS[1], Encode("a"))] == [True, False]
    assert [concerns(each) for each in (OTHERS[1], chat(), Encode("a"))] == [True, False, False]


def test_one_other_conversation_is_enough_and_none_is_not(found: Callable[..., list[Candidate]]) -> None:
    (candidate,) = found(STRIPPED, chat(USER), OTHERS[:1])
    assert candidate.reason.proof[2] == "One other conversation shows the same, and none speaks against it."
    assert found(STRIPPED, chat(USER), []) == []
    assert found(STRIPPED, chat(USER), [chat()]) == []  # an empty prompt has no end


def test_what_a_conversation_speaks_against_is_none(found: Callable[..., list[Candidate]]) -> None:
    now_and_then = fault(spoil=text(lambda each: each.rstrip() if "two" not in each else each))
    assert found(now_and_then, chat(USER), OTHERS) == []
    assert parameters(found(now_and_then, chat(USER), OTHERS[::2])) == ["it strips the end of the prompt"]


@pytest.mark.parametrize(
    ("told", "control", "is_found"),
    [
        (lambda each: each.rstrip().replace("two", "2"), "two, and so on", True),
        (lambda each: each.replace("two", "2"), "two, and so on", False),
        (lambda each: each, "two, and so on", False),
        (lambda each: each.replace("two", "2"), "two" + "x" * 39, False),
        # Longer prompts are compared whole: that they are of other reasons is all that is said of them.
        (lambda each: each.replace("two", "2"), "two" + "x" * 40, True),
        (lambda each: each, "two" + "x" * 40, False),
    ],
    ids=["more", "other", "nothing", "other in a short one", "other in a long one", "nothing in a long one"],
)
def test_a_prompt_may_have_the_change_and_more(
    told: Callable[[str], str],
    control: str,
    is_found: bool,
    found: Callable[..., list[Candidate]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(chat_changes, "MOST_COMPARED", len("<user>\ntwo\n") + 39)
    spoil = text(lambda each: told(each) if "two" in each else each.rstrip())
    expected = ["it strips the end of the prompt"] if is_found else []
    assert parameters(found(fault(spoil=spoil), chat(USER), [OTHERS[0], chat(user(control))])) == expected


def test_two_changes_are_found_where_no_single_one_explains(found: Callable[..., list[Candidate]]) -> None:
    both = fault(
        spoil=text(lambda each: each.replace("\n", "\r\n")),
        reword=messages(lambda given: [each for each in given if each["role"] != "system"]),
    )
    others = [chat(SYSTEM, user(each)) for each in ("one", "two")]
    assert parameters(found(both, chat(SYSTEM, USER), others)) == [
        "it writes line breaks as CR LF, and leaves out system messages"
    ]


def test_ids_are_explained_by_themselves(found: Callable[..., list[Candidate]]) -> None:
    def twice(_sound: object, rendered: Rendered) -> Outcome:
        ids = rendered.ids or ()
        return replace(rendered, ids=ids[:1] + ids)

    def without_first(_sound: object, rendered: Rendered) -> Outcome:
        return rendered if "two" in rendered.text else replace(rendered, ids=(rendered.ids or ())[1:])

    (candidate,) = found(fault(spoil=twice), chat(USER), OTHERS)
    assert candidate.reason.parameter == "it begins the ids with the first one twice"
    assert candidate.reason.proof[0].startswith("The baseline answers ids [")
    now_and_then = fault(spoil=without_first)
    assert found(now_and_then, chat(USER), OTHERS) == []
    assert parameters(found(now_and_then, chat(USER), OTHERS[::2])) == ["it leaves out the first id"]


def test_what_is_refused_by_both_is_agreement(found: Callable[..., list[Candidate]]) -> None:
    assert parameters(found(STRIPPED, chat(USER), [chat(user("no")), *OTHERS], REFUSING)) == [
        "it strips the end of the prompt"
    ]


def _refusing(_sound: object, _rendered: Rendered) -> Outcome:
    return Failed("TemplateError", "not so")


def test_what_refuses_all_is_told(found: Callable[..., list[Candidate]]) -> None:
    (candidate,) = found(fault(spoil=_refusing), chat(USER), OTHERS)
    assert candidate.reason.parameter == "it refuses whatever is asked of this template"
    assert candidate.reason.proof[0].endswith('the implementation with an error, TemplateError: "not so".')


def test_what_refuses_some_for_no_known_reason_is_not(found: Callable[..., list[Candidate]]) -> None:
    def spoil(_sound: object, rendered: Rendered) -> Outcome:
        return Failed("TemplateError", "not so") if "Hi" in rendered.text or "one" in rendered.text else rendered

    assert found(fault(spoil=spoil), chat(USER), OTHERS) == []


@pytest.mark.parametrize(
    ("said", "message", "is_found"),
    [("no user", "it says: no user!", True), ("no user", "not so", False), ("", "not so", False)],
)
def test_what_is_refused_in_the_words_of_the_template_is_explained(
    said: str, message: str, is_found: bool, found: Callable[..., list[Candidate]]
) -> None:
    template = f"{{% if messages[0].role == 'user' %}}{{{{ raise_exception('{said}') }}}}{{% endif %}}{LINES}"

    def spoil(_sound: object, rendered: Rendered) -> Outcome:
        return Failed("TemplateError", message) if "<system>" in rendered.text else rendered

    controls = [chat(SYSTEM, user("one")), chat(ANSWER, USER)]
    expected = ["it leaves out system messages"] if is_found else []
    assert parameters(found(fault(spoil=spoil), chat(SYSTEM, USER), controls, template)) == expected


def test_what_refuses_more_than_is_explained_is_not(found: Callable[..., list[Candidate]]) -> None:
    template = "{% if messages[0].role == 'user' %}{{ raise_exception('no user') }}{% endif %}" + LINES

    def spoil(_sound: object, rendered: Rendered) -> Outcome:
        return Failed("TemplateError", "no user") if "<system>" in rendered.text else rendered

    controls = [chat(SYSTEM, user("one")), chat(ANSWER, USER), chat(ANSWER, SYSTEM)]
    assert found(fault(spoil=spoil), chat(SYSTEM, USER), controls, template) == []
