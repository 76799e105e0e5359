r"""How requirements are written down before their expected values are known: areas, requirements, cases, questions.

A recipe says what is asked and why. ``tools/generate_requirements.py`` asks the reference and every release of
``tokenizers`` and writes what they answer beside it: no recipe holds an expected value. A module of this package
defines one or more :class:`Area`; :data:`AREAS` has them all, in the order in which the specification reads.

Questions about a text
    :func:`text` asks a tokenizer everything that it can be asked about each of some texts, stage by stage;
    :func:`pair`, :func:`words`, :func:`batch`, :func:`ids`, :func:`stream`, :func:`chat`, :func:`vocabulary`,
    :func:`saved`, :func:`written` and :func:`changed` ask about the rest, :func:`refused` that a file is not loaded. Each gives questions; a
    :func:`case` is one tokenizer with the questions that belong together, and passes if all answers are right.

A requirement is a head (``"ID: title"``), its rule, the mistakes that it finds, and cases, alone or in lists::

    STRIP.requirement(
        "STRIP-INSIDE-STAYS: White space inside the text stays",
        "White space between other characters stays as it is.",
        "Ports collapse inner runs of spaces, as some clean-up functions do.",
        normalizing(_strip(), *row(" a  b •a\tb\n•. a")),
    )
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partialmethod
from typing import Any, Final, Literal

Document = dict[str, Any]
"""A tokenizer.json, as JSON has it."""

Input = str | Sequence[str]
"""A text, or a text that was split into words."""

Importance = Literal["core", "edge", "quirk"]

SERIALIZED: Final = "1.0"


# Tokenizers ----------------------------------------------------------------------------------------------------------


def tokenizer(
    model: Document,
    *,
    normalizer: Document | Sequence[Document] | None = None,
    pre_tokenizer: Document | Sequence[Document] | None = None,
    post_processor: Document | None = None,
    decoder: Document | Sequence[Document] | None = None,
    added_tokens: Iterable[Document] = (),
    truncation: Document | None = None,
    padding: Document | None = None,
) -> Document:
    """Return a whole tokenizer.json. Several components of one stage become a ``Sequence`` of that stage."""
    return {
        "version": SERIALIZED,
        "truncation": truncation,
        "padding": padding,
        "added_tokens": list(added_tokens),
        "normalizer": _in_sequence(normalizer, "normalizers"),
        "pre_tokenizer": _in_sequence(pre_tokenizer, "pretokenizers"),
        "post_processor": post_processor,
        "decoder": _in_sequence(decoder, "decoders"),
        "model": model,
    }


def _in_sequence(components: Document | Sequence[Document] | None, name: str) -> Document | None:
    if components is None or isinstance(components, Mapping):
        return components  # type: ignore[return-value]
    return {"type": "Sequence", name: list(components)}


def component(type_: str, **options: Any) -> Document:
    """Return a component with the options that its file form has.

    >>> component("Digits", individual_digits=True)
    {'type': 'Digits', 'individual_digits': True}
    """
    return {"type": type_, **options}


def added(
    id_: int,
    content: str,
    *,
    special: bool = False,
    normalized: bool | None = None,
    single_word: bool = False,
    lstrip: bool = False,
    rstrip: bool = False,
) -> Document:
    """Return an added token as a file has it; ``normalized`` is the opposite of ``special`` where it is not given."""
    return {
        "id": id_,
        "content": content,
        "single_word": single_word,
        "lstrip": lstrip,
        "rstrip": rstrip,
        "normalized": not special if normalized is None else normalized,
        "special": special,
    }


def row(texts: str) -> tuple[str, ...]:
    """Return the texts of a row: what stands between its bullets, or between its spaces where it has no bullet.

    >>> row("a b•c•")
    ('a b', 'c', '')
    >>> row("a b c")
    ('a', 'b', 'c')
    """
    return tuple(texts.split("•" if "•" in texts else " "))


def numbered(tokens: Iterable[str], start: int = 0) -> dict[str, int]:
    """Return ``tokens``, each once, with ids in their order.

    >>> numbered("aba")
    {'a': 0, 'b': 1}
    """
    return {token: id_ for id_, token in enumerate(dict.fromkeys(tokens), start)}


UNKNOWN: Final = "[UNK]"


def word_level(words: str | Iterable[str], unknown: str | None = UNKNOWN) -> Document:
    """Return a WordLevel model of ``words`` (a string of them, or each); the unknown token comes first.

    >>> word_level("a b")["vocab"]
    {'[UNK]': 0, 'a': 1, 'b': 2}
    """
    listed = words.split() if isinstance(words, str) else list(words)
    first = [] if unknown is None else [unknown]
    return {"type": "WordLevel", "vocab": numbered([*first, *listed]), "unk_token": unknown or UNKNOWN}


def bpe(tokens: Iterable[str], merges: Iterable[str] = (), **options: Any) -> Document:
    """Return a BPE model: ``tokens`` in the order of their ids, then what the ``merges`` (``"a b"``) give.

    ``options`` take the place of the defaults, which are the library's own.
    """
    rules = [tuple(merge.split(" ")) for merge in merges]
    prefix = options.get("continuing_subword_prefix") or ""
    results = [left + right.removeprefix(prefix) for left, right in rules]
    return {
        "type": "BPE",
        "dropout": None,
        "unk_token": None,
        "continuing_subword_prefix": None,
        "end_of_word_suffix": None,
        "fuse_unk": False,
        "byte_fallback": False,
        "ignore_merges": False,
        **options,
        "vocab": numbered([*tokens, *results]),
        "merges": [list(rule) for rule in rules],
    }


def characters(alphabet: str, *more: str) -> Document:
    """Return a model that gives every character of a piece as a token of its own, so that all offsets are seen.

    It is a BPE model without merges; characters outside of ``alphabet`` are unknown, each one apart. ``more`` are
    further tokens of the vocabulary (which nothing but an added token can give).
    """
    return bpe([UNKNOWN, *alphabet, *more], unk_token=UNKNOWN)


def word_piece(tokens: str | Iterable[str], **options: Any) -> Document:
    """Return a WordPiece model of ``tokens``, with the library's defaults where ``options`` say nothing else."""
    listed = tokens.split() if isinstance(tokens, str) else list(tokens)
    return {
        "type": "WordPiece",
        "unk_token": UNKNOWN,
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100,
        **options,
        "vocab": numbered([UNKNOWN, *listed]),
    }


