"""The parts of a tokenizer.json as a reduction sees them: places in it, its vocabulary, and what depends on a token."""

from __future__ import annotations

import copy
import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from tokenizer_conformance.comparison.reduction import Json

Path = tuple[str | int, ...]
"""The keys and indexes that lead to a part of a document."""

PARTS_OF_SEQUENCE: dict[str, str] = {
    "normalizer": "normalizers",
    "pre_tokenizer": "pretokenizers",
    "post_processor": "processors",
    "decoder": "decoders",
}
"""The member that holds the parts of a sequence, by the member of the document that the sequence is in."""


_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

_STEP = re.compile(r"""\.(\w+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]""")


def path_text(path: Path) -> str:
    """Return ``path`` as a JSON path.

    >>> path_text(("model", "vocab", "Ġa", "b", 3))
    '$.model.vocab["Ġa"].b[3]'
    """
    return "$" + "".join(map(_step, path))


def _step(key: str | int) -> str:
    if isinstance(key, int):
        return f"[{key}]"
    return f".{key}" if _NAME.fullmatch(key) else f"[{json.dumps(key, ensure_ascii=False)}]"


def path_of(text: str) -> Path:
    """Return the path that ``text`` writes, the inverse of :func:`path_text`; as far as it is one.

    >>> path_of('$.model.vocab["Ġa"].b[3]'), path_of("$.model…")
    (('model', 'vocab', 'Ġa', 'b', 3), ('model',))
    """
    keys: list[str | int] = []
    place = 1
    while step := _STEP.match(text, place):
        name, index, quoted = step.groups()
        keys.append(name or (int(index) if index else json.loads(quoted)))
        place = step.end()
    return tuple(keys)


