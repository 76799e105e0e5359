"""Reasons that are a rule of the reference replaced: merging, matching, case, normal forms, graphemes, bytes."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Decode, Encode, Stage, Text
from tokenizer_adapters.variants.change import Rule
from tokenizer_conformance.causes.cause import Reason
from tokenizer_conformance.causes.classes.variant_study import Varying

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_adapters.contract import Observation
    from tokenizer_conformance.causes.classes.variant_study import Study
    from tokenizer_conformance.comparison.reduction import Json

MOST_WORDS = 8
MOST_DRAWN = 300
"""How many words are probes, and how many are drawn to find these: words that a rule is about."""

ENCODING = frozenset({Stage.MODEL, Stage.POST_PROCESS})
BEFORE_THE_MODEL = frozenset({Stage.NORMALIZE, Stage.PRE_TOKENIZE, Stage.MODEL, Stage.POST_PROCESS})
DECODING = frozenset({Stage.DECODE})


@dataclass(frozen=True, slots=True)
class ReplacedRule:
    """When a ``rule`` can be the reason, and what else it must hold for.

    It is tried where the tokenizer has one of the ``components``, at one of the ``stages``, for texts that ``touches``
    lets through. ``characters`` are others that the rule is about: each is put in the place of every character for
    which ``touches`` holds. ``texts`` are put in the place of the whole text.
    """

    name: str
    rule: Rule
    components: frozenset[str]
    stages: frozenset[Stage]
    touches: Callable[[str], bool]
    characters: str = ""
    texts: tuple[str, ...] = ()
    asks_words: bool = False

    @property
    def parameter(self) -> str:
        """What of the class it is."""
        return self.rule.value


UNKNOWN = ("aꙮ", "aꙮb", "ꙮ", "ꚙꙮ", "a ꙮb ꚙ", "🂡", "a🂡")
"""Texts with letters and a symbol that hardly any vocabulary has."""


def _any(_text: str) -> bool:
    return True


def _beyond_ascii(text: str) -> bool:
    return not text.isascii()


def _has(chars: str) -> Callable[[str], bool]:
    return lambda text: any(char in text for char in chars)


def _has_hangul(text: str) -> bool:
    return any("\u1100" <= char <= "\u11ff" or "\uac00" <= char <= "\ud7a3" for char in text)


def _of_model(name: str, component: str, *rules: Rule) -> Iterator[ReplacedRule]:
    for rule in rules:
        yield ReplacedRule(name, rule, frozenset({component}), ENCODING, _any, asks_words=True)


def _of_unknown(name: str, component: str, *rules: Rule) -> Iterator[ReplacedRule]:
    for rule in rules:
        yield ReplacedRule(name, rule, frozenset({component}), ENCODING, _any, texts=UNKNOWN)


OF_CHARACTERS = frozenset({"regex-class-approximation", "normalization-form"})
"""Rules that say of every character what becomes of it: none may become a third thing."""

_LOWERCASING = frozenset({"Lowercase", "BertNormalizer"})
_DECOMPOSING = frozenset({"NFC", "NFD", "NFKC", "NFKD", "BertNormalizer"})
_BLANKS = frozenset(
    {"BertNormalizer", "Strip", "WhitespaceSplit", "BertPreTokenizer", "Whitespace", "Split", "Replace", "ByteLevel"}
)
_STRIPPING = frozenset({"BertNormalizer"})
_BYTES = frozenset({"ByteLevel", "ByteFallback"})


def _of_case(
    name: str, rule: Rule, touches: Callable[[str], bool], characters: str = "", texts: tuple[str, ...] = ()
) -> ReplacedRule:
    return ReplacedRule(name, rule, _LOWERCASING, BEFORE_THE_MODEL, touches, characters, texts)


def _of_forms(
    rule: Rule, components: frozenset[str], touches: Callable[[str], bool], characters: str, *texts: str
) -> ReplacedRule:
    return ReplacedRule("normalization-form", rule, components, BEFORE_THE_MODEL, touches, characters, texts)


def _of_classes(
    rule: Rule, components: frozenset[str], touches: Callable[[str], bool], characters: str, *texts: str
) -> ReplacedRule:
    name = "regex-class-approximation"
    return ReplacedRule(name, rule, components, BEFORE_THE_MODEL, touches, characters, texts)


def _of_charsmap(rule: Rule) -> ReplacedRule:
    texts = ("e\u0301", "ﬁ\u0301", "①\u20e3", "Å\u0323", "\u0301", "か\u3099")
    name = "grapheme-against-code-point"
    return ReplacedRule(name, rule, frozenset({"Precompiled"}), BEFORE_THE_MODEL, _beyond_ascii, "", texts)


def _of_bytes(rule: Rule) -> ReplacedRule:
    return ReplacedRule("ill-formed-bytes", rule, _BYTES, DECODING, _any)


RULES: tuple[ReplacedRule, ...] = (
    _of_case("final-sigma", Rule.FINAL_SIGMA, _has("Σ"), texts=("ΟΔΟΣ", "ΑΣ ΒΣ", "ΣΑΣΑ")),
    _of_case("case-folding", Rule.CASE_FOLDING, _beyond_ascii, "ßſςẞŉᏸ"),
    _of_case("case-folding", Rule.SIMPLE_CASE_FOLDING, _beyond_ascii, "ſςẞµᏸ"),
    _of_case("case-folding", Rule.SIMPLE_LOWERCASE, _has("İ"), texts=("İİ", "aİ")),
    _of_case("case-folding", Rule.TURKISH_LOWERCASE, _has("Iİ"), "Iİ"),
    _of_case("case-folding", Rule.ASCII_LOWERCASE, _beyond_ascii, "ÉЖΩÅ"),
    _of_forms(Rule.NO_HANGUL, _DECOMPOSING, _has_hangul, "가한", "한국어"),
    _of_forms(Rule.NFD_UNORDERED, _DECOMPOSING, _beyond_ascii, "", "a\u0301\u0323", "o\u0308\u031b", "\u0301\u0323"),
    _of_forms(Rule.NORMALIZED_ALONE, _DECOMPOSING, _beyond_ascii, "", "e\u0301", "\u1100\u1161", "A\u030a"),
    _of_forms(
        Rule.COMPOSED_ACCENTS_ONLY,
        frozenset({"BertNormalizer"}),
        _beyond_ascii,
        "\u0301\u0323\u0308",
        "e\u0301",
        "\u0301",
        "\u00c0",
    ),
    _of_forms(Rule.ACCENTS_AFTER_CASE, frozenset({"BertNormalizer"}), _beyond_ascii, "", "İ", "É"),
    _of_classes(
        Rule.NONSPACING_ACCENTS, frozenset({"StripAccents"}), _beyond_ascii, "\u0903\u20dd\u0301", "a\u0903", "\u05b8"
    ),
    _of_classes(
        Rule.CHINESE_OF_BERT, _STRIPPING, _beyond_ascii, "\U0002b820\U0002b8a0", "a\U0002b820b", "a\u340fb\uf900c"
    ),
    _of_classes(
        Rule.CHINESE_IN_BASIC_PLANE,
        _STRIPPING,
        _beyond_ascii,
        "\U00020000\U0002a700",
        "a\U00020000b",
        "a\u340fb\uf900c",
    ),
    _of_classes(Rule.BYTE_ORDER_MARK_SPACE, _BLANKS, _has("\ufeff"), "", "a\ufeffb", "\ufeffa \ufeff"),
    _of_classes(Rule.NEXT_LINE_NO_SPACE, _BLANKS, _has("\x85"), "", "a\x85b", "\x85a \x85"),
    _of_classes(Rule.PYTHON_SPACE, _BLANKS, _has("\x1c\x1d\x1e\x1f"), "\x1c\x1f", "a\x1db"),
    ReplacedRule(
        "characters-dropped",
        Rule.UNASSIGNED_REMOVED,
        _STRIPPING,
        BEFORE_THE_MODEL,
        _beyond_ascii,
        "\u0378\u0380\ufdd0\U0001fbfb",
        ("a\u0378b", "\u0380"),
    ),
    *map(
        _of_charsmap,
        (
            Rule.CHARSMAP_LONGEST,
            Rule.CHARSMAP_CHARACTERS,
            Rule.CHARSMAP_WHOLE_CLUSTERS,
            Rule.CHARSMAP_LONG_CLUSTERS,
            Rule.CHARSMAP_CLUSTERS_ONLY,
        ),
    ),
    *_of_model(
        "merge-order",
        "BPE",
        Rule.MERGE_ALL_OCCURRENCES,
        Rule.MERGE_RIGHTMOST,
        Rule.MERGE_BY_TOKEN_ID,
        Rule.MERGE_LEFTMOST,
    ),
    *_of_model("greedy-against-ranked", "BPE", Rule.BPE_LONGEST_MATCH),
    *_of_model("greedy-against-ranked", "WordPiece", Rule.WORD_PIECE_SHORTEST, Rule.WORD_PIECE_FROM_RIGHT),
    *_of_model("greedy-against-ranked", "Unigram", Rule.UNIGRAM_LONGEST_MATCH),
    ReplacedRule(
        "length-limit",
        Rule.WORD_PIECE_BYTES,
        frozenset({"WordPiece"}),
        ENCODING,
        _beyond_ascii,
        texts=tuple(word * times for word in ("\u6f22", "\u0436", "\uac00") for times in (6, 10, 18, 40, 80)),
    ),
    *_of_model("score-precision", "Unigram", Rule.UNIGRAM_SINGLE_PRECISION, Rule.UNIGRAM_HALF_PRECISION),
    *_of_unknown("byte-fallback", "BPE", Rule.BPE_PARTIAL_BYTES),
    *_of_unknown("unknown-token-policy", "BPE", Rule.BPE_UNKNOWN_WORD, Rule.BPE_UNKNOWN_BYTES),
    *_of_unknown("unknown-token-policy", "WordPiece", Rule.WORD_PIECE_UNKNOWN_CHARACTER, Rule.WORD_PIECE_UNKNOWN_REST),
    *_of_unknown(
        "unknown-token-policy",
        "Unigram",
        Rule.UNIGRAM_UNKNOWN_NAMED,
        Rule.UNIGRAM_UNKNOWN_SEPARATE,
        Rule.UNIGRAM_UNKNOWN_LOWEST,
        Rule.UNIGRAM_UNKNOWN_FREE,
        Rule.UNIGRAM_UNKNOWN_FAR,
    ),
    *map(
        _of_bytes,
        (
            Rule.REPLACED_PARTS,
            Rule.REPLACED_BYTES,
            Rule.REPLACED_RUNS,
            Rule.DROPPED_BYTES,
            Rule.DECODED_TOKENS,
        ),
    ),
)
"""The rules, in the order in which they are tried: of two that explain an answer, the first is the reason."""


def replaced_rules(study: Study) -> Iterator[Varying]:
    """Give those of :data:`RULES` that the implementation has in the place of the baseline's."""
    components = component_types(study.document)
    stage = study.witness.stage
    for each in RULES:
        if stage not in each.stages or not each.components & components or not each.touches(study.text):
            continue
        if not _can_matter(study, each) or not study.explains(each.rule):
            continue
        around = study.probed((each.rule,), study.around())
        others = study.probed((each.rule,), _others(study, each))
        if each.name in OF_CHARACTERS and others.neither:  # another class of characters
            continue
        if around.holds and not others.reference and (others if others.tells else around).is_borne_out:
            said = f"Where {each.rule.value}, the reference gives the very answer."
            proof = (said, (around + others).sentence, *study.proviso)
            reason = Reason(each.name, each.parameter, proof, study.explains_with(each.rule))
            yield Varying(reason, (each.rule,))


