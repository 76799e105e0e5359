"""The steps by which what a file says is put into a tokenizer.json, one for each thing that it can say.

Tokens are compared by id, as a tokenizer.json spells them; a conversion fills ids that have no token with placeholders,
which are passed over. What is said is the same in a GGUF file and in the SentencePiece model that its kinds come from,
with the same numbers for the types of tokens: so all formats are read into a ``GgufVocabulary``.
"""

from __future__ import annotations

import base64
import struct
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.gguf.conversion import looks_special
from tokenizer_adapters.gguf.pre_tokenizers import PRE_TOKENIZERS, UNNAMED, name_of, steps_of
from tokenizer_adapters.gguf.settings import left_stripped, right_stripped
from tokenizer_adapters.gguf.vocabulary import TokenType
from tokenizer_conformance.comparison.component_differences import Component
from tokenizer_conformance.comparison.document_parts import is_possible, pair_of, type_of_model
from tokenizer_conformance.escape import quoted
from tokenizer_conformance.plural import counted
from tokenizer_conformance.releases.conversions.overlay import (
    ConversionError,
    Overlay,
    around,
    ids_of,
    mapped,
    members_of,
    template_around,
)
from tokenizer_conformance.releases.conversions.special_ids import content_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_adapters.gguf.settings import Settings
    from tokenizer_adapters.gguf.vocabulary import GgufVocabulary
    from tokenizer_conformance.comparison.reduction import Json
    from tokenizer_conformance.releases.conversions.overlay import Ids

SPACE = "\u2581"
"""What stands for a space in the pieces of SentencePiece, and at the beginnings of words in a ``bert`` file."""

CONTINUING = "##"
PLACEHOLDER = "[PAD"
"""What the name of a token begins with that a conversion puts where an id has none."""

CUT_OUT = frozenset({TokenType.CONTROL, TokenType.USER_DEFINED, TokenType.UNKNOWN})
"""Types of tokens that llama.cpp finds in a text before it tokenizes the rest."""

SPECIAL = frozenset({TokenType.CONTROL, TokenType.UNKNOWN})
NO_LIMIT = 1_000_000_000
MOST_NAMED = 3

ONE_SCORE = "a token has one score, and so all merges that make it have one rank in every such file"
LOOKS_SPECIAL = "llama.cpp's converter makes control tokens of all added tokens that look like some"
CANNOT_SAY = "no GGUF file can say this"
NO_SCORES = "the list of scores is missing, and each counts as 0"


def as_it_is(token: str, _type: int) -> str:
    """Return a token of a file that spells tokens as a tokenizer.json does."""
    return token


def wordpiece(token: str, type_: int) -> str:
    """Return a token of a ``bert`` file as a vocab.txt spells it: there it marks what continues a word."""
    if type_ in CUT_OUT or type_ == TokenType.UNUSED:
        return token
    return token[1:] if token.startswith(SPACE) else CONTINUING + token


