"""Options of models that a shipped file rarely has, and whoever uses it wants to know of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.escape import quoted
from tokenizer_conformance.research.file_audit.audited import is_id
from tokenizer_conformance.research.file_audit.finding import Defect, Finding, Severity, Witness

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.research.file_audit.audited import AuditedFile

DROPOUT = Defect(
    "dropout-on",
    "The file leaves out merges at random",
    Severity.WARNING,
    "Dropout is for training: each call leaves out other merges, so that one text has many encodings.",
    "Set dropout to null.",
)
LONG_WORDS = Defect(
    "long-words-unknown",
    "Words of moderate length are unknown",
    Severity.NOTE,
    "A word of more than max_input_chars_per_word characters becomes one unknown token, whatever it is made of. 100 is "
    "usual; names of chemicals, addresses and German words have more than 20.",
    "Allow longer words, if the model was trained so.",
)
IGNORED_MERGES = Defect(
    "merges-ignored",
    "Words that are tokens are taken whole, whatever the merges say",
    Severity.NOTE,
    "With ignore_merges, a piece of the pre-tokenizer that is in the vocabulary is one token without any merge. "
    "Implementations that know no such option give other ids.",
    "Nothing, if it is meant.",
)

DEFECTS = (DROPOUT, LONG_WORDS, IGNORED_MERGES)

USUAL_LENGTH = 100
"""The longest word of every BERT, in characters."""

TRIES = 20
"""How often a text is encoded to see whether it is always the same."""


def check_options(audited: AuditedFile) -> Iterator[Finding]:
    """Yield what is unusual in the model's options."""
    model = audited.parts.model
    dropout, longest = model.get("dropout"), model.get("max_input_chars_per_word")
    if isinstance(dropout, int | float) and dropout:
        yield Finding(DROPOUT, ("model", "dropout"), f"dropout is {dropout:g}", witness=_random(audited))
    if audited.parts.model_type == "WordPiece" and is_id(longest) and longest < USUAL_LENGTH:
        message = f"a word of more than {longest:,} characters is unknown"
        yield Finding(LONG_WORDS, ("model", "max_input_chars_per_word"), message, witness=_long_word(audited, longest))
    if model.get("ignore_merges") is True:
        yield Finding(IGNORED_MERGES, ("model", "ignore_merges"), "ignore_merges is on")


def _random(audited: AuditedFile) -> Witness | None:
    text = max((token for token in audited.token_ids if token.isascii() and token.isalpha()), key=len, default="a")
    answers = [audited.encoded(text) for _ in range(TRIES)]
    ways = {answer.ids for answer in answers if answer is not None}
    return Witness(f"{quoted(text)}, encoded {TRIES} times, has {len(ways)} encodings", text) if len(ways) > 1 else None


def _long_word(audited: AuditedFile, longest: int) -> Witness | None:
    for letter in "aeno0":
        fits, too_long = audited.encoded(letter * longest), audited.encoded(letter * (longest + 1))
        if fits is not None and too_long is not None and len(too_long.ids) == 1 < len(fits.ids):
            text = letter * (longest + 1)
            shown = f"{quoted(letter)} {longest} times becomes {len(fits.ids)} tokens"
            return Witness(f"{shown}, and {longest + 1} times {too_long.ids[0]} alone", text)
    return None