def _can_matter(study: Study, each: ReplacedRule) -> bool:
    if each.stages == DECODING:
        return study.can_matter_in_decoding(each.rule)
    in_model = each.stages == ENCODING
    return (study.can_matter_in_the_model if in_model else study.can_matter_before_the_model)(each.rule)


def _others(study: Study, each: ReplacedRule) -> Iterator[Observation]:
    """Yield questions about other characters and words that the rule is about."""
    for char in dict.fromkeys(study.text):
        if each.characters and each.touches(char):
            yield from study.replacing(char, each.characters.replace(char, ""))
    yield from study.instead(text for text in each.texts if text != study.text)
    if each.asks_words:
        yield from islice(_words(study, each.rule), MOST_WORDS)


def _words(study: Study, rule: Rule) -> Iterator[Encode]:
    """Yield texts that the ``rule`` is about: it makes other tokens of them."""
    for text in _drawn(study):
        question = Encode(text, add_special_tokens=False)
        if study.answer(question) != study.answer(question, rule):
            yield question


def _drawn(study: Study) -> Iterator[str]:
    """Yield texts of two and of three tokens of the vocabulary, and texts of the characters of the question.

    A tokenizer that was made small for a witness has hardly any other tokens, but still these characters.
    """
    ids = sorted(set(study.trial.vocabulary().values()))
    chars = study.text or "a"
    drawn = random.Random(len(ids))  # noqa: S311 - the same words for the same vocabulary
    for number in range(MOST_DRAWN if ids else 0):
        text = study.answer(Decode(tuple(drawn.choices(ids, k=2 + number % 2))))
        if isinstance(text, Text) and text.text:
            # Without a decoder tokens are joined by spaces, and what is one word is of interest.
            yield from dict.fromkeys((text.text, text.text.replace(" ", "")))
        yield "".join(drawn.choices(chars, k=2 + number % 6))


def component_types(document: Json) -> frozenset[str]:
    """Return the types of all components in a tokenizer.json; that of a model that does not say it is told apart.

    >>> sorted(component_types({"normalizer": {"type": "NFC"}, "model": {"vocab": {}, "merges": []}}))
    ['BPE', 'NFC']
    """
    model = document.get("model")
    found = {each for name in ("normalizer", "pre_tokenizer", "decoder") for each in _types(document.get(name))}
    if isinstance(model, dict):
        found.add(_model_type(model))
    return frozenset(found)


def _model_type(model: Json) -> str:
    if isinstance(model.get("type"), str):
        return str(model["type"])
    if "merges" in model:
        return "BPE"
    return "Unigram" if isinstance(model.get("vocab"), list) else "WordPiece"


def _types(component: Any) -> Iterator[str]:
    if isinstance(component, dict):
        if isinstance(component.get("type"), str):
            yield component["type"]
        if "clean_text" in component and "type" not in component:
            yield "BertNormalizer"
        for value in component.values():
            yield from _types(value)
    elif isinstance(component, list):
        for value in islice(component, 1000):
            yield from _types(value)