def paths_in(value: Any, path: Path = ()) -> Iterator[Path]:
    """Give the paths of ``value`` and of all its parts, the outer ones first."""
    yield path
    if isinstance(value, dict):
        for key, member in value.items():
            yield from paths_in(member, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from paths_in(item, (*path, index))


def parts_of(component: Any, path: Path) -> Iterator[tuple[Path, Json]]:
    """Give every part of the sequences in ``component``, with the path of the sequence it is in."""
    if not isinstance(component, dict):
        return
    for key in PARTS_OF_SEQUENCE.values():
        for index, part in enumerate(component.get(key) or ()):
            yield path, part
            yield from parts_of(part, (*path, key, index))


def special_tokens_in(template: Any) -> set[str]:
    """Return the special tokens that a template names, for a text alone and for a pair.

    >>> special_tokens_in({"single": [{"SpecialToken": {"id": "</s>", "type_id": 0}}]})
    {'</s>'}
    """
    pieces = [piece for key in ("single", "pair") for piece in template.get(key) or () if isinstance(piece, dict)]
    tokens = (piece.get("SpecialToken") for piece in pieces)
    return {str(token.get("id")) for token in tokens if isinstance(token, dict)}


def at(document: Any, path: Path) -> Any:
    """Return the part of ``document`` at ``path``, ``None`` where it is no longer there."""
    for key in path:
        try:
            document = document[key]
        except (KeyError, IndexError, TypeError):
            return None
    return document


def with_part(document: Json, path: Path, value: Any) -> Json:
    """Return a copy of ``document`` with ``value`` at ``path``."""
    changed = copy.copy(document)
    place: Any = changed
    for key in path[:-1]:
        place[key] = copy.copy(place[key])
        place = place[key]
    place[path[-1]] = value
    return changed


def without_part(document: Json, path: Path) -> Json:
    """Return a copy of ``document`` without the member at ``path``."""
    holder = at(document, path[:-1])
    rest = {key: value for key, value in holder.items() if key != path[-1]}
    return with_part(document, path[:-1], rest) if len(path) > 1 else rest


def document_size(document: Json) -> int:
    """Return the length of ``document`` as JSON, in characters; each flag counts alike, whether it is on or off.

    >>> document_size({"a": True}) == document_size({"a": False})
    True
    """
    text = json.dumps(document, ensure_ascii=False)
    return len(text) - text.count("false")


def type_of_model(model: Mapping[str, Any]) -> str:
    """Return the type of ``model``; files of early releases do not say it, and are told by their members."""
    if isinstance(model.get("type"), str):
        return str(model["type"])
    if "merges" in model:
        return "BPE"
    if isinstance(model.get("vocab"), list):
        return "Unigram"
    return "WordPiece" if "continuing_subword_prefix" in model else "WordLevel"


# Vocabularies --------------------------------------------------------------------------------------------------------


def tokens_of(document: Json) -> list[str]:
    """Return the tokens of the model's vocabulary, in their order in the file."""
    vocabulary = at(document, ("model", "vocab"))
    if isinstance(vocabulary, dict):
        return list(vocabulary)
    return [entry[0] for entry in vocabulary if _is_piece(entry)] if isinstance(vocabulary, list) else []


def names_of_ids(document: Json) -> dict[int, str]:
    """Return the token of each id, as the file has them."""
    vocabulary = at(document, ("model", "vocab"))
    names = {
        token["id"]: token["content"]
        for token in document.get("added_tokens") or ()
        if isinstance(token, dict) and isinstance(token.get("id"), int) and isinstance(token.get("content"), str)
    }
    if isinstance(vocabulary, dict):
        return names | {number: token for token, number in vocabulary.items() if isinstance(number, int)}
    if isinstance(vocabulary, list):
        return names | {number: entry[0] for number, entry in enumerate(vocabulary) if _is_piece(entry)}
    return names


def _is_piece(entry: Any) -> bool:
    return isinstance(entry, list) and len(entry) == 2 and isinstance(entry[0], str) and isinstance(entry[1], float)


def with_tokens(document: Json, is_kept: Callable[[str], bool]) -> Json:
    """Return ``document`` with those tokens of the vocabulary that are kept, and the merges that are among these.

    The unknown token of a Unigram is kept, for its place is named.
    """
    model = document.get("model")
    if not isinstance(model, dict):
        return document
    vocabulary = model.get("vocab")
    changed = dict(model)
    if isinstance(vocabulary, dict):
        changed["vocab"] = {token: number for token, number in vocabulary.items() if is_kept(token)}
        _keep_merges(changed)
    elif isinstance(vocabulary, list):
        _keep_pieces(changed, vocabulary, is_kept)
    return document | {"model": changed}


def _keep_merges(model: Json) -> None:
    """Leave out of ``model`` the merges of which a part or the result is not in the vocabulary."""
    if isinstance(model.get("merges"), list):
        prefix = model.get("continuing_subword_prefix") or ""
        model["merges"] = [merge for merge in model["merges"] if is_possible(merge, model["vocab"], prefix)]


def pair_of(merge: Any) -> tuple[str, ...]:
    """Return the parts of ``merge``, a text or a list in the file: two, where it is a merge.

    >>> pair_of("a b"), pair_of(["c", "d"])
    (('a', 'b'), ('c', 'd'))
    """
    return tuple(merge.split(" ") if isinstance(merge, str) else merge)


def is_possible(merge: Any, vocabulary: Collection[str], prefix: str) -> bool:
    """Return whether both parts of ``merge`` and what it makes of them are in the ``vocabulary``."""
    parts = pair_of(merge)
    if len(parts) != 2 or not all(part in vocabulary for part in parts):
        return False
    return parts[0] + parts[1].removeprefix(prefix) in vocabulary


def _keep_pieces(model: Json, vocabulary: list[Any], is_kept: Callable[[str], bool]) -> None:
    unknown = model.get("unk_id")
    kept = [
        (number, entry)
        for number, entry in enumerate(vocabulary)
        if number == unknown or not _is_piece(entry) or is_kept(entry[0])
    ]
    model["vocab"] = [entry for _, entry in kept]
    if isinstance(unknown, int):
        numbers = [number for number, _ in kept]
        model["unk_id"] = numbers.index(unknown) if unknown in numbers else None


def is_list_of_pieces(value: Any) -> bool:
    """Return whether ``value`` is the vocabulary of a Unigram, of which each entry is a piece and its score."""
    return isinstance(value, list) and bool(value) and all(map(_is_piece, value))


def without_unknown_piece(document: Json) -> Json | None:
    """Return ``document`` without the unknown token of its Unigram; ``None`` where it has none."""
    vocabulary, unknown = at(document, ("model", "vocab")), at(document, ("model", "unk_id"))
    if not isinstance(vocabulary, list) or not isinstance(unknown, int) or not 0 <= unknown < len(vocabulary):
        return None
    kept = [*vocabulary[:unknown], *vocabulary[unknown + 1 :]]
    return document | {"model": document["model"] | {"vocab": kept, "unk_id": None}}


# Ids -----------------------------------------------------------------------------------------------------------------


def dense(document: Json) -> tuple[Json, Mapping[int, int]] | None:
    """Return ``document`` with ids from 0 on and no gaps, and the new id of each old one; ``None`` where it has these.

    Only vocabularies that name their ids can be numbered anew.
    """
    vocabulary = at(document, ("model", "vocab"))
    if not isinstance(vocabulary, dict):
        return None
    names = names_of_ids(document)
    tokens = sorted(vocabulary, key=lambda token: vocabulary[token])
    tokens += [names[number] for number in sorted(names) if names[number] not in vocabulary]
    numbers = {token: number for number, token in enumerate(dict.fromkeys(tokens))}
    renumbered = {number: numbers[token] for number, token in names.items()}
    if all(old == new for old, new in renumbered.items()):
        return None
    changed: Json = _renumbered(document, renumbered)
    changed["model"] = document["model"] | {"vocab": {token: numbers[token] for token in tokens if token in vocabulary}}
    return changed, renumbered


ID_KEYS = frozenset({"id", "pad_id"})
"""Members that are an id."""

ID_LISTS = frozenset({"ids"})
"""Members that are a list of ids."""

TOKEN_KEYS = frozenset({"sep", "cls"})
"""Members that are a token and its id."""


def _renumbered(value: Any, numbers: Mapping[int, int]) -> Any:
    """Return ``value`` with new ids in it; the ids of templates' sequences ("A") are no numbers, and stay."""
    if isinstance(value, list):
        return [_renumbered(item, numbers) for item in value]
    if not isinstance(value, dict):
        return value
    changed: Json = {}
    for key, member in value.items():
        if key in ID_KEYS and isinstance(member, int):
            changed[key] = numbers.get(member, member)
        elif key in ID_LISTS and isinstance(member, list):
            changed[key] = [numbers.get(each, each) for each in member]
        elif key in TOKEN_KEYS and isinstance(member, list) and len(member) == 2:
            changed[key] = [member[0], numbers.get(member[1], member[1])]
        else:
            changed[key] = member if key == "model" else _renumbered(member, numbers)
    return changed
