"""Which place is rightly blamed for a change of a module of the reference.

A component's module has the place of its stage; reading and writing its JSON are places of their own. What several
stages stand on may show in any of them. What leads a text through all stages has no place of its own: no blame is
right or wrong there.
"""

from __future__ import annotations

from fnmatch import fnmatchcase

from tokenizer_conformance.validation.suite.requirement import Place

_ADDED_TOKENS = {Place.ADDED_TOKENS, Place.VOCABULARY, Place.DECODE}
_TEXT_STAGES = {Place.NORMALIZE, Place.PRE_TOKENIZE}
_PATTERNS = _TEXT_STAGES | {Place.LOAD, Place.DECODE}
_FILES = {Place.LOAD, Place.SAVE}

PLACES: tuple[tuple[str, set[Place]], ...] = (
    ("normalizers.*", {Place.NORMALIZE}),
    ("pre_tokenizers.*", {Place.PRE_TOKENIZE}),
    ("models.vocabulary", {Place.MODEL, Place.VOCABULARY}),
    ("models.*", {Place.MODEL}),
    ("processors.*", {Place.POST_PROCESS}),
    ("decoders.*", {Place.DECODE}),
    ("added_vocabulary", _ADDED_TOKENS),
    ("pipeline.added_matches", _ADDED_TOKENS),
    ("values.added_token", _ADDED_TOKENS),
    ("pipeline.padding", {Place.POST_PROCESS}),
    ("pipeline.truncation", {Place.POST_PROCESS}),
    ("pipeline.tokenizer_json", _FILES),
    ("json_text.*", _FILES),
    ("values.encoding", {Place.MODEL, Place.POST_PROCESS}),
    ("values.pre_tokenized_string", {Place.PRE_TOKENIZE, Place.MODEL}),
    ("values.token*", {Place.MODEL}),
    ("text.byte_level", _TEXT_STAGES | {Place.DECODE}),
    ("text.utf8", _TEXT_STAGES | {Place.DECODE}),
    ("text.charsmap", {Place.NORMALIZE}),
    ("text.normalization", {Place.NORMALIZE}),
    ("text.regex", _PATTERNS),
    ("text.pattern", _PATTERNS),
    ("text.oniguruma.*", _PATTERNS),
    ("text.code_point_sets", _PATTERNS),
    ("text.unicode_properties", _PATTERNS),
    ("text.*", _TEXT_STAGES),
    ("chat.*", {Place.CHAT}),
)
"""The places of modules; the first pattern that a module's name matches counts."""

OF_FILES = (
    *("*json*", "__init__", "__post_init__", "_parse*", "parse*", "_read*", "read*", "compile*", "_compile*"),
    *("check*", "_check*"),
)
"""Names of functions that read, check or write what stands in a file."""


def right_places(module: str, function: str) -> frozenset[Place]:
    """Return the places that are rightly blamed for a change of ``function`` of ``module``; none: any or none is."""
    own = next((places for pattern, places in PLACES if fnmatchcase(module, pattern)), set())
    if not own:
        return frozenset()
    reads = any(fnmatchcase(function, pattern) for pattern in OF_FILES) or not function
    return frozenset(own | _FILES if reads else own)