def unigram(pieces: Mapping[str, float], unknown: int | None = 0, **options: Any) -> Document:
    """Return a Unigram model of ``pieces`` with their scores (log probabilities); ``unknown`` is an id."""
    return {
        "type": "Unigram",
        "unk_id": unknown,
        "vocab": [[piece, score] for piece, score in pieces.items()],
        "byte_fallback": False,
        **options,
    }


def byte_tokens() -> list[str]:
    """Return the 256 tokens of byte fallback, ``<0x00>`` to ``<0xFF>``."""
    return [f"<0x{byte:02X}>" for byte in range(256)]


# Questions -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Question:
    """One thing to ask, in the words of the line protocol (``ask``, ``text``, …).

    A question ``of`` what an earlier answer gave is completed by the generator: ``"normalized"`` puts the text as the
    normalizer gave it for ``text``, ``"ids"`` the ids of the question before it. ``"text"`` keeps the text of a file that is
    saved, in place of its value.
    """

    asked: Mapping[str, Any]
    of: str | None = None


Questions = tuple[Question, ...]


def _input(value: Input, name: str, words_name: str) -> dict[str, Any]:
    return {name: value} if isinstance(value, str) else {words_name: list(value)}


def normalize(*texts: str) -> Questions:
    """Ask the normalizer alone about each text."""
    return tuple(Question({"ask": "normalize", "text": text_}) for text_ in texts)


def pre_tokenize(*texts: str) -> Questions:
    """Ask the pre-tokenizer alone about each text, as it stands."""
    return tuple(Question({"ask": "pre_tokenize", "text": text_}) for text_ in texts)


def encode(value: Input, second: Input | None = None, *, special: bool = True) -> Questions:
    """Ask for one encoding of a text, of words, or of a pair; ``special``: with special tokens."""
    both = {} if second is None else _input(second, "pair", "pair_words")
    return (Question({"ask": "encode", **_input(value, "text", "words"), **both, "add_special_tokens": special}),)


