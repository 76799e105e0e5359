"""From turn to turn: what an engine has kept must still be true, and a prompt must end where training goes on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.escape import quoted
from tokenizer_conformance.research.file_audit.chat.audited_chat import (
    ANSWER,
    CALL,
    NEXT,
    QUESTION,
    RESULT,
    SHOWN,
    TOOL,
    answer,
    around,
    common_length,
    forms_of,
    system,
    user,
)
from tokenizer_conformance.research.file_audit.finding import Defect, Example, FoundDefect, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.research.file_audit.chat.audited_chat import AuditedChat, Message, Prompt

PREFIX_CHANGED = Defect(
    "chat-prefix-changed",
    "The next turn writes earlier turns in another way",
    Severity.WARNING,
    "What an engine has computed for a prompt and its answer is of no use for the next prompt from there on.",
    "Have the template write a message in one way wherever it stands; keep thoughts in earlier turns, if the model "
    "was trained so.",
)
PROMPT_UNLIKE = Defect(
    "chat-generation-prompt-unlike",
    "The generation prompt is not what stands before an answer in a whole conversation",
    Severity.WARNING,
    "The model is asked to begin an answer in a way that it has not seen in training, if it was trained on "
    "conversations that this template wrote.",
    "Have the template write the same before an answer as in its generation prompt.",
)
PROMPT_IGNORED = Defect(
    "chat-generation-prompt-ignored",
    "add_generation_prompt has no effect",
    Severity.WARNING,
    "The model has to write the beginning of its own message, or goes on with that of the user.",
    "Write the beginning of an answer in the template, under {% if add_generation_prompt %}.",
)
PROMPT_ALWAYS = Defect(
    "chat-generation-prompt-always",
    "The beginning of an answer is written even where none is asked for",
    Severity.WARNING,
    "Texts for training end in the beginning of an answer that does not come.",
    "Write it under {% if add_generation_prompt %}.",
)
CONTINUED = Defect(
    "chat-continue",
    "An answer cannot be continued as it stands",
    Severity.WARNING,
    "Whoever gives the beginning of an answer gets an error, or another beginning.",
    "Give it without white space at its ends, or leave `| trim` out of the template.",
)
DATED = Defect(
    "chat-date",
    "The prompt changes with the date",
    Severity.NOTE,
    "The same conversation has another prompt on another day: caches are lost, and results cannot be repeated.",
    "Give the date as a variable of the template where it has one for that, or write it into the system message.",
)

DEFECTS = (PREFIX_CHANGED, PROMPT_UNLIKE, PROMPT_IGNORED, PROMPT_ALWAYS, CONTINUED, DATED)

THOUGHT = "They want a number."
THINKING = f"<think>\n{THOUGHT}\n</think>\n\n{ANSWER}"


def check_turns(chat: AuditedChat) -> Iterator[FoundDefect]:
    """Yield what goes wrong from one turn to the next."""
    if chat.prompt(user(QUESTION), add_generation_prompt=True).refusal is not None:
        return
    yield from _prefixes(chat)
    yield from _generation_prompt(chat)
    yield from _continued(chat)
    yield from _dated(chat)


# What an engine keeps -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Turn:
    """A prompt, what the model ``says`` after it as it is sampled, and the messages ``then`` of the next prompt."""

    called: str
    before: tuple[Message, ...]
    says: str
    then: tuple[Message, ...]
    tools: tuple[Message, ...] | None = None


_CALLING = (user(QUESTION), CALL, RESULT)

TURNS = (
    _Turn("an answer", (user(QUESTION),), ANSWER, (answer(ANSWER), user(NEXT))),
    _Turn("an answer after a system message", (system(NEXT), user(QUESTION)), ANSWER, (answer(ANSWER), user(NEXT))),
    _Turn("an answer with thoughts", (user(QUESTION),), THINKING, (answer(THINKING), user(NEXT))),
    _Turn(
        "an answer whose thoughts are sent apart",
        (user(QUESTION),),
        ANSWER,
        (answer(ANSWER, reasoning_content=THOUGHT), user(NEXT)),
    ),
    _Turn("an answer where tools are given", (user(QUESTION),), ANSWER, (answer(ANSWER), user(NEXT)), (TOOL,)),
    _Turn("an answer after the result of a tool", _CALLING, ANSWER, (answer(ANSWER), user(NEXT)), (TOOL,)),
    _Turn("the call of a tool and its result", (user(QUESTION),), "", (CALL, RESULT), (TOOL,)),
)


def _prefixes(chat: AuditedChat) -> Iterator[FoundDefect]:
    found = [(turn, prompt, said) for turn in TURNS for prompt, said in _changed(chat, turn)]
    thinks = any("<think>" in prompt.text for _, prompt, _ in found) or _knows_thoughts(chat)
    found = [each for each in found if not _thinks(each[0]) or (thinks and _is_shown(chat, each[0]))]
    if found:
        examples = tuple(Example((), f"{turn.called}: {said}", prompt.witness(said)) for turn, prompt, said in found)
        names = "; ".join(turn.called for turn, _, _ in found)
        _, prompt, said = found[0]
        yield FoundDefect(
            PREFIX_CHANGED,
            (),
            f"seen in these conversations: {names}",
            witness=prompt.witness(said),
            count=len(found),
            examples=examples,
        )


def _thinks(turn: _Turn) -> bool:
    return THOUGHT in str(turn.then[0])


def _is_shown(chat: AuditedChat, turn: _Turn) -> bool:
    """Say whether the template writes thoughts that come as those of ``turn`` do, where their answer is the last."""
    said = turn.then[0]
    return any(THOUGHT in (chat.text(user(QUESTION), each) or "") for each in (said, {**CALL, **said, "content": ""}))


def _knows_thoughts(chat: AuditedChat) -> bool:
    """Say whether the template, or the tokenizer, knows of thoughts in this form."""
    return "think>" in chat.template.text or any("think>" in each for each in chat.control_tokens.values())


def _changed(chat: AuditedChat, turn: _Turn) -> Iterator[tuple[Prompt, str]]:
    """Yield the next prompt where it does not begin with the one before and the answer, and where they part."""
    first = chat.asking(*turn.before, tools=turn.tools)
    prompt = chat.prompt(*turn.before, *turn.then, tools=turn.tools, add_generation_prompt=True)
    if first is None or prompt.refusal is not None:
        return
    said = _said(chat, turn, first)
    if said and not prompt.text.startswith(tuple(first + each for each in said)):
        kept = first + said[0]
        place = common_length(kept, prompt.text)
        which = "the prompt before" if place < len(first) else "the prompt before and the answer"
        yield prompt, f"{which} had {_from(kept, place)}; the next prompt has {_from(prompt.text, place)}"


def _said(chat: AuditedChat, turn: _Turn, first: str) -> tuple[str, ...]:
    """Return what the model says after the prompt ``first``, in the forms that a template may write; none: not known.

    That is what the template writes there for the answer as the last message: a model was trained so. Thoughts inside
    a content it says as they stand, for templates take them out.
    """
    message = turn.then[0]
    if not turn.says:
        return ("",)
    whole = chat.text(*turn.before, message if turn.says == ANSWER else answer(ANSWER), tools=turn.tools) or ""
    if not whole.startswith(first) or ANSWER not in whole[len(first) :]:
        return forms_of(turn.says) if ANSWER in whole and THOUGHT not in str(message.get("reasoning_content")) else ()
    before = whole[len(first) : whole.rindex(ANSWER)]
    if turn.says == ANSWER:
        return tuple(before + form for form in forms_of(ANSWER))
    opened = "<think>\n"
    says = turn.says.removeprefix(opened) if first.endswith(opened) else turn.says
    return tuple(("" if "think>" in before else before) + form for form in forms_of(says))


def _from(text: str, place: int) -> str:
    """Return ``text`` from ``place`` on, quoted, and a little of what is before it."""
    return around(text, place) if text[place:] else f"nowhere after {quoted(text[max(0, place - SHOWN) :])}"


# The generation prompt ------------------------------------------------------------------------------------------------


def _generation_prompt(chat: AuditedChat) -> Iterator[FoundDefect]:
    plain, asking = chat.text(user(QUESTION)), chat.prompt(user(QUESTION), add_generation_prompt=True)
    full = chat.prompt(user(QUESTION), answer(ANSWER))
    if full.refusal is not None or plain is None or ANSWER not in full.text:
        return
    goes_on = full.text.startswith(asking.text) and ANSWER in full.text[len(asking.text) :]
    is_next = goes_on and full.text[len(asking.text) :].lstrip().startswith(ANSWER)
    has_no_effect = asking.text == plain
    if has_no_effect and _is_always_there(chat, asking.text, full.text):
        shown = f"with add_generation_prompt or without, the prompt ends {quoted(full.text[-SHOWN:])}"
        yield FoundDefect(PROMPT_ALWAYS, (), "a conversation that is over ends in one", witness=full.witness(shown))
    elif has_no_effect and not is_next:
        shown = f"with it or without, the prompt ends {quoted(plain[-SHOWN:])}"
        yield FoundDefect(PROMPT_IGNORED, (), shown, witness=asking.witness(shown))
    elif not has_no_effect and not goes_on:
        wanted = asking.text + ANSWER
        place = common_length(wanted, full.text)
        shown = f"the prompt and an answer go on {_from(wanted, place)}, the whole {_from(full.text, place)}"
        yield FoundDefect(PROMPT_UNLIKE, (), shown, witness=full.witness(shown))


def _is_always_there(chat: AuditedChat, asking: str, full: str) -> bool:
    """Say whether a conversation that ends with an answer ends as one that waits for an answer does.

    What follows an answer is then another text where a message of the user is next.
    """
    after = chat.text(user(QUESTION), answer(ANSWER), user(NEXT))
    if after is None or ANSWER not in full or QUESTION not in asking:
        return False
    tail, waiting = full[full.rindex(ANSWER) + len(ANSWER) :], asking[asking.rindex(QUESTION) + len(QUESTION) :]
    is_same_end = bool(tail) and waiting.strip() != "" and tail.endswith(waiting[-len(waiting.lstrip()) :][-SHOWN:])
    return is_same_end and not after.startswith(full)


def _continued(chat: AuditedChat) -> Iterator[FoundDefect]:
    found: list[tuple[Prompt, str]] = []
    for text in (ANSWER, f"{ANSWER} ", f"\n{ANSWER}"):
        prompt = chat.prompt(user(QUESTION), answer(text), continue_final_message=True)
        if prompt.refusal is not None:
            found.append((prompt, f"{quoted(text)} is refused: {quoted(prompt.refusal.message)}"))
        elif not prompt.text.endswith(forms_of(text)):
            found.append((prompt, f"{quoted(text)} is last, and the prompt ends {quoted(prompt.text[-SHOWN:])}"))
    if found and ANSWER in (chat.text(user(QUESTION), answer(ANSWER)) or ""):
        examples = tuple(Example((), said, prompt.witness(said)) for prompt, said in found)
        prompt, said = found[0]
        yield FoundDefect(CONTINUED, (), said, witness=prompt.witness(said), count=len(found), examples=examples)


def _dated(chat: AuditedChat) -> Iterator[FoundDefect]:
    prompt = chat.prompt(user(QUESTION))
    other = chat.template.rendered_on_another_day([user(QUESTION)])
    if prompt.refusal is None and isinstance(other, str) and other != prompt.text:
        place = common_length(prompt.text, other)
        shown = f"the prompt has {prompt.near(place)}, and on another day {around(other, place)}"
        yield FoundDefect(DATED, (), shown, witness=prompt.witness(shown))
