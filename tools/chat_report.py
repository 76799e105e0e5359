"""Write what renderers make of the chat templates of published models, from the record of a run: reports/chat.md.

    tokconf run MODEL… --chat -i reference RENDERER… --json RECORD

``tools/publish_reports.py`` has the page written from that record. Every number and example on it is the record's.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tabulate import tabulate

from tokenizer_conformance.escape import visible
from tokenizer_conformance.plural import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

Line = dict[str, Any]

BEGINNING = """# Chat templates through {count} renderers

<!-- Written by tools/chat_report.py; do not edit. -->

{headline}

{renderers}

The chat templates of {templates} published models, each with {conversations} built-in conversations: ordinary ones,
ones with tools, ones whose content is no text, hostile ones. Each conversation is rendered as it is, with
`add_generation_prompt`, and with `continue_final_message` where an answer is last. Prompts, and their ids where a
renderer has a tokenizer, are compared with those of the reference. Two refusals agree, whatever they say.

## How many conversations agree

{table}

*Alone*: one side refused, or gave no answer. {missing}

## Why they differ

A difference is explained where the reason is proven: the reference, with this one thing changed, gives exactly the
prompt of the renderer, for the example and for other conversations, and no conversation speaks against it. Where
another reason gives the same prompts and no conversation tells the two apart, both are told, and *several reasons fit*.
A refusal shows little of its reason: what the renderer says
of it stands in the example. Conversations are counted for each template.
"""

MOST = 64
"""How many characters of a prompt are shown."""

MOST_MESSAGES = 110
"""How many characters of a conversation are shown."""

MOST_UNEXPLAINED = 5
"""How many examples are shown of what a renderer does without an explanation."""


def page(lines: Sequence[Line]) -> str:
    """Return the page of a record. Raises ``LookupError`` where it is not that of a finished command."""
    header, footer = lines[0], lines[-1]
    if footer["type"] != "footer" or not footer["finished"]:
        raise LookupError("the record is not that of a finished command")
    results = {line["tokenizer"]: line for line in lines if line["type"] == "tokenizer"}
    causes: dict[str, list[Line]] = defaultdict(list)
    for each in sorted(footer["causes"], key=lambda cause: -cause["inputs"]):
        causes[each["implementation"]].append(each)
    renderers = [each for each in header["implementations"] if each["name"] != header["baseline"]]
    names = [each["name"] for each in renderers]
    counts = {name: counts_of(name, results.values(), causes[name]) for name in names}
    beginning = BEGINNING.format(
        count=len(header["implementations"]),
        headline=headline(counts),
        renderers=renderers_table(renderers, counts),
        templates=len(results),
        conversations=max(line["inputs"] for line in results.values()),
        table=agreement_table(names, results),
        missing=not_asked(names, results),
    )
    return beginning + "".join(section(name, causes[name], counts[name]) for name in names if counts[name].differing)


def headline(counts: Mapping[str, Counts]) -> str:
    """Say of which renderers all differences are explained, and of the others how many."""
    asked = {name: each for name, each in counts.items() if each.asked}
    whole = [name for name, each in asked.items() if each.proven == each.differing]
    told = [f"all differences of {', '.join(whole)} are explained"] if whole else []
    for name, n in asked.items():
        if name not in whole:
            fitting = f" (for {n.fitting:,}, several reasons fit)" if n.fitting else ""
            told.append(f"of {name} {n.proven:,} of {n.differing:,}{fitting}")
    text = "; ".join(told)
    return f"**{text[:1].upper()}{text[1:]}.**"


@dataclass(frozen=True, slots=True)
class Counts:
    """How many conversations a renderer was ``asked`` about, and how many are ``differing``.

    Of these the reason is ``proven`` for so many, and for others several reasons are ``fitting``.
    """

    asked: int
    differing: int
    proven: int
    fitting: int


def counts_of(name: str, results: Iterable[Line], causes: Iterable[Line]) -> Counts:
    """Count the conversations of the renderer called ``name``, which has ``causes``."""
    found = [verdicts(_of(line, name)) for line in results]
    agreeing = sum(each.get(verdict, 0) for each in found for verdict in AGREEING)
    asked = sum(sum(each.values()) for each in found)
    proven = {False: 0, True: 0}
    for cause in filter(is_proven, causes):
        proven[has_rivals(cause)] += cause["inputs"]
    return Counts(asked, asked - agreeing, proven[False], proven[True])


def is_proven(cause: Line) -> bool:
    """Return whether experiments bear out the reason of ``cause``."""
    return bool(cause["reason"]["proof"])


UNDECIDED = "nothing here tells them apart"
"""What a proof says where another reason explains the same."""


def has_rivals(cause: Line) -> bool:
    """Return whether other reasons explain what ``cause`` explains."""
    return any(UNDECIDED in sentence for sentence in cause["reason"]["proof"])


# Tables ---------------------------------------------------------------------------------------------------------------

AGREEING = ("agree", "both_error")
ALONE = ("error", "crash", "timeout", "protocol")


def renderers_table(renderers: Sequence[Line], counts: Mapping[str, Counts]) -> str:
    """Return one row for each renderer: how many conversations agree, differ, and why they do."""
    rows = [
        [
            title(each),
            each["language"],
            f"{n.asked - n.differing:,} of {n.asked:,}",
            f"{n.differing:,}",
            f"{n.proven:,}",
            f"{n.fitting:,}",
        ]
        for each in renderers
        for n in (counts[each["name"]],)
    ]
    heads = ["renderer", "language", "conversations that agree", "differ", "explained", "several reasons fit"]
    return tabulate(rows, heads, tablefmt="github", disable_numparse=True)


def title(implementation: Line) -> str:
    """Return the name of an implementation with its version."""
    name, version = implementation["name"], implementation["version"]
    return name if name.endswith(f"@{version}") else f"{name} {version}"


def agreement_table(names: Sequence[str], results: Mapping[str, Line]) -> str:
    """Return for each template and renderer how many conversations agree."""
    rows = [[model, *(_cell(verdicts(_of(line, name))) for name in names)] for model, line in results.items()]
    return tabulate(rows, ["template of", *names], tablefmt="github", disable_numparse=True)


def _of(line: Line, name: str) -> Line:
    found: Line = next(each for each in line["results"] if each["implementation"] == name)
    return found


def verdicts(result: Line) -> dict[str, int]:
    """Return how many conversations have each verdict, of those that the renderer can be asked about."""
    found = result["stages"].get("chat", {"inputs": {}})["inputs"]
    return {name: count for name, count in found.items() if name != "unsupported"}


def _cell(found: Mapping[str, int]) -> str:
    every = sum(found.values())
    if not every:
        return "not asked"
    alike, alone = (sum(found.get(name, 0) for name in kinds) for kinds in (AGREEING, ALONE))
    if alike == every:
        return f"all {every}"
    counts = ((every - alike - alone, "differ"), (alone, "alone"))
    return ", ".join([f"{alike} of {every}", *(f"{count} {what}" for count, what in counts if count)])


def not_asked(names: Sequence[str], results: Mapping[str, Line]) -> str:
    """Say which renderers say of which templates that they cannot be asked."""
    models = {name: [model for model, line in results.items() if not verdicts(_of(line, name))] for name in names}
    missing = [f"{name} about {', '.join(each)}" for name, each in models.items() if each]
    return f"*Not asked*, as the renderer or its adapter says that it cannot: {'; '.join(missing)}." if missing else ""


# Causes ---------------------------------------------------------------------------------------------------------------

KEPT = ("none speaks against it", UNDECIDED)
"""What the sentences of a proof have in them that are told; the others repeat the example."""


def section(name: str, causes: Sequence[Line], counts: Counts) -> str:
    """Return what is told of the renderer called ``name``."""
    others = [each for each in causes if not is_proven(each)]
    told = [f"\n### {name}\n", *(item(each) for each in causes if is_proven(each))]
    if unexplained := counts.differing - counts.proven - counts.fitting:
        shown = others[:MOST_UNEXPLAINED]
        left = f" Of {len(others)} kinds the most frequent:" if len(others) > len(shown) else ""
        told.append(f"\n**Not explained: {counted(unexplained, 'conversation')}.**{left}\n")
        told += [f"\n{where(each)}\n{example(each)}" for each in shown]
    return "".join(told)


def item(cause: Line) -> str:
    """Return a cause with its proof and an example."""
    reason = cause["reason"]
    proof = " ".join(each for each in reason["proof"] if any(words in each for words in KEPT))
    words = reason["parameter"]
    return f"\n**{words[:1].upper()}{words[1:]}.** {where(cause)} {proof}\n{example(cause)}"


def where(cause: Line) -> str:
    """Say how many conversations a cause has, and on which templates."""
    return f"{counted(cause['inputs'], 'conversation')}: {', '.join(cause['tokenizers'])}."


def example(cause: Line) -> str:
    """Return the smallest conversation of a cause with both answers, as a block."""
    sides = {"reference": "baseline", cause["implementation"]: "implementation"}
    width = max(map(len, (*sides, cause["tokenizer"])))
    told = {name: answer(cause["answers"][side], cause["difference"]) for name, side in sides.items()}
    lines = [f"{name:{width}}  {text}" for name, text in {cause["tokenizer"]: asked(cause["question"]), **told}.items()]
    return "\n".join(["", "```text", *lines, "```", ""])


def asked(question: Line) -> str:
    """Return what was asked: messages and tools as JSON, and options."""
    parts = [_cut(question["messages"], 0, MOST_MESSAGES)]
    parts += [f"tools {_cut(question['tools'], 0, MOST_MESSAGES)}"] if question["tools"] is not None else []
    return ", ".join([*parts, *_options(question)])


def _options(question: Line) -> Iterator[str]:
    return (name for name in ("add_generation_prompt", "continue_final_message") if question[name])


def answer(told: Line, difference: Line) -> str:
    """Return what is around the place in a prompt, or in its ids where these differ; or why there is no answer."""
    place = difference["position"] or 0
    if told["outcome"] != "Rendered":
        return f"refuses it: {_cut(told['answer'].get('message', told['outcome']), 0, MOST_MESSAGES)}"
    if difference["field"] == "ids":
        return f"ids … {' '.join(map(str, told['answer']['ids'][max(0, place - 3) : place + 5]))} …"
    return _cut(told["answer"]["text"], place, MOST) or "the empty text"


def _cut(text: str, place: int, most: int) -> str:
    """Return so much of ``text``, around ``place``, with hidden characters as escapes."""
    start = max(0, min(place - most // 2, len(text) - most))
    return f"{'…' if start else ''}{visible(text[start : start + most])}{'…' if start + most < len(text) else ''}"