def text(*texts: str) -> Questions:
    """Ask everything about each text: its normalization, its pieces, its encodings, and the decoding of its ids.

    What a tokenizer has no component for is left out by the generator: without a normalizer nothing is asked about
    normalization, without a post-processor and truncation the encoding with special tokens is left out.
    """
    return tuple(question for text_ in texts for question in _about(text_))


def before_model(text_: str) -> Questions:
    """Ask for the normalization of a text, and for its pieces."""
    return (
        Question({"ask": "normalize", "text": text_}, "normalizer"),
        Question({"ask": "pre_tokenize", "text": text_}, "normalized"),
    )


def _about(text_: str) -> Questions:
    return (
        *before_model(text_),
        *encode(text_, special=False),
        Question({"ask": "encode", "text": text_, "add_special_tokens": True}, "special"),
        Question({"ask": "decode", "skip_special_tokens": False}, "ids"),
        Question({"ask": "decode", "skip_special_tokens": True}, "ids"),
    )


def pair(first: Input, second: Input) -> Questions:
    """Ask for the encodings of a pair, without and with special tokens."""
    return (*encode(first, second, special=False), *encode(first, second))


def words(*sequences: Sequence[str]) -> Questions:
    """Ask for the encodings of each sequence of words, without and with special tokens."""
    return tuple(
        question
        for sequence in sequences
        for special in (False, True)
        for question in encode(sequence, special=special)
    )


def batch(*inputs: Input | tuple[Input, Input], special: bool = True, pairs: bool = False) -> Questions:
    """Ask for the encodings of several inputs at once; with ``pairs`` each input is two."""
    listed = [
        {**_input(one[0], "text", "words"), **_input(one[1], "pair", "pair_words")}
        if pairs
        else _input(one, "text", "words")  # type: ignore[arg-type]
        for one in inputs
    ]
    return (Question({"ask": "encode_batch", "inputs": listed, "add_special_tokens": special}),)


def ids(*sequences: Sequence[int]) -> Questions:
    """Ask for the text of each sequence of ids, keeping and skipping special tokens."""
    return tuple(
        Question({"ask": "decode", "ids": list(sequence), "skip_special_tokens": skip})
        for sequence in sequences
        for skip in (False, True)
    )


def stream(
    *sequences: Sequence[int], skip: bool = False, prompt: Sequence[int] = (), chunks: Sequence[int] = ()
) -> Questions:
    """Ask what each id of each sequence adds to the text, when ids come one at a time.

    With a ``prompt``, after these ids; with ``chunks``, so many come in each of the first steps.
    """
    ask = "decode_steps" if prompt or chunks else "decode_stream"
    steps = {"prompt": list(prompt), "chunks": list(chunks)} if prompt or chunks else {}
    return tuple(
        Question({"ask": ask, "ids": list(sequence), "skip_special_tokens": skip, **steps}) for sequence in sequences
    )


def chat(
    *messages: Document,
    tools: Sequence[Document] | None = None,
    prompt: bool = False,
    is_open: bool = False,
    template: str | None = None,
) -> Questions:
    """Ask for the prompt of a conversation: ``prompt`` with the beginning of an answer, ``is_open`` within the last one."""
    options = {"tools": None if tools is None else json.dumps(tools), "template": template}
    asked = {
        "ask": "chat",
        "messages": json.dumps(messages),
        "add_generation_prompt": prompt,
        "continue_final_message": is_open,
    }
    return (Question({**asked, **{name: value for name, value in options.items() if value is not None}}),)


def vocabulary() -> Questions:
    """Ask for every token, added ones included, with its id."""
    return (Question({"ask": "vocabulary"}),)


def saved() -> Questions:
    """Ask for the tokenizer as it is written to a file, whose JSON is compared as a value."""
    return (Question({"ask": "save"}),)


def written() -> Questions:
    """Ask for the text of the tokenizer as it is written to a file, each character of which counts."""
    return (Question({"ask": "save"}, "text"),)


def refused(*documents: Document) -> Questions:
    """Ask to load each of ``documents``, none of which is a tokenizer.

    A case with this needs another question that only a working tokenizer answers: who refuses all files is not right.
    """
    return tuple(Question({"ask": "load", "tokenizer": document}) for document in documents)


def new_tokens(*tokens: Document | str, special: bool = False) -> Document:
    """Return the change that adds tokens through the API: contents, or fields as in :func:`new_token`."""
    listed = [{"content": token} if isinstance(token, str) else token for token in tokens]
    return {"add_tokens": listed, "special": special}


