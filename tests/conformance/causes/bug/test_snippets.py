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
from tokenizer_conformance.causes.bug.checking import Printed, _objections, objections
from tokenizer_conformance.causes.bug.recipes import Loading, Recipe, Runs, asking_of, recipe_names, recipe_of
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


MADE_UP: dict[str, Recipe] = {
    name: Recipe(
        runs=Runs.NODE if name == "third" else Runs.PYTHON,
        install=name,
        label=name,
        load=(Loading(code=f"use {name}\ntokenizer = load(path)"),),
        ask={"encode": "more\nask(text, SPECIAL)" if name == "first" else "ask(text)"},
        show={"ids": "answer.ids"},
        also_install=("further",) if name == "first" else (),
        here="its folder is" if name == "second" else "",
    )
    for name in ("first", "second", "third")
}

PYTHON_PROGRAM = """\
# pip install first==1.0 further second==1.0
# Run it where its folder is.
import pathlib
import tempfile

DOCUMENT = r'''{
"model": {}
}'''
folder = pathlib.Path(tempfile.mkdtemp())
path = folder / "tokenizer.json"
path.write_text(DOCUMENT, encoding="utf-8")
text = '\\xe9'

use first
tokenizer = load(path)
more
answer = ask(text, True)
print('first:', ascii(answer.ids), flush=True)

use second
tokenizer = load(path)
try:
    answer = ask(text)
    print('second:', ascii(answer.ids), flush=True)
except BaseException as error:
    print('second:', 'raises', type(error).__name__ + ':', ascii(str(error)), flush=True)
"""

OF_A_FILE = """\
# pip install first==1.0 further
# Give it the path of the tokenizer.json of tiny.
import hashlib
import pathlib
import sys

path = pathlib.Path(sys.argv[1])
folder = path.parent
if hashlib.sha256(path.read_bytes()).hexdigest() != "0000":
    sys.exit("this is another tokenizer.json")
text = 'a'

use first
tokenizer = load(path)
more
answer = ask(text, False)
print('first:', ascii(answer.ids), flush=True)
"""

NODE_PROGRAM = """\
// npm install third@1.0
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
const DOCUMENT = String.raw`{
"model": {}
}`;
const path = join(mkdtempSync(join(tmpdir(), "tokenizer-")), "tokenizer.json");
writeFileSync(path, DOCUMENT);
const text = "\\u00e9";
use third
tokenizer = load(path)
const answer = ask(text);
console.log("third:", JSON.stringify(answer.ids).replace(/[^ -~]/g, (c) => "\\\\u" + \
c.charCodeAt(0).toString(16).padStart(4, "0")));
"""


def test_programs_are_as_they_are_read() -> None:
    answers: dict[str, Outcome] = {"first": Encoded((0,)), "second": Failed("KeyError", "a"), "third": Encoded((0,))}
    sides = [side(name, answer, MADE_UP[name]) for name, answer in answers.items()]
    ((python, node),) = ways(sides, subject(Encode("\u00e9"), Field.IDS, {"model": {}}))
    assert (python.code, python.sides, python.takes) == (PYTHON_PROGRAM, tuple(sides[:2]), None)
    assert (node.code, node.sides, node.takes) == (NODE_PROGRAM, tuple(sides[2:]), None)


def test_a_program_about_a_file_makes_sure_that_it_is_that_file() -> None:
    asked = Encode("a", add_special_tokens=False)
    ((found,),) = ways(
        [side("first", Encoded((0,)), MADE_UP["first"])], replace(subject(asked, Field.IDS), sha256="0000")
    )
    assert (found.code, found.takes) == (OF_A_FILE, "/nowhere/tokenizer.json")


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


LINE = "tokenizers: [0]"

SHOWN: list[tuple[Outcome, str, int | None, str]] = [
    (TimedOut(1.0), "", None, ""),
    (TimedOut(1.0), "", 0, "it printed no answer of tokenizers: it ended with status 0"),
    (TimedOut(1.0), LINE, None, ", and [0] in the snippet"),
    (TimedOut(1.0), LINE, 0, ", and [0] in the snippet"),
    (Crashed("gone"), "", 9, ""),
    (Crashed("gone"), "", 0, "it printed no answer of tokenizers: it ended with status 0"),
    (Crashed("gone"), "", None, "it printed no answer of tokenizers: its time was over"),
    (Crashed("gone"), LINE, 9, ", and [0] in the snippet"),
    (Encoded((0,)), LINE, 0, ""),
    (Encoded((0,)), "", None, "it printed no answer of tokenizers: its time was over"),
    (Encoded((0,)), "", 3, "it printed no answer of tokenizers: it ended with status 3"),
    (Encoded((1,)), LINE, None, "tokenizers answered [1] here, and [0] in the snippet"),
]


@pytest.mark.parametrize(("outcome", "printed", "status", "said"), SHOWN)
def test_a_snippet_shows_that_a_side_gives_no_answer_where_it_ends_so_and_prints_none(
    outcome: Outcome, printed: str, status: int | None, said: str
) -> None:
    made = snippet_of(outcome, Encode("a"), Field.IDS)
    found = list(_objections(side("tokenizers", outcome), Field.IDS, made, Printed(printed, "", status)))
    assert [each.endswith(said) for each in found] == ([True] if said else [])


@pytest.mark.long_but(2)
@pytest.mark.parametrize("name", FAILURES)
def test_failures_are_answers_too(name: str) -> None:
    call, outcome, said = FAILURES[name]
    made = snippet_of(outcome, Encode("a"), Field.IDS, recipe(call))
    found = objections([made], Field.IDS, 1.5 if "sleep" in call else 60)
    assert (said in found[0]) if said else (found == [])
