"""The classes of reasons: what each means, what proves it, and whose the difference is.

Rules of use: a difference is in a class only where an experiment shows it, no control speaks against it, and no rival
explains as much. What merely looks like a class is unexplained.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Owner(StrEnum):
    """Who would have to change something for the difference to be gone."""

    IMPLEMENTATION = "the implementation's"
    NOBODY = "nobody's"
    EITHER = "the implementation's, or of the files it reads"


@dataclass(frozen=True, slots=True)
class ReasonClass:
    """A class of reasons.

    ``name`` is that of :class:`~tokenizer_conformance.causes.cause.Reason`, ``title`` says it in a few words and
    ``meaning`` in a sentence or two. ``is_acceptable``: both answers are right. ``proven_by`` says what is shown before
    a difference is said to be in the class, ``whose`` whose it is.
    """

    name: str
    title: str
    meaning: str
    is_acceptable: bool
    proven_by: str
    whose: Owner


_DOCUMENT = (
    "The reference, given the tokenizer.json with that one thing changed, gives exactly the implementation's answer, "
    "and other questions bear that out."
)
_QUESTION = (
    "The baseline, asked about the text changed in that way, gives exactly the implementation's answer, and on other "
    "texts the implementation does the same."
)
_ANSWER = (
    "The baseline's answer, changed in that way, is exactly the implementation's, and on other texts the "
    "implementation does the same."
)
_PROMPT = (
    "With that one thing done differently the answer is exactly the implementation's, on other conversations too, and "
    "on none another one than it gives."
)
_VARIANT = "The reference with that one rule exchanged gives exactly the implementation's answer."


def _class(
    name: str,
    title: str,
    meaning: str,
    proven_by: str,
    whose: Owner = Owner.IMPLEMENTATION,
    *,
    is_acceptable: bool = False,
) -> ReasonClass:
    return ReasonClass(name, title, meaning, is_acceptable, proven_by, whose)


CLASSES: tuple[ReasonClass, ...] = (
    # Both are right
    _class(
        "score-tie",
        "segmentations of equal score",
        "Two ways to cut the text have the same score, and each side takes another of them.",
        "Both ways are scored in exact arithmetic, and no other way scores higher.",
        Owner.NOBODY,
        is_acceptable=True,
    ),
    _class(
        "finer-offsets",
        "offsets inside a character that tokens share",
        "Offsets in a unit smaller than a character say where in a character one token ends and the next begins; the "
        "baseline gives both tokens the whole character.",
        "Rounded outward to whole characters, the offsets are those of the baseline. They are counted as agreement and "
        "are no finding.",
        Owner.NOBODY,
        is_acceptable=True,
    ),
    # Unicode
    _class(
        "unicode-version",
        "another version of Unicode",
        "A property of a character is that of another version of Unicode.",
        "The reference with that property of that version gives exactly the implementation's answer.",
    ),
    _class(
        "case-folding",
        "another rule for letter case",
        "Letters are lower-cased, or not, by another rule: ASCII only, simple in place of full, or by locale.",
        _VARIANT,
    ),
    _class(
        "final-sigma",
        "sigma at the end of a word",
        "A sigma is lower-cased by its place in the word; the baseline lower-cases each character alone.",
        _VARIANT,
    ),
    _class(
        "grapheme-against-code-point",
        "code points where graphemes count, or the other way",
        "A table is looked up character by character, or by longest prefix; the baseline looks up grapheme clusters.",
        _VARIANT,
    ),
    # Normalization
    _class(
        "normalization-form",
        "another normalization form",
        "The text is brought to another of NFC, NFD, NFKC and NFKD, or to none, or to one that the file does not name.",
        _DOCUMENT,
    ),
    _class(
        "normalizer-flags",
        "an option of a normalizer is overlooked",
        "An option of a normalizer (strip_accents, lowercase, clean_text, strip_right, …) is taken for another value.",
        _DOCUMENT,
    ),
    _class(
        "charsmap-approximation",
        "something else in place of the character map",
        "A Precompiled character map is replaced by a normalization form that is nearly the same.",
        _DOCUMENT,
    ),
    _class(
        "characters-dropped",
        "characters are dropped or replaced first",
        "Certain characters (controls, marks, white space, those without a piece) are left out of the text, or become "
        "others, before anything else.",
        _QUESTION,
    ),
    _class(
        "text-ends-at-nul",
        "a text ends at U+0000",
        "What stands after the first U+0000 is lost, as in strings of C.",
        "The answer is the baseline's to the text up to U+0000 (for decoding: the baseline's text up to there), and on "
        "other texts with U+0000 the implementation does the same.",
    ),
    _class(
        "byte-order-mark",
        "a byte order mark is dropped",
        "U+FEFF at the head of a text is taken for a mark of the encoding and left out.",
        _QUESTION,
    ),
    # Cutting into words
    _class(
        "prefix-space-policy",
        "another rule for the space before the first word",
        "A space or U+2581 is put before the text, or before what follows an added token, where the file has it "
        "otherwise; or is taken off again when ids are decoded.",
        _DOCUMENT,
    ),
    _class(
        "pre-tokenizer-flags",
        "an option of a pre-tokenizer is overlooked",
        "An option of a pre-tokenizer (use_regex, behavior, invert, individual_digits, split) is taken for another "
        "value.",
        _DOCUMENT,
    ),
    _class(
        "regex-class-approximation",
        "a character class of a regex is another",
        r"A class of characters in a regex, or that a pre-tokenizer stands for, is another: ASCII letters for \p{L}, "
        r"another white space for \s.",
        "The reference, given the tokenizer.json with that class exchanged in its regex, gives exactly the "
        "implementation's answer, and other questions bear that out.",
    ),
    _class(
        "component-left-out",
        "a component is not carried out",
        "A component of tokenizer.json (a normalizer, a pre-tokenizer, a decoder, or a part of a sequence) is not "
        "there for the implementation.",
        _DOCUMENT,
        Owner.EITHER,
    ),
    _class(
        "component-order",
        "components in another order",
        "Two parts of a sequence are carried out in the opposite order.",
        _DOCUMENT,
    ),
    # The model
    _class(
        "unknown-token-policy",
        "another rule for what is unknown",
        "Characters without a token are dropped, fused, or given other ids or names than the file asks for.",
        f"{_DOCUMENT} Or: {_ANSWER[0].lower()}{_ANSWER[1:]}",
    ),
    _class(
        "byte-fallback",
        "bytes in place of unknown characters, or not",
        "Characters without a token become tokens of their bytes where the file has it otherwise, or a token that is "
        "no byte is taken for one.",
        f"{_DOCUMENT} Or: {_ANSWER[0].lower()}{_ANSWER[1:]}",
    ),
    _class(
        "merge-order",
        "merges in another order",
        "Merges of a BPE are applied in another order than that of their ranks.",
        _VARIANT,
    ),
    _class(
        "greedy-against-ranked",
        "the longest token, or the best merges",
        "Words are cut greedily into the longest tokens where merges are ranked, or the other way.",
        _VARIANT,
    ),
    _class(
        "whole-words",
        "words that are tokens are not merged",
        "A word that is a token is taken whole (ignore_merges) where the file has it otherwise, or is merged all the "
        "same.",
        _DOCUMENT,
    ),
    _class(
        "model-entry",
        "one merge, word or piece is another",
        "One entry of the model is missing, or has another id, rank or score, for the implementation.",
        "The baseline, given the tokenizer.json without that entry or with it in another place, gives exactly the "
        "implementation's answer, also for other texts with that entry. Or: the baseline's answer with that one id "
        "exchanged is exactly the implementation's, here and wherever else the id stands.",
    ),
    _class(
        "score-precision",
        "scores of another precision",
        "Scores are added up as numbers of less precision, so that another segmentation comes out best.",
        _VARIANT,
    ),
    _class(
        "word-affixes",
        "prefix or suffix within a word",
        "The prefix of continuing pieces or the suffix of last ones is another, or none.",
        _DOCUMENT,
    ),
    _class(
        "length-limit",
        "another limit of length",
        "A word or text of more than so many characters or tokens is cut, refused or made unknown, or is not where it "
        "should be: truncation and max_input_chars_per_word included.",
        f"{_DOCUMENT} Or: the answer is the beginning of the baseline's, and shorter answers agree.",
    ),
    # Added and special tokens
    _class(
        "added-token-flags",
        "an option of an added token is overlooked",
        "lstrip, rstrip, single_word, normalized or special of added tokens is taken for another value.",
        _DOCUMENT,
    ),
    _class(
        "special-token-handling",
        "special tokens are handled otherwise",
        "Special tokens are looked for in texts or not, put around texts or not, marked or left out in decoding or "
        "not, where the file has it otherwise.",
        f"{_DOCUMENT} Or: {_ANSWER[0].lower()}{_ANSWER[1:]}",
    ),
    _class(
        "pair-handling",
        "the second text is handled otherwise",
        "The second text of a pair is dropped, counts as none where it is empty, or is given other type ids.",
        f"{_QUESTION} Or: {_DOCUMENT[0].lower()}{_DOCUMENT[1:]}",
    ),
    _class(
        "padding-policy",
        "padding is another",
        "The padding that the file asks for is not carried out, or on the other side.",
        _DOCUMENT,
    ),
    _class(
        "token-names",
        "tokens are named otherwise",
        "Ids agree, and a token is shown as its entry in the vocabulary where the baseline shows the text it stands "
        "for, or the other way.",
        _ANSWER,
    ),
    # Offsets
    _class(
        "offset-unit",
        "offsets count something else",
        "Offsets count UTF-8 bytes or UTF-16 units where the implementation says something else.",
        "The baseline's offsets, counted in that unit, are exactly the implementation's, and so they are on other "
        "texts.",
    ),
    _class(
        "offset-convention",
        "offsets say something else",
        "Offsets count in the right unit and mean another place: the normalized text, the word, the last character "
        "in place of the end, with the space before the word or without.",
        _ANSWER,
    ),
    # Decoding
    _class(
        "decode-clean-up",
        "decoded text is cleaned up otherwise",
        "Spaces before punctuation or at the ends of a decoded text are removed or kept where the file has it "
        "otherwise.",
        f"{_DOCUMENT} Or: {_ANSWER[0].lower()}{_ANSWER[1:]}",
    ),
    _class(
        "ill-formed-bytes",
        "bytes that are no UTF-8 are shown otherwise",
        "Ids whose bytes are no UTF-8 become another number of U+FFFD, or none.",
        _VARIANT,
    ),
    _class(
        "stream-steps",
        "streamed text comes in other steps",
        "Of ids that come one at a time, the text is given out earlier or later, or cut otherwise. The baseline keeps "
        "all back as long as the text ends in U+FFFD.",
        "The text that the baseline decodes, given out by that rule, is exactly the implementation's answer step by "
        "step, and on other ids the implementation does the same.",
    ),
    _class(
        "partial-character",
        "ids that end inside a character are refused",
        "Ids whose bytes are no UTF-8 are an error; the baseline shows U+FFFD.",
        "The implementation raises for these ids and for others whose text has U+FFFD, and for none without.",
    ),
    _class(
        "ids-without-value",
        "ids that the implementation does not have",
        "Ids that stand for no token are an error, or ids of added tokens are that the implementation lacks.",
        "Each of these ids alone is an error, and without them the answer agrees.",
    ),
    # Conversations
    _class(
        "chat-renderer",
        "a rule for rendering chat templates",
        "Templates are rendered by another rule: white space around blocks, how JSON is written, what is not there, "
        "constants, null members of messages, which of several templates is taken.",
        f"{_PROMPT} Where no single rule does, two together may.",
        Owner.IMPLEMENTATION,
    ),
    _class(
        "chat-messages",
        "messages are changed before the template sees them",
        "Messages, tools or options are left out, joined or stripped, or a role is taken for another one.",
        _PROMPT,
    ),
    _class(
        "chat-prompt",
        "the rendered prompt is changed",
        "White space at the ends of the rendered text, or its line breaks, are others.",
        _PROMPT,
    ),
    _class(
        "chat-ids",
        "the prompt is tokenized otherwise",
        "Both sides render the same text, and its ids have special tokens that tokenizing adds, or lack some.",
        _PROMPT,
    ),
    # Between questions
    _class(
        "depends-on-earlier-questions",
        "the answer depends on earlier questions",
        "Something is kept from one question to the next: the answer is another one after certain questions than it is "
        "at first.",
        "Asked first of a tokenizer that was just loaded, the answer agrees; after the earlier questions that are "
        "named it differs again, in a process that was just started.",
    ),
    # Loaders
    _class(
        "pipeline-rebuilt-by-loader",
        "a loader runs another pipeline than that of the file",
        "The implementation builds a pipeline of its own around the file's vocabulary.",
        "The baseline, given the tokenizer.json that the implementation saves, gives exactly the implementation's "
        "answer; the members in which the two files differ are named.",
        Owner.EITHER,
    ),
)
"""All classes, in the order in which they are listed."""

CLASSES_BY_NAME = {each.name: each for each in CLASSES}