def new_token(content: str, **flags: bool) -> Document:
    """Return a token to add, with those of its flags that are not as by default."""
    return {"content": content, **flags}


def encode_special_tokens(value: bool) -> Document:
    """Return the change after which special tokens in a text are text like any other."""
    return {"encode_special_tokens": value}


def changed(changes: Sequence[Document], *questions: Questions) -> Questions:
    """Ask ``questions`` (of :func:`encode`, :func:`ids`, … ) of the tokenizer after ``changes``, each time anew."""
    return tuple(
        Question({"ask": "after", "changes": list(changes), "then": dict(question.asked)})
        for group in questions
        for question in group
    )


# Cases, requirements, areas ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CaseRecipe:
    """A tokenizer, and the questions that are right together or not at all. ``name`` is unique in a requirement.

    ``configuration`` is the tokenizer_config.json that lies beside it.
    """

    tokenizer: Document
    questions: Questions
    name: str = ""
    configuration: Document | None = None


def case(
    tokenizer_: Document, *questions: Questions, name: str = "", configuration: Document | None = None
) -> CaseRecipe:
    """Return one case; without a ``name`` it is numbered."""
    return CaseRecipe(tokenizer_, tuple(question for group in questions for question in group), name, configuration)


Cases = CaseRecipe | Iterable["Cases"]
"""A case, or several, which may be grouped as they are made."""


def _flat(cases: Iterable[Cases]) -> Iterator[CaseRecipe]:
    for one in cases:
        yield from [one] if isinstance(one, CaseRecipe) else _flat(one)


def each(tokenizer_: Document, *groups: Questions | str) -> list[CaseRecipe]:
    """Return a case for each group of questions; a string stands for :func:`text` of it."""
    return [case(tokenizer_, text(group) if isinstance(group, str) else group) for group in groups]


@dataclass(frozen=True, slots=True)
class RequirementRecipe:
    """What :meth:`Area.requirement` was told."""

    id: str
    title: str
    rule: str
    why: str
    cases: tuple[CaseRecipe, ...]
    importance: Importance
    features: tuple[str, ...]
    links: tuple[str, ...]
    not_asked: str


@dataclass(slots=True)
class Area:
    """A component, or another part of tokenizer.json with rules of its own.

    ``name`` is the component's as in ``normalizers.BertNormalizer`` (the file takes its name from it), ``stage`` the
    place that is to blame where a requirement of this area alone fails, ``about`` what it is, in plain sentences.
    """

    name: str
    title: str
    stage: str
    about: str
    requirements: list[RequirementRecipe] = field(default_factory=list)

    def _add(
        self,
        importance: Importance,
        head: str,
        rule: str,
        why: str,
        *cases: Cases,
        features: Sequence[str] = (),
        links: Sequence[str] = (),
        not_asked: str = "",
    ) -> None:
        """Add a requirement: its ``head`` is ``"ID: title"``, then come the rule, why it is asked, and its cases.

        ``features`` are what an implementation must be able to show, or nothing is said about it: any of the places
        (``normalize``, ``pre_tokenize``, ``decode``, ``save``, ``vocabulary``, ``load``, ``chat``), the fields (``offsets``,
        ``word_ids``, …), and ``pair``, ``pre_split``, ``batch``, ``stream``, ``changes``, ``special_tokens``. Left
        out: whatever it shows of the cases is judged (so ids alone are enough). ``not_asked`` is the reason why there
        are no cases (what only the Python API of
        the target shows, what differs from run to run, what ends the target's process).
        """
        id_, _, title = head.partition(": ")
        self.requirements.append(
            RequirementRecipe(
                id_, title, rule, why, tuple(_flat(cases)), importance, tuple(features), tuple(links), not_asked
            )
        )

    requirement = partialmethod(_add, "core")
    edge = partialmethod(_add, "edge")
    quirk = partialmethod(_add, "quirk")

    def unasked(self, reason: str, told: str) -> None:
        """Add quirks without cases, for one ``reason``; ``told`` has three lines of each: ``ID: title``, rule and why."""
        lines = [line.strip() for line in told.strip().splitlines()]
        for head, rule, why in zip(lines[::3], lines[1::3], lines[2::3], strict=True):
            self.quirk(head, rule, why, not_asked=reason)
