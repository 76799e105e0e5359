"""Reasons that are a rule of the reference replaced: merging, matching, case, normal forms, graphemes, bytes."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Decode, Encode, Stage, Text
from tokenizer_adapters.variants.change import Rule
from tokenizer_conformance.causes.cause import Reason
from tokenizer_conformance.causes.classes.variant_study import Study

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_conformance.causes.bench import Bench
    from tokenizer_conformance.causes.witness import Witness
    from tokenizer_conformance.comparing.reduction import Json

MOST_WORDS = 16
"""How many words are made of tokens for probes."""

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


_LOWERCASING = frozenset({"Lowercase", "BertNormalizer"})
_DECOMPOSING = frozenset({"NFC", "NFD", "NFKC", "NFKD", "BertNormalizer"})
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
    ),
    _of_forms(Rule.ACCENTS_AFTER_CASE, frozenset({"BertNormalizer"}), _beyond_ascii, "", "İ", "É"),
    *map(
        _of_charsmap,
        (
            Rule.CHARSMAP_LONGEST,
            Rule.CHARSMAP_CHARACTERS,
            Rule.CHARSMAP_WHOLE_CLUSTERS,
            Rule.CHARSMAP_LONG_CLUSTERS,
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
    *_of_model("score-precision", "Unigram", Rule.UNIGRAM_SINGLE_PRECISION, Rule.UNIGRAM_HALF_PRECISION),
    *_of_model("unknown-token-policy", "BPE", Rule.BPE_UNKNOWN_WORD, Rule.BPE_UNKNOWN_BYTES),
    *_of_model("unknown-token-policy", "WordPiece", Rule.WORD_PIECE_UNKNOWN_CHARACTER, Rule.WORD_PIECE_UNKNOWN_REST),
    *_of_model(
        "unknown-token-policy",
        "Unigram",
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


def replaced_rule(bench: Bench, witness: Witness) -> Reason | None:
    """Prove that the implementation has one of :data:`RULES` in the place of the baseline's."""
    study = Study.of(bench, witness)
    document = None if study is None else study.document()
    if study is None or document is None:
        return None
    components = component_types(document)
    for each in RULES:
        if witness.stage not in each.stages or not each.components & components or not each.touches(study.text):
            continue
        if not study.explains(each.rule):
            continue
        probed = study.probed((each.rule,), _probes(study, each))
        if probed.holds:
            said = f"Where {each.rule.value}, the reference gives the very answer."
            return Reason(each.name, each.parameter, (said, probed.sentence))
    return None


def _probes(study: Study, each: ReplacedRule) -> Iterator[Any]:
    yield from study.around()
    for char in dict.fromkeys(study.text):
        if each.characters and each.touches(char):
            yield from study.replacing(char, each.characters)
    yield from study.instead(each.texts)
    if each.asks_words:
        yield from _words(study)


def _words(study: Study) -> Iterator[Encode]:
    """Yield texts of two and of three tokens of the vocabulary: words on which a model has something to decide."""
    ids = sorted(set(study.trial.vocabulary().values()))
    drawn = random.Random(len(ids))  # noqa: S311 - the same words for the same vocabulary
    groups = (tuple(drawn.choices(ids, k=2 + number % 2)) for number in range(MOST_WORDS if ids else 0))
    for group in groups:
        answer = study.answer(Decode(group))
        if isinstance(answer, Text) and answer.text:
            yield Encode(answer.text, add_special_tokens=False)


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
