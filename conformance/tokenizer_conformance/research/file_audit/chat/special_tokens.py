"""Special tokens of prompts: added twice, not at all, or of another name; and those that a user writes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_conformance.escape import quoted
from tokenizer_conformance.research.file_audit.audited import is_id
from tokenizer_conformance.research.file_audit.chat.audited_chat import ANSWER, QUESTION, answer, around, user
from tokenizer_conformance.research.file_audit.finding import Defect, FoundDefect, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.research.file_audit.chat.audited_chat import AuditedChat, Prompt

BOS_TWICE = Defect(
    "chat-bos-twice",
    "A prompt that is tokenized like any text begins with its first token twice",
    Severity.WARNING,
    "The template writes the token, and the post-processor adds it. The model was trained with one.",
    "Tokenize rendered prompts with add_special_tokens=False, or leave the token out of one of the two.",
)
BOS_NOT_WRITTEN = Defect(
    "chat-bos-not-written",
    "The template does not write the token that every other text begins with",
    Severity.NOTE,
    "The post-processor adds it. Prompts that are tokenized without special tokens, as apply_chat_template does, have "
    "none, and those that are tokenized like any text have one.",
    "Find out what the model was trained on; where it saw the token, begin the template with {{ bos_token }}.",
)
BOS_OTHER = Defect(
    "chat-bos-other",
    "Template and post-processor begin a text with different tokens",
    Severity.WARNING,
    "A prompt that is tokenized like any text begins with both.",
    "Make bos_token of tokenizer_config.json and the post-processor the same token.",
)
BOS_LATE = Defect(
    "chat-bos-not-first",
    "The token that begins a text stands behind other text in the prompt",
    Severity.WARNING,
    "A model was trained with it at the beginning. A prompt that is tokenized like any text has it in both places.",
    "Write nothing before {{ bos_token }}: white space at the beginning of the template counts, and so do blocks.",
)
EOS_AFTER_PROMPT = Defect(
    "chat-eos-after-prompt",
    "A prompt that is tokenized like any text ends with a token that ends texts",
    Severity.WARNING,
    "The post-processor adds it behind the generation prompt: the model is asked to go on after an end.",
    "Tokenize rendered prompts with add_special_tokens=False.",
)
INJECTED = Defect(
    "chat-injection",
    "Special tokens that a user writes become control tokens",
    Severity.WARNING,
    "A user can end the own message, and forge one of the system or of the model.",
    "Escape or remove them in what users, tools and documents say, or tokenize messages apart from the template, with "
    "special tokens taken as text.",
)
NO_TOKEN = Defect(
    "chat-marker-no-token",
    "A control token of the template is no token in its prompts",
    Severity.WARNING,
    "It is cut apart like any other text: the template was written for another tokenizer, tokens were not added, or "
    "are looked for in normalized text.",
    "Add it to $.added_tokens of tokenizer.json with the id of the training and false for `normalized`, or take the "
    "template of this model.",
)
END_OTHER = Defect(
    "chat-end-other",
    "The token that ends an answer is not the eos_token",
    Severity.WARNING,
    "Whoever stops at eos_token alone goes on after the answer, into turns that the model makes up.",
    "Name the token in eos_token, or in eos_token_id of generation_config.json; or give it to the engine as a stop.",
)
NO_END = Defect(
    "chat-no-end",
    "No token ends the last answer of a conversation",
    Severity.WARNING,
    "A model that is trained on such texts does not learn when to stop.",
    "End the model's messages with {{ eos_token }}, or another added token.",
)

END_TWICE = Defect(
    "chat-end-twice",
    "The token that ends an answer is written twice",
    Severity.WARNING,
    "The model sees in earlier turns what it never writes itself, as it stops at the first.",
    "Have the template write the token once.",
)

DEFECTS = (
    BOS_TWICE,
    BOS_NOT_WRITTEN,
    BOS_OTHER,
    BOS_LATE,
    EOS_AFTER_PROMPT,
    INJECTED,
    NO_TOKEN,
    END_OTHER,
    NO_END,
    END_TWICE,
)

FEW = 3

MARKER = re.compile(r"<\|[^|<>\s]{1,40}\|>|<\uff5c[^\uff5c<>\s]{1,60}\uff5c>")
"""What is written for a token and nothing else."""


def check_special_tokens(chat: AuditedChat) -> Iterator[FoundDefect]:
    """Yield what is wrong with the special tokens of prompts."""
    prompt = chat.prompt(user(QUESTION), add_generation_prompt=True)
    if prompt.refusal is None:
        yield from _around(chat, prompt)
        yield from _markers(chat, prompt)
        yield from _injected(chat, prompt)
    yield from _end(chat)


def _around(chat: AuditedChat, prompt: Prompt) -> Iterator[FoundDefect]:
    """Yield what adding special tokens to the prompt does."""
    plain, whole = chat.ids(prompt.text), chat.ids(prompt.text, add_special_tokens=True)
    if not plain or not whole or len(whole) <= len(plain):
        return
    begin = next((at for at in range(len(whole) - len(plain) + 1) if whole[at : at + len(plain)] == plain), None)
    if begin is None:
        return
    before, after = whole[:begin], whole[begin + len(plain) :]
    first, rest = _names(chat, before), f"the prompt begins {quoted(prompt.text[:60])}"
    shown = f"with special tokens the ids begin {_listed(whole)}, without them {_listed(plain)}; {rest}"
    if before and plain[: len(before)] == before:
        message = f"the template writes {first}, and the post-processor adds it once more"
        yield FoundDefect(BOS_TWICE, (), message, witness=prompt.witness(shown))
    elif before and _begins_with_token(chat, prompt):
        message = f"the template writes {_names(chat, plain[:1])}, and the post-processor adds {first}"
        yield FoundDefect(BOS_OTHER, (), message, witness=prompt.witness(shown))
    elif before and (late := _late(chat, before, prompt)):
        yield FoundDefect(BOS_LATE, (), f"the prompt begins {quoted(late)}", witness=prompt.witness(shown))
    elif before and not prompt.text.startswith(chat.token("bos_token") or "\0"):
        message = f"the post-processor adds {first} to a text, and the template writes none"
        yield FoundDefect(BOS_NOT_WRITTEN, (), message, witness=prompt.witness(shown))
    if after:
        message = f"the post-processor adds {_names(chat, after)} behind the prompt"
        ending = f"the prompt ends {quoted(prompt.text[-60:])}, its ids with special tokens {_listed(whole[-8:])}"
        yield FoundDefect(EOS_AFTER_PROMPT, (), message, witness=prompt.witness(ending))


def _late(chat: AuditedChat, before: tuple[int, ...], prompt: Prompt) -> str:
    """Return the prompt up to the token that the post-processor writes ``before`` it; empty: it has it nowhere else."""
    token = chat.control_tokens.get(before[0], "")
    place = prompt.text.find(token) if token else -1
    return prompt.text[: place + len(token)][-60:] if place > 0 else ""


def _begins_with_token(chat: AuditedChat, prompt: Prompt) -> bool:
    """Say whether the prompt begins with its bos_token, which is a token."""
    bos = chat.token("bos_token")
    return bos is not None and prompt.text.startswith(bos) and bos in chat.control_tokens.values()


def _names(chat: AuditedChat, ids: tuple[int, ...]) -> str:
    names = {number: token for token, number in chat.file.vocabulary.items() if number in ids}
    return " and ".join(f"{quoted(names.get(each, '?'))} (id {each})" for each in ids)


def _listed(ids: tuple[int, ...], most: int = 8) -> str:
    return f"[{', '.join(map(str, ids[:most]))}{', …' if len(ids) > most else ''}]"


def _markers(chat: AuditedChat, prompt: Prompt) -> Iterator[FoundDefect]:
    """Yield the tokens that the template writes and that are cut apart in a prompt."""
    texts = [prompt.text, _full(chat)]
    named = [each for each in chat.template.special_tokens.values() if each and any(each in text for text in texts)]
    found = [(marker, _cut_apart(chat, marker, texts)) for marker in _written(named, texts)]
    cut = [(marker, shown) for marker, shown in found if shown is not None]
    if cut:
        names = ", ".join(quoted(marker) for marker, _ in cut)
        marker, shown = cut[0]
        ids = _listed(chat.ids(shown) or ())
        message = f"the template writes {names}, and in the prompt {'it is' if len(cut) == 1 else 'each is'} cut apart"
        result = f"the prompt has {around(shown, shown.find(marker))}, and the ids begin {ids}"
        yield FoundDefect(NO_TOKEN, (), message, witness=prompt.witness(result), count=len(cut))


def _written(named: list[str], texts: list[str]) -> list[str]:
    return [*dict.fromkeys([*named, *(marker for text in texts for marker in MARKER.findall(text))])]


def _cut_apart(chat: AuditedChat, marker: str, texts: list[str]) -> str | None:
    """Return the first of ``texts`` with a ``marker`` that has no id of its own there, ``None`` where all have."""
    number = chat.file.vocabulary.get(marker)
    for text in texts:
        ids = chat.ids(text)
        if ids is not None and text.count(marker) > (0 if number is None else ids.count(number)):
            return text
    return None


def _injected(chat: AuditedChat, prompt: Prompt) -> Iterator[FoundDefect]:
    """Yield what becomes of the tokens of the template where a user writes them."""
    of_template = [*dict.fromkeys([*chat.controls_in(prompt.text), *chat.controls_in(_full(chat))])]
    taken = [each for each in of_template if _is_taken(chat, each)]
    if not taken:
        return
    names = ", ".join(map(quoted, taken[:FEW]))
    more = f" and {len(taken) - FEW:,} more" if len(taken) > FEW else ""
    shown = chat.prompt(user(f"{QUESTION} {taken[-1]}"), add_generation_prompt=True)
    number = next(each for each, token in chat.control_tokens.items() if token == taken[-1])
    counts = [(chat.ids(each.text) or ()).count(number) for each in (shown, prompt)]
    result = (
        f"id {number} is in the prompt {_times(counts[0])}, and without the token in the message {_times(counts[1])}"
    )
    message = f"{names}{more} in a user's message"
    yield FoundDefect(INJECTED, (), message, witness=shown.witness(result))


def _times(count: int) -> str:
    return {0: "not at all", 1: "once"}.get(count, f"{count} times")


def _full(chat: AuditedChat) -> str:
    return chat.text(user(QUESTION), answer(ANSWER)) or ""


def _is_taken(chat: AuditedChat, token: str) -> bool:
    """Say whether ``token`` in a user's message becomes one more of the control tokens of the prompt."""
    number = next(each for each, name in chat.control_tokens.items() if name == token)
    with_it, without = chat.asking(user(f"{QUESTION} {token}")), chat.asking(user(QUESTION))
    if with_it is None or without is None:
        return False
    return (chat.ids(with_it) or ()).count(number) > (chat.ids(without) or ()).count(number)


