"""How a user's own class or program is asked without this project: recipes that are made of the word that names it.

A class is asked as users of ``tokenizers`` would, in each way that it may take; running the program shows which one it
does take. A program that speaks the line protocol is started and spoken to.
"""

from __future__ import annotations

import shlex
from itertools import product

from tokenizer_adapters.contract import ENCODING_FIELDS, Field
from tokenizer_adapters.selection import COMMAND, is_class, is_command
from tokenizer_conformance.causes.bug.recipes import Loading, Recipe, Runs

_MAKERS = (
    "{name}.from_file(str(path))",
    "{name}(str(path))",
    '{name}.from_str(path.read_text(encoding="utf-8"))',
    "{name}.from_buffer(path.read_bytes())",
    "{name}.from_pretrained(str(folder))",
)
"""How a class makes a tokenizer of a file."""

_OPTIONS = (("add_special_tokens=SPECIAL", "skip_special_tokens=SKIP"), ("", ""))
"""What its methods are told beside a text or ids."""

_CLASS = """
from {module} import {name}
tokenizer = {maker}
options, decoding = dict({encode}), dict({decode})
def part(answer, *names):
    if isinstance(answer, dict):
        return next(answer[name] for name in names if name in answer)
    return next((getattr(answer, name) for name in names if hasattr(answer, name)), answer)
"""

_ASKED_OF_CLASS = {
    "normalize": "tokenizer.normalizer.normalize_str(text)",
    "pre_tokenize": "tokenizer.pre_tokenizer.pre_tokenize_str(text)",
    "encode": "tokenizer.encode(text, **options)",
    "encode_pair": "tokenizer.encode(text, pair, **options)",
    "encode_words": "tokenizer.encode(words, is_pretokenized=True, **options)",
    "encode_pair_words": "tokenizer.encode(words, pair_words, is_pretokenized=True, **options)",
    "encode_batch": "tokenizer.encode_batch(texts, **options)",
    "decode": "tokenizer.decode(ids, **decoding)",
}

_NAMES = {Field.IDS: ("ids", "input_ids"), Field.OFFSETS: ("offsets", "offset_mapping")}

_PIECES = {"pieces": "[piece for piece, _ in answer]", "piece_offsets": "[span for _, span in answer]"}

_PROGRAM = """
import json
import subprocess
program = subprocess.Popen({command!a}, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
def ask(do, **more):
    line = json.dumps({{"id": ask.number, "do": do, **more}}) + chr(10)
    ask.number += 1
    program.stdin.write(line.encode())
    program.stdin.flush()
    answer = json.loads(program.stdout.readline())
    if "value" not in answer:
        raise RuntimeError(str(answer))
    return answer["value"]
ask.number = 1
ask("start", protocol=1)
ask("load", name="tokenizer", file=str(path))
"""

_OBSERVED = 'ask("observe", **QUESTION)'

_ASKED_OF_PROGRAM = {
    **dict.fromkeys(("encode", "encode_pair", "encode_words", "encode_pair_words"), _OBSERVED),
    "encode_batch": f'{_OBSERVED}["encodings"]',
    "pre_tokenize": f'{_OBSERVED}["pieces"]',
    **dict.fromkeys(("normalize", "decode"), f'{_OBSERVED}["text"]'),
    "decode_stream": f'{_OBSERVED}["chunks"]',
}


def own_recipe(word: str, name: str) -> Recipe | None:
    """Return how the class or program that ``word`` selects, called ``name``, is asked; ``None`` for anything else."""
    if is_class(word):
        return _of_class(word, name)
    return _of_program(shlex.split(word.partition(COMMAND)[2]), name) if is_command(word) else None


def _of_class(word: str, name: str) -> Recipe:
    module, _, of = word.partition(":")
    loads = tuple(
        Loading(code=_CLASS.format(module=module, name=of, maker=maker.format(name=of), encode=encode, decode=decode))
        for maker, (encode, decode) in product(_MAKERS, _OPTIONS)
    )
    show = {each.value: f"part(answer, {', '.join(map(repr, _NAMES.get(each, (each.value,))))})" for each in _SHOWN}
    return Recipe(
        runs=Runs.PYTHON,
        install="",
        label=name,
        load=loads,
        ask=_ASKED_OF_CLASS,
        show={**show, **_PIECES},
        here=f"the module {module} can be imported",
    )


_SHOWN = tuple(each for each in ENCODING_FIELDS if each is not Field.OVERFLOWING)


def _of_program(command: list[str], name: str) -> Recipe:
    return Recipe(
        runs=Runs.PYTHON,
        install="",
        label=name,
        load=(Loading(code=_PROGRAM.format(command=command)),),
        ask=_ASKED_OF_PROGRAM,
        show={
            **{each.value: f"answer[{each.value!r}]" for each in _SHOWN},
            "overflowing": '[part["ids"] for part in answer["overflowing"]]',
            **_PIECES,
        },
        here=f"the program {command[0]} is found",
    )