Step = Callable[["Overlay", "Side"], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of tokenizer in a file: the ``type`` of model that it is in a tokenizer.json, and what it says.

    ``spelled`` gives a token, with its type, as a tokenizer.json spells it. The ``steps`` stand in the order of the
    pipeline.
    """

    type: str
    spelled: Callable[[str, int], str] = as_it_is
    steps: tuple[Step, ...]


def put_in(side: Side) -> Overlay:
    """Return the document of ``side`` with all that the file says.

    Raises :class:`ConversionError` where the two are of different types of models.
    """
    type_ = type_of_model(side.document["model"])
    if type_ != side.kind.type:
        raise ConversionError(
            f"it holds a {side.kind.type}, and the tokenizer.json a {type_}: they are not of one model, or it was "
            "converted as something else"
        )
    made = Overlay(document=side.document)
    for step in side.kind.steps:
        step(made, side)
    return made


@dataclass(frozen=True)
class Side:
    """The two that are compared: a ``document`` with its ``configuration``, and what a file says."""

    document: Json
    configuration: Json
    vocabulary: GgufVocabulary
    settings: Settings
    kind: Kind

    @cached_property
    def ids(self) -> Ids:
        """The tokens of the document by id."""
        return ids_of(self.document)

    @cached_property
    def tokens(self) -> dict[int, str]:
        """The tokens of the file by id, spelled as in the document; without placeholders."""
        ours = self.ids.all
        found = {}
        for id_, token in enumerate(self.vocabulary.tokens):
            type_, known = self.vocabulary.type_of(id_), ours.get(id_)
            # A placeholder that llama.cpp cuts out of a text is a token like others.
            placeholder = token.startswith(PLACEHOLDER) and type_ not in CUT_OUT
            if known is None and (type_ == TokenType.UNUSED or placeholder):
                continue
            spelled = self.kind.spelled(token, type_)
            # Added tokens alone are written with spaces by the converter.
            spaced = known in self.ids.added and str(known).replace(SPACE, " ") == token
            same = known is not None and (known in (spelled, token) or spaced)
            found[id_] = str(known) if same else spelled
        return found

    @cached_property
    def model_tokens(self) -> dict[str, int]:
        """Those of the tokens that stand in the vocabulary of the model; of a token that comes twice, the last id.

        ``tokenizers`` counts the ids of added tokens on from the vocabulary. So those before the last token that is new
        in it stand in it, too.
        """
        in_model = set(self.ids.model.values())
        there = {id_ for id_, token in self.tokens.items() if token in in_model}
        new = {id_ for id_ in self.tokens if id_ not in there and self.vocabulary.type_of(id_) not in CUT_OUT}
        last = max(new, default=-1)
        kept = there | new | {id_ for id_ in self.tokens if id_ < last or id_ in self.ids.model}
        return {token: id_ for id_, token in self.tokens.items() if id_ in kept}


# The vocabulary ------------------------------------------------------------------------------------------------------


def put_vocabulary(made: Overlay, side: Side) -> None:
    """Put the tokens with their ids into the model; of a Unigram with its scores."""
    made.compared.add(Component.VOCABULARY)
    _note_moved(made, side)
    vocabulary = made.model["vocab"]
    if isinstance(vocabulary, list):
        if side.vocabulary.scores is None:
            made.note(Component.VOCABULARY, NO_SCORES)
        made.change_model(vocab=_pieces(vocabulary, side), unk_id=_unknown(made, side))
    elif {int(id_): token for token, id_ in vocabulary.items()} != {i: t for t, i in side.model_tokens.items()}:
        added = [token for token in side.model_tokens if token in side.ids.added and token not in vocabulary]
        if added:
            # What is new stands behind them, and their ids would move without.
            made.note(Component.VOCABULARY, f"{counted(len(added), 'added token')} of the file among them")
        made.change_model(vocab=side.model_tokens)


def _note_moved(made: Overlay, side: Side) -> None:
    """Say by how much ids are shifted, where all that moved are shifted alike, and which tokens come twice."""
    ours = {token: id_ for id_, token in side.ids.all.items()}
    moved = [(id_, id_ - ours[token]) for id_, token in side.tokens.items() if ours.get(token, id_) != id_]
    steps = {step for _, step in moved}
    if len(moved) > 1 and len(steps) == 1:
        (step,) = steps
        made.note(Component.VOCABULARY, f"all ids from {moved[0][0] - step} on are shifted by {step:+d}")
    seen: dict[str, int] = {}
    for id_, token in side.tokens.items():
        if token in seen:
            made.note(Component.VOCABULARY, f"{quoted(token)} is there twice, as {seen[token]} and {id_}")
        seen[token] = id_


def _pieces(vocabulary: list[Any], side: Side) -> list[Any]:
    """Return the pieces with the scores of the file; those that no text is cut into keep theirs, which do not count."""
    scores = {str(piece): score for piece, score in vocabulary}
    given = side.vocabulary.scores or (0.0,) * len(side.vocabulary.tokens)
    pieces = []
    last = max((id_ for token, id_ in side.model_tokens.items() if token in scores), default=-1)
    for id_ in range(last + 1):
        token = side.tokens.get(id_, f"{PLACEHOLDER}{id_}]")
        score = scores.get(token)
        counts = side.vocabulary.type_of(id_) in (TokenType.NORMAL, TokenType.USER_DEFINED)
        if score is None or (counts and _as_float32(score) != given[id_]):
            score = given[id_]
        pieces.append([token, score])
    return pieces


def _as_float32(score: float) -> float:
    return float(struct.unpack("<f", struct.pack("<f", score))[0])


def _unknown(made: Overlay, side: Side) -> int | None:
    made.compared.add(Component.MODEL)
    ours, theirs = side.document["model"].get("unk_id"), side.settings.unknown
    if ours != theirs:
        made.note(Component.MODEL, f"the unknown token has the id {theirs}")
    return theirs


def put_added_tokens(made: Overlay, side: Side) -> None:
    """Put in the tokens that llama.cpp cuts out of a text, with what it knows of them."""
    made.compared.add(Component.ADDED_TOKENS)
    types, unknown = side.vocabulary.type_of, made.model.get("unk_token")
    added = []
    lost: list[str] = []
    for id_, token in side.tokens.items():
        known = side.ids.added.get(token)
        if types(id_) not in CUT_OUT:
            if known is not None:
                lost.append(f"{quoted(token)} ({id_}) has the type {_named(types(id_))}")
            continue
        if known is None and (types(id_) == TokenType.UNKNOWN or token == unknown):
            continue
        flags = known or {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
        added.append({**flags, "id": id_, "content": token, "special": types(id_) in SPECIAL})
    if lost:
        made.note(Component.ADDED_TOKENS, _few(lost))
    made.change(added_tokens=added)
    became = [each for each in added if _special_of(side, each) not in (None, each["special"])]
    if became and all(each["special"] and looks_special(each["content"]) for each in became):
        made.losses["added_tokens.special"] = LOOKS_SPECIAL


def _special_of(side: Side, token: Json) -> bool | None:
    known = side.ids.added.get(token["content"])
    return None if known is None else bool(known["special"])


def put_pieces_of_added_tokens(made: Overlay, side: Side) -> None:
    """Take away the added tokens that a SentencePiece model has no piece for.

    What else it says of pieces that are added tokens means another thing there: a user-defined symbol is found by the
    model itself, and a control symbol never in a text. So these stay as they are.
    """
    made.compared.add(Component.ADDED_TOKENS)
    there = set(side.tokens.values())
    made.change(added_tokens=[each for each in made.document.get("added_tokens") or () if each["content"] in there])


def put_flags(made: Overlay, side: Side) -> None:
    """Take off the added tokens what no file says of them, and llama.cpp knows of a few names alone."""
    special = frozenset(each["content"] for each in made.document["added_tokens"])
    _lose_flag(made, "lstrip", left_stripped(side.vocabulary))
    _lose_flag(made, "rstrip", special if right_stripped(side.vocabulary) else frozenset())
    _lose_flag(made, "single_word", frozenset())


def _lose_flag(made: Overlay, flag: str, kept: frozenset[str]) -> None:
    """Take a ``flag`` off the added tokens: no file says it, and llama.cpp knows it of a few names (``kept``) alone."""
    tokens = made.document["added_tokens"]
    changed = [{**token, flag: token["content"] in kept} if token.get(flag) else token for token in tokens]
    if changed != tokens:
        made.losses[f"added_tokens.{flag}"] = CANNOT_SAY
        made.change(added_tokens=changed)


def _named(type_: int) -> str:
    known = {each.value: each.name for each in TokenType}
    return known.get(type_, str(type_))


def _few(words: list[str]) -> str:
    more = f", and {len(words) - MOST_NAMED:,} more" if len(words) > MOST_NAMED else ""
    return f"{', '.join(words[:MOST_NAMED])}{more}"


# Merges --------------------------------------------------------------------------------------------------------------


def put_merges(made: Overlay, side: Side) -> None:
    """Put in the merges of a file that lists them."""
    made.compared.add(Component.MERGES)
    given = side.vocabulary.merges
    if given is None:
        made.note(Component.MERGES, "the list of merges is missing")
    read = [_merge(each) for each in given or ()]
    if read == [list(pair_of(each)) for each in side.document["model"].get("merges") or ()]:
        _keep_possible(made, side.document["model"].get("merges") or [])
        return
    _keep_possible(made, read)


def _keep_possible(made: Overlay, merges: list[Any]) -> None:
    """Put in the ``merges`` whose tokens are there; the others can never be carried out, and are said."""
    vocabulary = made.model["vocab"]
    kept = [each for each in merges if is_possible(each, vocabulary, "")]
    if len(kept) < len(merges):
        made.note(Component.MERGES, f"{counted(len(merges) - len(kept), 'merge')} of tokens that are not there")
    made.change_model(merges=kept)


def _merge(text: str) -> list[str]:
    """Return the parts of a merge, as llama.cpp reads it: cut at the first space that is not the first character."""
    first, _, second = text[1:].partition(" ")
    return [text[:1] + first, second]


def put_merges_by_score(made: Overlay, side: Side) -> None:
    """Put the merges in the order of the scores of what they make, by which a ``llama`` file has llama.cpp merge."""
    made.compared.add(Component.MERGES)
    scores = side.vocabulary.scores
    if scores is None:
        made.note(Component.MERGES, NO_SCORES)
        scores = (0.0,) * len(side.vocabulary.tokens)
    score_of = {token: scores[id_] for token, id_ in side.model_tokens.items()}
    merges = [each for each in side.document["model"].get("merges") or () if _made(each) in score_of]
    cut_out = {token for id_, token in side.tokens.items() if side.vocabulary.type_of(id_) in CUT_OUT}
    # What is cut out of a text before is never merged: its score counts for nothing.
    counting = [each for each in merges if _made(each) not in cut_out]
    ordered = sorted(counting, key=lambda each: -score_of[_made(each)])
    tied = _tied(ordered, score_of)
    if tied:
        made.note(
            Component.MERGES,
            f"{counted(len(tied), 'token')} that merges make with a score that others have, too: of these the "
            "leftmost is made first, which no ranks can say; here the order of these merges is the opposite",
        )
        opposite = [*reversed(counting)]
        ordered = sorted(opposite, key=lambda each: -score_of[_made(each)])
    if ordered == counting:
        ordered = merges
    elif _first_made(ordered) == _first_made(counting):
        made.losses["model.merges"] = ONE_SCORE
    _keep_possible(made, ordered)


def _tied(merges: list[Any], score_of: Mapping[str, float]) -> frozenset[str]:
    """Return what ``merges`` make whose score another that they make has, too."""
    by_score: dict[float, set[str]] = {}
    for each in merges:
        by_score.setdefault(score_of[_made(each)], set()).add(_made(each))
    return frozenset(token for tokens in by_score.values() if len(tokens) > 1 for token in tokens)


def _made(merge: Any) -> str:
    return "".join(pair_of(merge))


def _first_made(merges: list[Any]) -> list[str]:
    """Return what ``merges`` make, in the order in which they do so first."""
    return list(dict.fromkeys(map(_made, merges)))


def put_byte_tokens(made: Overlay, side: Side) -> None:
    """See whether byte tokens are such for llama.cpp, which else decodes them as text."""
    made.compared.add(Component.DECODER)
    wrong = [
        f"{quoted(token)} ({id_}) has the type {_named(side.vocabulary.type_of(id_))}"
        for id_, token in side.tokens.items()
        if _is_byte(token) and side.vocabulary.type_of(id_) != TokenType.BYTE
    ]
    there = {token for token in side.tokens.values() if _is_byte(token)}
    if wrong and made.model.get("byte_fallback"):
        made.note(Component.DECODER, _few(wrong))
        decoder = mapped(made.document.get("decoder"), lambda each: None if each["type"] == "ByteFallback" else each)
        made.change(decoder=decoder)
    if made.model.get("byte_fallback") and not there:
        made.note(Component.MODEL, "there are no byte tokens")
        made.change_model(byte_fallback=False)


def _is_byte(token: str) -> bool:
    return len(token) == 6 and token.startswith("<0x") and token.endswith(">")


def put_ignoring_merges(made: Overlay, side: Side) -> None:
    """Put in whether a piece that is a token is that, whatever the merges."""
    made.compared.add(Component.MODEL)
    if bool(made.model.get("ignore_merges")) != side.settings.ignore_merges:
        by_name = f"llama.cpp decides this by the name of the pre-tokenizer, {side.vocabulary.pre!r}"
        if name_of(side.document) == side.vocabulary.pre:
            made.losses["model.ignore_merges"] = f"{by_name}, and has no other one for this pattern"
        else:
            made.note(Component.MODEL, by_name)
        made.change_model(ignore_merges=side.settings.ignore_merges)


# What is done to a text before ---------------------------------------------------------------------------------------


def put_pre_tokenizer(made: Overlay, side: Side) -> None:
    """Put in the pre-tokenizer that a name stands for."""
    name = side.vocabulary.pre
    if name is None:
        made.note(Component.PRE_TOKENIZER, "no pre-tokenizer is named; llama.cpp warns, and takes its default")
    known = PRE_TOKENIZERS.get(name or UNNAMED)
    if known is None:
        made.unsaid.append(f"the pre-tokenizer: what {name!r} stands for is not known here")
        return
    made.compared.add(Component.PRE_TOKENIZER)
    if list(steps_of(made.document.get("pre_tokenizer"))) != list(steps_of(known)):
        if name is not None:
            made.note(Component.PRE_TOKENIZER, f"tokenizer.ggml.pre is {name!r}")
        made.change(pre_tokenizer=known)


def put_no_normalizer(made: Overlay, _side: Side) -> None:
    """Take the normalizer away, for which the format has no place."""
    made.compared.add(Component.NORMALIZER)
    if members_of(made.document.get("normalizer")):
        made.losses[Component.NORMALIZER] = f"{CANNOT_SAY}, and llama.cpp normalizes no text for a BPE"
        made.change(normalizer=None)


def put_bert_normalizer(made: Overlay, side: Side) -> None:
    """Put in how letters are changed; what else a BertNormalizer does, llama.cpp does always."""
    made.compared.update((Component.NORMALIZER, Component.MODEL))
    settings = side.settings

    def changed(each: Json) -> Json:
        if each.get("type") != "BertNormalizer":
            return each
        lowercase = bool(each.get("lowercase"))
        strips = lowercase if each.get("strip_accents") is None else bool(each["strip_accents"])
        if (lowercase, strips) == (settings.lowercase, settings.strip_accents):
            return each
        made.note(
            Component.NORMALIZER,
            f"llama.cpp has lowercase {settings.lowercase}, strip_accents {settings.strip_accents}",
        )
        return {**each, "lowercase": settings.lowercase, "strip_accents": settings.strip_accents}

    made.change(normalizer=mapped(made.document.get("normalizer"), changed))
    if made.model.get("max_input_chars_per_word", NO_LIMIT) < NO_LIMIT:
        made.losses["model.max_input_chars_per_word"] = f"{CANNOT_SAY}, and llama.cpp has no such limit"
        made.change_model(max_input_chars_per_word=NO_LIMIT)


def put_unknown_word(made: Overlay, side: Side) -> None:
    """Put in what a word becomes that the vocabulary of a WordPiece cannot spell."""
    made.compared.add(Component.MODEL)
    unknown = side.settings.unknown
    token = None if unknown is None else side.tokens.get(unknown)
    if token is not None and token != made.model.get("unk_token"):
        made.change_model(unk_token=token)


def put_charsmap(made: Overlay, side: Side) -> None:
    """Put in the character map of a SentencePiece model."""
    made.compared.add(Component.NORMALIZER)
    given = side.vocabulary.charsmap
    ours = [each for each in members_of(made.document.get("normalizer")) if each.get("type") == "Precompiled"]
    held = base64.b64decode(ours[0]["precompiled_charsmap"] or "") if ours else None
    if (held or None) == (given or None):
        return
    made.note(
        Component.NORMALIZER,
        "precompiled_charsmap is missing" if not given else f"precompiled_charsmap has {len(given):,} bytes",
    )
    other = None if not given else {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(given).decode()}
    if ours:
        changed = mapped(made.document["normalizer"], lambda each: other if each.get("type") == "Precompiled" else each)
        made.change(normalizer=changed)
    else:
        rest = made.document.get("normalizer")
        made.change(normalizer={"type": "Sequence", "normalizers": [each for each in (other, rest) if each]})


def put_space_before(made: Overlay, side: Side) -> None:
    """Put in whether a space goes before a text, which a Metaspace or a Prepend does."""
    wanted = side.settings.add_space_prefix
    spaces = [each for each in members_of(made.document.get("pre_tokenizer")) if each.get("type") == "Metaspace"]
    prepends = [each for each in members_of(made.document.get("normalizer")) if each.get("type") == "Prepend"]
    ours = bool(prepends) or any(_prepends(each) for each in spaces)
    made.compared.add(Component.PRE_TOKENIZER if spaces else Component.NORMALIZER)
    if ours == wanted:
        return
    made.note(
        Component.PRE_TOKENIZER if spaces else Component.NORMALIZER,
        f"it puts {'a' if wanted else 'no'} space before a text{_by(side, 'add_space_prefix')}",
    )
    if spaces:
        scheme = {"prepend_scheme": "always" if wanted else "never"}
        changed = mapped(
            made.document["pre_tokenizer"],
            lambda each: {**each, **scheme} if each.get("type") == "Metaspace" else each,
        )
        made.change(pre_tokenizer=changed)
    elif prepends:
        changed = mapped(made.document["normalizer"], lambda each: None if each.get("type") == "Prepend" else each)
        made.change(normalizer=changed)
    else:
        rest = made.document.get("normalizer")
        prepend = {"type": "Prepend", "prepend": SPACE}
        made.change(normalizer={"type": "Sequence", "normalizers": [each for each in (prepend, rest) if each]})


def _prepends(metaspace: Json) -> bool:
    scheme = metaspace.get("prepend_scheme")
    return bool(metaspace.get("add_prefix_space", True)) if scheme is None else scheme != "never"


def put_extra_spaces(made: Overlay, side: Side) -> None:
    """See whether spaces beyond the first are kept, which a Replace or a WhitespaceSplit takes away."""
    made.compared.add(Component.NORMALIZER)
    parts = [*members_of(made.document.get("normalizer")), *members_of(made.document.get("pre_tokenizer"))]
    removes = any(_removes_spaces(each) for each in parts)
    if removes and not side.settings.remove_extra_whitespaces:
        normalizes = any(map(_removes_spaces, members_of(made.document.get("normalizer"))))
        made.note(
            Component.NORMALIZER if normalizes else Component.PRE_TOKENIZER,
            f"it keeps spaces beyond the first{_by(side, 'remove_extra_whitespaces')}",
        )
        made.change(
            normalizer=mapped(made.document.get("normalizer"), _keeping_spaces),
            pre_tokenizer=mapped(made.document.get("pre_tokenizer"), _keeping_spaces),
        )
    elif side.settings.remove_extra_whitespaces and not removes:
        made.unsaid.append("spaces beyond the first, which it takes away and nothing in the tokenizer.json is known to")


def _keeping_spaces(part: Json) -> Json | None:
    return None if _removes_spaces(part) else part


def _removes_spaces(part: Json) -> bool:
    if part.get("type") == "WhitespaceSplit":
        return True
    return part.get("type") == "Replace" and part.get("pattern", {}).get("Regex", "").startswith((" {2,}", "\\s+"))


# What is put around a text -------------------------------------------------------------------------------------------


def put_special_tokens(made: Overlay, side: Side) -> None:
    """Put in the special tokens that llama.cpp puts around a text.

    Where tokenizer_config.json says what is put there, and the file says the same, it is no difference: loaders follow
    it, too, and not the tokenizer.json.
    """
    processor, settings = made.document.get("post_processor"), side.settings
    ours = around(processor)
    if ours is None:
        made.unsaid.append(
            "special tokens around a text: the post-processor is none that puts some before and some after it"
        )
        return
    made.compared.add(Component.POST_PROCESSOR)
    theirs = settings.before, settings.after
    said = side.configuration.get("add_bos_token"), side.configuration.get("add_eos_token")
    agreed = (
        said[0] is settings.add_bos and _is_named(side, "bos_token", settings.bos),
        said[1] is settings.add_eos and _is_named(side, "eos_token", settings.eos),
    )
    same = tuple(mine == other or both for mine, other, both in zip(ours, theirs, agreed, strict=True))
    if all(same):
        return
    before, after = (other if not same_ else mine for mine, other, same_ in zip(ours, theirs, same, strict=True))
    tokens = side.tokens
    made.note(
        Component.POST_PROCESSOR,
        f"llama.cpp puts {_listed(before, tokens)} before a text and {_listed(after, tokens)} after it "
        f"(add_bos_token {_said(side, 'add_bos_token')}, add_eos_token {_said(side, 'add_eos_token')})",
    )
    kept = [each for each in members_of(processor) if each.get("type") == "ByteLevel"]
    template = template_around(before, after, tokens)
    processors = [*kept, *([] if template is None else [template])]
    whole = {"type": "Sequence", "processors": processors} if len(processors) > 1 else next(iter(processors), None)
    made.change(post_processor=whole)


def _is_named(side: Side, role: str, id_: int | None) -> bool:
    """Return whether tokenizer_config.json has the token ``id_`` in this ``role``, or none that is known."""
    token = content_of(side.configuration.get(role))
    return token is None or id_ is None or token not in side.ids.all.values() or side.tokens.get(id_) == token


def _by(side: Side, key: str) -> str:
    """Return the key that says so, where the file has it."""
    found = side.vocabulary.flags.get(key)
    return "" if found is None else f" ({key} is {found})"


def _said(side: Side, key: str) -> str:
    found = side.vocabulary.flags.get(key)
    return "is not said" if found is None else f"is {found}"


def _listed(ids: tuple[int, ...], tokens: Mapping[int, str]) -> str:
    return ", ".join(f"{quoted(tokens.get(id_, '?'))} ({id_})" for id_ in ids) or "nothing"
