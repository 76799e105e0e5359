"""Snippets: every recipe can be read and makes a program, and nothing in a tokenizer or a text breaks out of one."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from in_one_test import in_one_test

from tokenizer_adapters.contract import (
    Crashed,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Encoded,
    Failed,
    Field,
    Normalize,
    PreTokenize,
    Text,
    TimedOut,
    TokenizerSource,
)
from tokenizer_adapters.registry import registered
from tokenizer_conformance.causes.bug.checking import objections
from tokenizer_conformance.causes.bug.recipes import Recipe, Runs, asking_of, recipe_names, recipe_of
from tokenizer_conformance.causes.bug.sides import ReportedSide
from tokenizer_conformance.causes.bug.snippet import Subject, ways
from tokenizer_conformance.cli.registered import STREAMS

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizer_adapters.contract import Observation, Outcome
    from tokenizer_conformance.causes.bug.snippet import Snippet

WORDS = {"model": {"type": "WordLevel", "vocab": {"a": 0, "[UNK]": 1}, "unk_token": "[UNK]"}}
SOURCE = TokenizerSource("tiny", "/nowhere/tokenizer.json", "/nowhere")

QUESTIONS: dict[str, tuple[Observation, Field]] = {
    "normalize": (Normalize("a"), Field.TEXT),
    "pre_tokenize": (PreTokenize("a"), Field.PIECES),
    "encode": (Encode("a", None, add_special_tokens=False), Field.IDS),
    "encode_pair": (Encode("a", "b"), Field.IDS),
    "encode_words": (Encode(("a", "b")), Field.IDS),
    "encode_pair_words": (Encode(("a",), ("b",)), Field.IDS),
    "encode_batch": (EncodeBatch((Encode("a"), Encode("b", "c"))), Field.IDS),
    "decode": (Decode((0,), skip_special_tokens=False), Field.TEXT),
    "decode_stream": (DecodeStream((0, 1)), Field.TEXT),
}


def side(name: str, outcome: Outcome, recipe: Recipe | None = None) -> ReportedSide:
    return ReportedSide(name, name, "1.0", outcome, recipe or recipe_of(name), ("/nowhere/spiece.model",))


def subject(question: Observation, field: Field, document: dict[str, object] | None = None) -> Subject:
    return Subject(SOURCE, "0" * 64, document, question, field)


def snippet_of(outcome: Outcome, question: Observation, field: Field, recipe: Recipe | None = None) -> Snippet:
    sides = (side("tokenizers", outcome, recipe),)
    ((found,),) = ways(sides, subject(question, field, WORDS | {"pre_tokenizer": {"type": "Whitespace"}}))
    return found


def test_every_recipe_is_of_an_implementation() -> None:
    assert set(recipe_names()) <= registered().keys()
    assert set(registered()) - set(recipe_names()) == {"reference", *STREAMS}


@pytest.mark.parametrize("name", recipe_names())
def test_every_recipe_makes_programs(name: str, tmp_path: Path) -> None:
    recipe = recipe_of(name)
    assert recipe is not None
    assert {each.removesuffix("_special") for each in recipe.ask} <= QUESTIONS.keys()
    assert set(recipe.show) | set(recipe.show_batch) <= {*Field, "piece_offsets"}
    file = tmp_path / "tokenizer.json"
    made = 0
    for model in ("BPE", "Unigram"):
        file.write_text('{"model": {"type": "' + model + '"}}', "utf-8")
        for question, field in QUESTIONS.values():
            source = TokenizerSource("tiny", str(file), str(tmp_path))
            about = replace(subject(question, field), source=source)
            for snippets in ways((side(name, Encoded((1,))),), about):
                for each in snippets:
                    made += 1
                    assert each.code.isascii()
                    assert not [
                        word for word in ("=SPECIAL", "=SKIP", "KEEPING", "/ FILE", "STEM") if word in each.code
                    ]
                    if each.runs is not Runs.NODE:
                        ast.parse(each.code)
    assert made >= 2


def test_what_no_package_is_asked_has_no_snippet() -> None:
    assert asking_of(Encode("a", ("b",))) is None
    assert recipe_of("reference") is None
    assert recipe_of("../tokenizers") is None


HOSTILE = ["'''", '"""', "```\n# no", "\\", "\\u0027", "${x}", "`", "\x1b[31m", "\u202e", "\ud800", "\x00", "\r\n"]


@in_one_test("text", HOSTILE)
def test_hostile_text_does_not_break_out(text: str) -> None:
    vocab = {text: 0, "[UNK]": 1} if text.isprintable() else {"a": 0, "[UNK]": 1}
    document = {"model": {"type": "WordLevel", "vocab": vocab, "unk_token": "[UNK]"}}
    sound = "\ud800" not in text
    question = Normalize(text)
    for name in ("tokenizers", "tokenizers-js"):
        recipe = recipe_of(name)
        assert recipe is not None
        label = ReportedSide(text, text, text, Text(text), recipe)
        found = next(iter(ways((label,), subject(question, Field.TEXT, document))))[0]
        assert found.code.isascii()
        assert "\x1b" not in found.code
        assert "\x00" not in found.code
        if name == "tokenizers":
            ast.parse(found.code)
    if sound and text.isprintable():
        run = ways((side("tokenizers", Text(text)),), subject(question, Field.TEXT, document))
        assert objections(next(iter(run)), Field.TEXT, 60) == []


def test_a_snippet_is_run_and_believed_only_where_it_shows_the_answer() -> None:
    question = Encode("a b", None, add_special_tokens=False)
    right, wrong = (snippet_of(Encoded(ids), question, Field.IDS) for ids in ((0, 1), (0, 2)))
    assert objections([right], Field.IDS, 60) == []
    (said,) = objections([wrong], Field.IDS, 60)
    assert said == "tokenizers answered [0, 2] here, and [0, 1] in the snippet"


def recipe(call: str) -> Recipe:
    sound = recipe_of("tokenizers")
    assert sound is not None
    return replace(sound, ask={"encode": call})


FAILURES: dict[str, tuple[str, Outcome, str]] = {
    "raises": ("[].pop()", Failed("IndexError", "pop from empty list"), ""),
    "answers": ("tokenizer.encode(text)", Failed("IndexError", "x"), "raised an error here"),
    "does not answer": ("[].pop()", Encoded((0,)), "printed no answer of tokenizers: IndexError: pop from empty list"),
    "ends": ("__import__('os')._exit(9)", Crashed("gone"), ""),
    "hangs": ("__import__('time').sleep(60)", TimedOut(1.0), ""),
    "is too slow": ("__import__('time').sleep(60)", Encoded((0,)), "its time was over"),
}


@pytest.mark.long_but(2)
@pytest.mark.parametrize("name", FAILURES)
def test_failures_are_answers_too(name: str) -> None:
    call, outcome, said = FAILURES[name]
    made = snippet_of(outcome, Encode("a"), Field.IDS, recipe(call))
    found = objections([made], Field.IDS, 1.5 if "sleep" in call else 60)
    assert (said in found[0]) if said else (found == [])