# The end of an answer -------------------------------------------------------------------------------------------------


def _end(chat: AuditedChat) -> Iterator[FoundDefect]:
    full = chat.prompt(user(QUESTION), answer(ANSWER))
    if full.refusal is not None or ANSWER not in full.text:
        return
    end = full.text.rindex(ANSWER) + len(ANSWER)
    tail = full.text[end:]
    controls = chat.controls_in(full.text)[len(chat.controls_in(full.text[:end])) :]
    shown = full.witness(f"after the answer the prompt {f'goes on {quoted(tail[:60])}' if tail else 'ends'}")
    if not controls:
        written = f"only {quoted(tail[:60])}" if tail else "nothing"
        yield FoundDefect(NO_END, (), f"after the last answer the template writes {written}", witness=shown)
        return
    if controls[:2] == 2 * controls[:1]:
        message = f"after an answer the template writes {quoted(tail[:60])}"
        yield FoundDefect(END_TWICE, (), message, witness=shown)
    eos = chat.token("eos_token")
    stops = _stops(chat)
    if eos is not None and eos not in controls and controls[0] not in stops:
        message = f"answers end with {quoted(controls[0])}, and eos_token is {quoted(eos)}"
        yield FoundDefect(END_OTHER, (), message, witness=shown)


def _stops(chat: AuditedChat) -> set[str]:
    """Return the tokens at which ``generation_config.json`` says to stop, where the checkpoint has one."""
    try:
        stated = json.loads((Path(chat.template.folder) / "generation_config.json").read_text("utf-8"))
    except (OSError, ValueError):
        return set()
    ids = stated.get("eos_token_id") if isinstance(stated, dict) else None
    return {chat.control_tokens.get(each, "") for each in (ids if isinstance(ids, list) else [ids]) if is_id(each)}
