"""The file of vectors: one JSON object in ASCII, described by ``schemas/vectors-1.json``; written and read."""

from __future__ import annotations

import importlib.resources
import json
import re
from dataclasses import asdict, dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import jsonschema

from tokenizer_adapters.contract import (
    AddTokens,
    After,
    Chunks,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Encoded,
    EncodedBatch,
    Failed,
    NewToken,
    Normalize,
    Observation,
    Outcome,
    Pieces,
    PreTokenize,
    Rendered,
    Text,
    plain_of,
)
from tokenizer_adapters.protocol.answer_lines import read_value, value_fields
from tokenizer_adapters.protocol.json_fields import FieldError
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.text import lone_surrogate
from tokenizer_conformance.validation.vectors.candidate import (
    AboutAdded,
    AboutBatch,
    AboutPair,
    AboutText,
    AboutTokens,
    AboutWords,
    Answer,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tokenizer_conformance.validation.vectors.candidate import Asks

Json = dict[str, Any]

FORMAT = "tokenizer-conformance-vectors"
VERSION = "1.0"
SCHEMA = "vectors-1.json"
"""The file of the folder ``schemas`` that describes the form."""

HOW_TO_READ = (
    "Each vector asks what stands under 'ask' and expects what stands under 'expected'. "
    "'normalized' is what the normalizer makes of the text, added tokens not cut out; 'pieces' is what the "
    "pre-tokenizer makes of that, with offsets in the normalized text; 'encoded' is the whole pipeline with special "
    "tokens, 'encoded_without_special_tokens' without; 'decoded' is the text of the ids of 'encoded' (or of 'ids'), "
    "with all special tokens kept, 'decoded_skipping_special_tokens' without them; 'streamed' is what each id adds to "
    "the text, null where nothing can be told yet; 'encodings' are those of a batch. 'words' are an input that was "
    "split before; 'add_tokens' are added to the loaded tokenizer first, and are gone for the next vector. "
    '{"error": true} means that an error is raised. An encoding has no padding and no truncation but those of the '
    "file. What your implementation has no way to show, leave out, and count it."
)

OFFSETS = "code points of the original text, end exclusive; in words, of the word"


@dataclass(frozen=True, slots=True)
class Expected:
    """One answer of a vector: what is asked, and what is to come (:class:`Failed`: an error)."""

    name: Answer
    question: Observation
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Vector:
    """One input, with what it ``hunts`` in words and all that is expected."""

    id: str
    asks: Json
    hunts: tuple[str, ...]
    expected: tuple[Expected, ...]


@dataclass(frozen=True, slots=True)
class VectorFile:
    """A file of vectors that was read: its tokenizer's ``name``, digest (``sha256``) and ``size``, and the vectors."""

    name: str
    sha256: str
    size: int
    baseline: str
    vectors: tuple[Vector, ...]


# Writing --------------------------------------------------------------------------------------------------------------


def written(document: Json) -> bytes:
    """Return ``document``, a whole file, as bytes: ASCII, a vector a line."""
    rest = {key: value for key, value in document.items() if key != "vectors"}
    head = json.dumps(rest, indent=1)[:-2]
    lines = ",\n".join(f"  {json.dumps(vector, separators=(',', ':'))}" for vector in document["vectors"])
    return f'{head},\n "vectors": [\n{lines}\n ]\n}}\n'.encode("ascii")


def asked_form(asks: Asks, ids: Mapping[str, int]) -> Json:
    """Return what is asked as the file has it; ``ids`` are those of tokens."""
    match asks:
        case AboutText(text):
            return {"text": text}
        case AboutPair(text, pair):
            return {"text": text, "pair": pair}
        case AboutWords(words, None):
            return {"words": list(words)}
        case AboutWords(words, pair_words):
            return {"words": list(words), "pair_words": list(pair_words or ())}
        case AboutBatch(texts):
            return {"texts": list(texts)}
        case AboutTokens(tokens):
            return {"ids": [ids[token] for token in tokens if token in ids]}
        case AboutAdded(added, special, texts):
            return {"add_tokens": list(map(_token_form, added)), "special": special, "texts": list(texts)}


def _token_form(token: NewToken) -> Json:
    return {key: value for key, value in asdict(token).items() if value is not None}


def outcome_form(outcome: Outcome) -> Any:
    """Return a value, or an error, as the file has it.

    >>> outcome_form(Text("a")), outcome_form(Failed("ValueError", "no"))
    ('a', {'error': True})
    """
    match outcome:
        case Failed():
            return {"error": True}
        case Encoded() | EncodedBatch() | Text() | Pieces() | Chunks() | Rendered():
            form = _without_empty_parts(value_fields(outcome))
            return form if isinstance(outcome, Encoded) else next(iter(form.values()))
        case _:
            raise TypeError(f"{outcome!r} is no answer")


def _without_empty_parts(form: Any) -> Any:
    """Return the ``form`` of a value without the lists of what was cut off, where nothing was."""
    if isinstance(form, dict):
        return {name: _without_empty_parts(value) for name, value in form.items() if name != "overflowing" or value}
    return list(map(_without_empty_parts, form)) if isinstance(form, list) else form


def is_answer(outcome: Outcome) -> bool:
    """Return whether ``outcome`` can be expected: a value or an error, and not that nothing came."""
    return isinstance(outcome, Text | Pieces | Encoded | EncodedBatch | Chunks | Rendered | Failed)


# Reading --------------------------------------------------------------------------------------------------------------


@cache
def _validator() -> jsonschema.Draft202012Validator:
    file = importlib.resources.files("tokenizer_conformance") / "schemas" / SCHEMA
    return jsonschema.Draft202012Validator(json.loads(file.read_text(encoding="ascii")))


def read_vectors(content: bytes, name: str) -> VectorFile:
    """Return the vectors in ``content``, which is that of the file called ``name``.

    Raises :class:`BadInputError`, with the place in the file where it has not the form of the schema.
    """
    try:
        document = json.loads(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise BadInputError(f"vectors {name!r}: the file is not UTF-8: byte {error.start}") from error
    except ValueError as error:
        raise BadInputError(f"vectors {name!r}: the file is not JSON: {error}") from error
    except RecursionError as error:
        raise BadInputError(f"vectors {name!r}: the file is nested too deeply") from error
    _refuse_other_formats(document, name)
    fault = jsonschema.exceptions.best_match(_validator().iter_errors(document))
    if fault is not None:
        place = "/".join(map(str, fault.absolute_path)) or "the whole"
        raise BadInputError(
            f"vectors {name!r} is not in the form of schemas/{SCHEMA}: at {place}: {fault.message[:200]}"
        )
    if lone_surrogate(json.dumps(document, ensure_ascii=False)) is not None:
        raise BadInputError(f"vectors {name!r}: a text has half of a surrogate pair, which is no character")
    tokenizer, baseline = document["tokenizer"], document["baseline"]
    try:
        vectors = tuple(map(_vector, document["vectors"]))
    except ValueError as error:
        raise BadInputError(f"vectors {name!r}: {error}") from error
    return VectorFile(
        tokenizer["name"], tokenizer["sha256"], tokenizer["size"], f"{baseline['name']} {baseline['version']}", vectors
    )


HEAD = 4096
BEGINNING = re.compile(rb'\{\s*"format":\s*"' + FORMAT.encode() + rb'"')


def is_vector_file(path: Path) -> bool:
    """Return whether the file at ``path`` begins as one of vectors does. Raises ``OSError``."""
    with path.open("rb") as file:
        return BEGINNING.match(file.read(HEAD)) is not None


def _refuse_other_formats(document: object, name: str) -> None:
    found = document.get("format") if isinstance(document, dict) else None
    if not isinstance(document, dict) or found != FORMAT:
        raise BadInputError(
            f"vectors {name!r}: this is no file of vectors; 'tokconf vectors TOKENIZER -o FILE' makes one"
        )
    version = str(document.get("version"))
    if version.partition(".")[0] != VERSION.partition(".")[0]:
        raise BadInputError(
            f"vectors {name!r}: the form has version {version}, and this release reads {VERSION}; make the file anew"
        )


def _vector(form: Json) -> Vector:
    asks = form["ask"]
    expected = []
    for key, value in form["expected"].items():
        name = Answer(key)
        question = _question(name, asks, form["expected"])
        if question is None:
            raise ValueError(f"vector {form['id']}: {key!r} is not what this is asked")
        try:
            outcome = _outcome(name, question, value)
        except FieldError as error:
            raise ValueError(f"vector {form['id']}: {key!r} cannot be read: {error}") from error
        expected.append(Expected(name, question, outcome))
    return Vector(form["id"], asks, tuple(form["hunts"]), tuple(expected))


ALONE = frozenset({Answer.ENCODED_ALONE, Answer.ENCODINGS_ALONE})
SKIPPING = frozenset({Answer.DECODED_SKIPPING, Answer.STREAMED_SKIPPING})
KINDS: Mapping[Answer, str] = {
    Answer.NORMALIZED: "normalized",
    Answer.PIECES: "pieces",
    Answer.ENCODED: "encoded",
    Answer.ENCODED_ALONE: "encoded",
    Answer.ENCODINGS: "encodings",
    Answer.ENCODINGS_ALONE: "encodings",
    Answer.DECODED: "decoded",
    Answer.DECODED_SKIPPING: "decoded",
    Answer.STREAMED: "streamed",
    Answer.STREAMED_SKIPPING: "streamed",
}
"""What answers of a name are: some come twice, with special tokens and without."""


def _question(name: Answer, asks: Json, expected: Json) -> Observation | None:
    """Return what the answer called ``name`` answers, ``None`` where it is none to what is asked."""
    added = name not in ALONE
    match KINDS[name], asks:
        case "normalized", {"text": text}:
            return Normalize(text)
        case "pieces", {"text": _} if isinstance(expected.get("normalized"), str):
            return PreTokenize(expected["normalized"])
        case "encoded", {"words": words}:
            pair = asks.get("pair_words")
            return Encode(tuple(words), None if pair is None else tuple(pair), added)
        case "encoded", {"text": text}:
            return Encode(text, asks.get("pair"), added)
        case "encodings", {"add_tokens": tokens, "texts": texts}:
            batch = EncodeBatch(tuple(Encode(text, None, added) for text in texts))
            return After((AddTokens(tuple(NewToken(**token) for token in tokens), asks["special"]),), batch)
        case "encodings", {"texts": texts}:
            return EncodeBatch(tuple(Encode(text, None, added) for text in texts))
        case "decoded" | "streamed" as kind, _:
            ids = asks["ids"] if "ids" in asks else (expected.get("encoded") or {}).get("ids")
            if ids is None:
                return None
            return (Decode if kind == "decoded" else DecodeStream)(tuple(ids), name in SKIPPING)
    return None


VALUES: Mapping[str, str] = {
    "normalized": "text",
    "pieces": "pieces",
    "encodings": "encodings",
    "decoded": "text",
    "streamed": "chunks",
}
"""What the value of an answer is called in the protocol; an encoding is its own fields."""


def _outcome(name: Answer, question: Observation, form: Any) -> Outcome:
    if form == {"error": True}:
        return Failed("error", "")
    kind = KINDS[name]
    value = read_value(plain_of(question), {VALUES[kind]: form} if kind in VALUES else form, name.value)
    match value:
        case Encoded():
            return _with_parts(value)
        case EncodedBatch(encodings):
            return EncodedBatch(tuple(map(_with_parts, encodings)))
    return value


def _with_parts(encoding: Encoded) -> Encoded:
    """Return ``encoding`` with no parts, where the file does not name any: it leaves out empty lists."""
    return replace(encoding, overflowing=tuple(map(_with_parts, encoding.overflowing or ())))
