"""The fast way of encoding gives what the plain way gives, which is the definition.

On all code points, random pipelines, real texts, and after every kind of change. ``test_fast_way.py`` nests them.
"""

from __future__ import annotations

import json
import sys
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

import pytest
from in_one_test import in_one_test
from published_regexes import PUBLISHED

from tokenizer_conformance.inputs.random_tokenizers import random_text
from tokenizer_conformance.inputs.random_tokenizers.charsmaps import charsmap
from tokenizer_conformance.inputs.random_tokenizers.documents import random_added_tokens
from tokenizer_conformance.inputs.random_tokenizers.models import random_model
from tokenizer_reference import AddedToken, Tokenizer, models, normalizers, pre_tokenizers, processors
from tokenizer_reference.errors import TokenizerReferenceError
from tokenizer_reference.normalizers.locality import NO_CHANGE, Locality
from tokenizer_reference.pipeline import fast_encoder
from tokenizer_reference.text.byte_level import BYTE_TO_CHAR
from tokenizer_reference.text.regex import Regex
from tokenizer_reference.trainers import WordPieceTrainer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from tokenizer_reference.normalizers import Normalizer
    from tokenizer_reference.pre_tokenizers import PreTokenizer

T = TypeVar("T")

FIELDS = ("ids", "tokens", "offsets", "word_ids", "type_ids", "attention_mask", "special_tokens_mask", "sequence_ids")

CHARSMAP = charsmap({"ａ": "a", "½": "1/2", "　": " ", "e\u0301": "é", "\u00ad": "", "ﬁ": "fi", "\u200b": " "})

NORMALIZERS: dict[str, Normalizer | None] = {
    "none": None,
    "BERT, uncased": normalizers.BertNormalizer(),
    "BERT, cased": normalizers.BertNormalizer(lowercase=False),
    "BERT, accents only": normalizers.BertNormalizer(clean_text=False, handle_chinese_chars=False, lowercase=False),
    "lower case": normalizers.Lowercase(),
    "NFC": normalizers.NFC(),
    "NFD": normalizers.NFD(),
    "NFKC": normalizers.NFKC(),
    "NFKD": normalizers.NFKD(),
    "Nmt": normalizers.Nmt(),
    "charsmap": normalizers.Precompiled(CHARSMAP),
    "one character": normalizers.Replace("e", "xy"),
    "albert": normalizers.Sequence(
        [
            normalizers.Replace("``", '"'),
            normalizers.Replace("''", '"'),
            normalizers.NFKD(),
            normalizers.StripAccents(),
            normalizers.Lowercase(),
            normalizers.Precompiled(CHARSMAP),
        ]
    ),
    "literal late": normalizers.Sequence([normalizers.Lowercase(), normalizers.Replace("ab", "\u00e9")]),
    "strip": normalizers.Sequence([normalizers.Strip(), normalizers.NFC()]),
}


def splits(*patterns: str, behavior: str = "isolated", invert: bool = False) -> PreTokenizer:
    """Return a Split by each pattern, and then the bytes."""
    members = [pre_tokenizers.Split(Regex(pattern), behavior, invert) for pattern in patterns]
    return pre_tokenizers.Sequence([*members, pre_tokenizers.ByteLevel(False, use_regex=False)])


PRE_TOKENIZERS: dict[str, PreTokenizer] = {
    "BERT": pre_tokenizers.BertPreTokenizer(),
    "Whitespace": pre_tokenizers.Whitespace(),
    "WhitespaceSplit": pre_tokenizers.WhitespaceSplit(),
    "byte level": pre_tokenizers.ByteLevel(add_prefix_space=False),
    "T5": pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()]),
    "never": pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(prepend_scheme="never"), pre_tokenizers.Digits()]
    ),
    "Llama 3": splits(PUBLISHED["Llama 3"]),
    "GPT-4": splits(PUBLISHED["GPT-4"], behavior="removed", invert=True),
    "DeepSeek V3": splits(r"\p{N}{1,3}", PUBLISHED["DeepSeek V3, Japanese"], PUBLISHED["DeepSeek V3"]),
    "digits, byte level": pre_tokenizers.Sequence(
        [pre_tokenizers.Whitespace(), pre_tokenizers.Digits(True), pre_tokenizers.ByteLevel()]
    ),
}

HOSTILE = (
    "a\u0301 b \u0301c",
    "x\u200dy \u0600 z",
    "a\x00b \x0b c\x0cd\x85e",
    "``a'' it's",
    "\u00a8 \u037e \u1fef \ufdfa z",
    "  a  b   c\n\n d\t e ",
    "\ufb01 \u1161 \uac00\u11a8 x",
    "\u4e2d\u6587 abc",
    "ab\u4e2d\x00\x00cd",  # one character becomes three, and two become none
    "\u2581a b\u2581c",
    "\u0344 a \u0f73b",
    "\ufeffhello",
    "\u0130stanbul \u00df",
    "\u00ad\u00ada b",
    "a \u00ad b",
    "\U0001f468\u200d\U0001f469 ok",
    "\u3000e\u0301 \u0301",
    "",
    " ",
    "\n",
    "a" * 5000,
    "e ab AB " * 400,
    "x\n" * 1500,
    "\ufeff" + "word ab\n" * 400,
    "\u1100\u1161\u11a8 \u11a8",
    "a1234567 b\r\n\r\n  12\u0661\u0662\u0663\u0664 ab\u306d\u306d1",
    "if x:\n        y  =  1\t\t# it's  \n\n\n",
)
SHORT = tuple(text for text in HOSTILE if len(text) < 1000)


@pytest.fixture(params=["at once", "later"])
def pattern(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """When there is a pattern of the characters that stay as they are: short texts alone would bring none about."""
    if request.param == "at once":
        monkeypatch.setattr(fast_encoder, "_WORTH_A_PATTERN", 0.01)
    return str(request.param)


def part_of(pattern: str, all_of_it: Sequence[T]) -> Sequence[T]:
    """Return every other one, the others for the other ``pattern``: each is met with one of the two."""
    return all_of_it[pattern == "later" :: 2]


def fields(tokenizer: Tokenizer, text: str, fast: bool) -> Any:
    tokenizer.fast = fast
    try:
        encoding = tokenizer.encode(text)
    except TokenizerReferenceError as error:
        return type(error), str(error)
    return [getattr(encoding, field) for field in FIELDS]


def went_fast(tokenizer: Tokenizer, text: str) -> bool:
    return tokenizer._fast_encoder().encode(text, tokenizer._added, 0) is not None


def differences(tokenizer: Tokenizer, texts: Iterable[str]) -> Iterator[tuple[str, Any, Any]]:
    for text in texts:
        fast, plain = fields(tokenizer, text, fast=True), fields(tokenizer, text, fast=False)
        if fast != plain:
            yield text, fast, plain


def check(tokenizer: Tokenizer, texts: Iterable[str]) -> None:
    assert list(differences(tokenizer, texts)) == []


def characters_of_bytes() -> dict[str, int]:
    return {char: at for at, char in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}


def tokenizer_of(normalizer: Normalizer | None, pre_tokenizer: PreTokenizer | None, model: models.Model) -> Tokenizer:
    tokenizer = Tokenizer(model)
    tokenizer.normalizer = normalizer
    tokenizer.pre_tokenizer = pre_tokenizer
    return tokenizer


# Random pipelines ----------------------------------------------------------------------------------------------------


def random_pipeline(rng: Random) -> tuple[Tokenizer, list[str]]:
    """Return a tokenizer of components that mostly work locally, and strings of its own."""
    model, own = random_model(rng)
    document = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": random_added_tokens(rng, own) if rng.random() < 0.3 else [],
        "normalizer": None,
        "pre_tokenizer": None,
        "post_processor": None,
        "decoder": None,
        "model": model,
    }
    tokenizer = Tokenizer.from_str(json.dumps(document))
    tokenizer.normalizer = rng.choice(list(NORMALIZERS.values()))
    tokenizer.pre_tokenizer = rng.choice(list(PRE_TOKENIZERS.values()))
    tokenizer.post_processor = rng.choice(
        [
            None,
            processors.ByteLevel(trim_offsets=True),
            processors.RobertaProcessing(("</s>", 2), ("<s>", 0)),
            processors.BertProcessing(("[SEP]", 1), ("[CLS]", 2)),
            processors.TemplateProcessing("[A] $A:3 [B]:2", "$A [A] $B", [("[A]", 5), ("[B]", 6)]),
        ]
    )
    return tokenizer, own


def compare_random_pipelines(seed: str, count: int) -> tuple[int, int]:
    """Compare, and return how many texts there were and how many of them could go the fast way."""
    rng = Random(seed)
    texts = fast = 0
    for number in range(count):
        tokenizer, own = random_pipeline(rng)
        hostile = rng.sample(HOSTILE if number % 8 == 0 else SHORT, 4)  # long ones take most of the time
        for text in [*(random_text(rng, own) for _ in range(12)), *hostile]:
            check(tokenizer, [text])
            texts += 1
            fast += went_fast(tokenizer, text)
    return texts, fast


@pytest.mark.long
@pytest.mark.usefixtures("pattern")
def test_random_pipelines_encode_alike_both_ways() -> None:
    texts, fast = compare_random_pipelines("pipelines", 120)
    assert texts == 120 * 16
    assert fast > texts / 3  # or nothing would have been compared


@pytest.mark.slow
@pytest.mark.usefixtures("pattern")
@pytest.mark.parametrize("part", range(8))
def test_many_random_pipelines_encode_alike_both_ways(part: int) -> None:
    texts, fast = compare_random_pipelines(f"many {part}", 1500)
    assert fast > texts / 3


@pytest.mark.parametrize("normalizer", NORMALIZERS)
@in_one_test("pre_tokenizer", PRE_TOKENIZERS)
def test_hostile_texts_encode_alike_both_ways(normalizer: str, pre_tokenizer: str, pattern: str) -> None:
    """Each normalizer meets long texts with one or more pre-tokenizers, and each pre-tokenizer with two or three.

    Each is met with half of the pre-tokenizers where there is a pattern at once, with the others where it comes later.
    """
    model = models.BPE(characters_of_bytes(), [], unk_token="a")
    tokenizer = tokenizer_of(NORMALIZERS[normalizer], PRE_TOKENIZERS[pre_tokenizer], model)
    place = [*NORMALIZERS].index(normalizer) - [*PRE_TOKENIZERS].index(pre_tokenizer)
    if place % 2 != (pattern == "later"):
        return
    check(tokenizer, HOSTILE if place % len(PRE_TOKENIZERS) == 0 else SHORT)
    assert went_fast(tokenizer, "plain words, and 3 more")


SYNTAX = "[^a] a-z ]x[ \\d \\ ^^ -- && || ~~ #  \t(?:a|b)* . $ {3}"
"""What means something in a pattern."""


@in_one_test("normalizer", NORMALIZERS)
def test_characters_that_stay_as_they_are_are_passed_by(normalizer: str) -> None:
    model = models.BPE(characters_of_bytes(), [], unk_token="a")
    tokenizer = tokenizer_of(NORMALIZERS[normalizer], PRE_TOKENIZERS["BERT"], model)
    check(tokenizer, [SYNTAX, "Ab\u00e9 " * 2000, *HOSTILE, SYNTAX, "Ab\u00e9 \U0001d400\U0001d41a"])
    if normalizer not in ("none", "strip", "literal late"):  # which look up nothing, or not in these texts
        assert tokenizer._fast_encoder()._characters._others.pattern.startswith("[^")


def test_a_wrong_entry_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(normalizers.Lowercase, "_locality", lambda _: Locality(str.upper))
    tokenizer = tokenizer_of(normalizers.Lowercase(), PRE_TOKENIZERS["BERT"], models.BPE(characters_of_bytes(), []))
    assert [text for text, _, _ in differences(tokenizer, ["ab", "12"])] == ["ab"]


# Words in bytes ------------------------------------------------------------------------------------------------------

IN_BYTES = "ab 1\u00e8\u00e9\u65e5\u65e6\u672c\U0001f600\n"


def model_of_bytes(rng: Random, **options: Any) -> models.BPE:
    """Return a model of bytes with merges within the characters and across them, and entries that no merge makes."""
    tokens = [*sorted(pre_tokenizers.ByteLevel.alphabet())]
    spelled = ["".join(BYTE_TO_CHAR[byte] for byte in char.encode()) for char in IN_BYTES]
    merges = []
    near = list("".join(spelled))
    for _ in range(rng.randrange(60)):
        text = "".join(rng.choices(spelled, k=3))
        at = rng.randrange(1, len(text))
        left = max((each for each in near if text[:at].endswith(each)), key=len, default="")
        right = max((each for each in near if text[at:].startswith(each)), key=len, default="")
        if left and right and (left, right) not in merges:
            merges.append((left, right))
            near.append(left + right)
    unmerged = ["".join(rng.choices(spelled, k=rng.randint(1, 4))) for _ in range(5)]
    vocabulary = dict.fromkeys([*tokens, *near, *unmerged])
    return models.BPE({token: id for id, token in enumerate(vocabulary)}, merges, **options)


@pytest.mark.parametrize("name", ["byte level", "Llama 3", "DeepSeek V3", "digits, byte level"])
@pytest.mark.parametrize("ignore_merges", [False, True])
def test_words_in_bytes_encode_alike_both_ways(name: str, ignore_merges: bool) -> None:
    rng = Random(f"{name} {ignore_merges}")
    cut = 0
    for _ in range(20):
        tokenizer = tokenizer_of(None, PRE_TOKENIZERS[name], model_of_bytes(rng, ignore_merges=ignore_merges))
        check(tokenizer, ["".join(rng.choices(IN_BYTES, k=rng.randint(1, 30))) for _ in range(40)])
        cut += len(tokenizer._fast_encoder()._columns_of_run)
    assert cut > 200 or name == "digits, byte level"  # which puts a space before each piece


# Texts that are one piece --------------------------------------------------------------------------------------------

SPACES = normalizers.Replace(" ", "\u2581")
BEFORE = normalizers.Prepend("\u2581")

ONE_PIECE: dict[str, Normalizer] = {
    "Gemma": SPACES,
    **{
        name: normalizers.Sequence(members)
        for name, members in {
            "none": [],
            "start removed": [normalizers.Replace("a", "")],
            "spaces become what changes": [normalizers.Replace("b", "c"), normalizers.Replace(" ", "b")],
            "Llama 2": [BEFORE, SPACES],
            "prepended nothing": [normalizers.Prepend(""), SPACES],
            "prepended twice": [normalizers.Prepend("a "), normalizers.Prepend("b\u2581"), SPACES],
            "prefix removed": [normalizers.Prepend("\u2581a"), normalizers.Replace("a", "")],
            "prefix replaced": [normalizers.Prepend("\u2581a"), normalizers.Replace("\u2581a", "b")],
            "prefix composed": [normalizers.Prepend("e"), normalizers.NFC(), SPACES],
            "characters removed first": [normalizers.Replace("\n", ""), BEFORE, SPACES],
            "characters removed": [BEFORE, normalizers.Replace("\n", ""), SPACES],
            "widened": [BEFORE, normalizers.Replace("\n", "a b"), SPACES],
        }.items()
    },
}

UNCUT = (
    None,
    pre_tokenizers.Split(" ", "merged_with_previous"),
    pre_tokenizers.Sequence([]),
    *(
        pre_tokenizers.Metaspace(prepend_scheme=scheme, split=split)
        for split in (False, True)
        for scheme in ("first", "always", "never")
    ),
    pre_tokenizers.Sequence([pre_tokenizers.Metaspace(prepend_scheme="first"), pre_tokenizers.Digits(True)]),
    pre_tokenizers.Sequence([pre_tokenizers.Digits(True), pre_tokenizers.Metaspace()]),
)

BLANKS = [("\u2581", "\u2581"), ("\u2581\u2581", "\u2581\u2581"), ("\n", "\n")]
WORDS = [("a", "b"), ("\u2581", "a"), ("\u2581", "ab"), ("\u2581ab", "c"), ("e", "\u0301"), (">", "a")]
CROSSING = [("b", "\u2581"), ("a", "\n"), ("\n", "\u2581"), ("<0x0A>", "a"), ("<0xE4>", "<0xB8>")]


def sentence_piece(merges: list[tuple[str, str]], **options: Any) -> models.BPE:
    tokens = ["<unk>", *(f"<0x{byte:02X}>" for byte in range(256)), *"\u2581abcex>\u0301", "\n"]
    vocabulary = dict.fromkeys([*tokens, *("".join(merge) for merge in merges)])
    options = {"unk_token": "<unk>", "byte_fallback": True, "fuse_unk": True, **options}
    return models.BPE({token: id for id, token in enumerate(vocabulary)}, merges, **options)


def models_of_pieces() -> Iterator[models.BPE]:
    """Give models that vouch for runs, for others, and for none."""
    yield sentence_piece([*BLANKS, *WORDS])
    yield sentence_piece([*WORDS, *reversed(BLANKS)])
    for crossing in CROSSING:
        yield sentence_piece([*BLANKS, crossing, *WORDS])
    yield sentence_piece([*BLANKS, *WORDS], ignore_merges=True)
    yield sentence_piece([*BLANKS, *WORDS], byte_fallback=False)
    yield sentence_piece([*BLANKS, *WORDS], end_of_word_suffix="a")


@in_one_test("normalizer", ONE_PIECE)
def test_texts_of_one_piece_encode_alike_both_ways(normalizer: str) -> None:
    rng = Random(f"one piece, {normalizer}")
    pieces = (
        *"ab \n\u2581e>c1\u0301",
        "  ",
        "ab",
        " ab",
        "\n\n",
        "\u4e2d",
        "\U0001f468\u200d\U0001f469",
        "<unk>",
        "<0x0A>",
    )
    start = len(normalizer)  # each normalizer meets each pre-tokenizer, but not with each model
    vouching = sentence_piece([*BLANKS, *WORDS])
    given = [(UNCUT[(number + start) % len(UNCUT)], model) for number, model in enumerate(models_of_pieces())]
    for number, (pre_tokenizer, model) in enumerate([*given, *((each, vouching) for each in UNCUT)]):
        tokenizer = tokenizer_of(ONE_PIECE[normalizer], pre_tokenizer, model)
        check(tokenizer, SHORT if number else HOSTILE)
        check(tokenizer, ["".join(rng.choices(pieces, k=rng.randint(1, 12))) for _ in range(20)])
        tokenizer.add_tokens(added_tokens(rng))
        check(tokenizer, ["".join(rng.choices((*pieces, "<|a|>", "AB", "1"), k=rng.randint(1, 9))) for _ in range(10)])


@pytest.mark.parametrize("normalizer", ["Llama 2", "Gemma"])
def test_a_text_of_one_piece_is_remembered_in_runs(normalizer: str) -> None:
    tokenizer = tokenizer_of(ONE_PIECE[normalizer], None, sentence_piece([*BLANKS, *WORDS]))
    text = "abc  ab\n\nab abc"
    check(tokenizer, [text])
    assert went_fast(tokenizer, text)
    assert {"\u2581abc", "\u2581\u2581ab", "\n\n"} <= set(tokenizer._fast_encoder()._entries)
    tokenizer.fast = True
    assert set(tokenizer.encode(text).word_ids) == {0}


@pytest.mark.slow
@pytest.mark.parametrize("normalizer", ["Llama 2", "prefix composed"])
def test_all_characters_in_texts_of_one_piece_encode_alike_both_ways(normalizer: str) -> None:
    tokenizer = tokenizer_of(ONE_PIECE[normalizer], None, sentence_piece([*BLANKS, *WORDS]))
    for at in range(0, len(CODE_POINTS), 50):
        characters = [*map(chr, CODE_POINTS[at : at + 50])]
        check(tokenizer, ["".join(AROUND.format(char, char, char) for char in characters)])


# All code points -----------------------------------------------------------------------------------------------------

CODE_POINTS = [*range(0xD800), *range(0xE000, sys.maxunicode + 1)]
AROUND = "a{}b {} {}1"


def check_code_points(normalizer: str, pre_tokenizer: str, characters: list[str]) -> None:
    """Compare each character between letters, alone, and before a digit, many of them in one text.

    The characters that stand alone share texts; one that does not would send its whole text the other way.
    """
    model = models.BPE(characters_of_bytes(), [], unk_token="a")
    tokenizer = tokenizer_of(NORMALIZERS[normalizer], PRE_TOKENIZERS[pre_tokenizer], model)
    component = NORMALIZERS[normalizer]
    locality = NO_CHANGE if component is None else component._locality()
    assert locality is not None
    alone = [char for char in characters if locality.of(char) is not None]
    others = sorted(set(characters) - set(alone))
    assert alone or normalizer == "strip"
    texts = [
        "".join(AROUND.format(char, char, char) for char in alone[at : at + 50]) for at in range(0, len(alone), 50)
    ]
    check(tokenizer, texts)
    check(tokenizer, ["".join(alone[at : at + 50]) for at in range(0, len(alone), 50)])
    check(tokenizer, [AROUND.format(char, char, char) for char in others])


@pytest.mark.parametrize("normalizer", NORMALIZERS)
def test_a_sample_of_the_characters_encodes_alike_both_ways(normalizer: str, pattern: str) -> None:
    sample = [*Random(normalizer).sample(CODE_POINTS, 100), *range(0x180), *range(0x2000, 0x2070)]
    characters = [*map(chr, part_of(pattern, sample))]
    check_code_points(normalizer, Random(normalizer).choice(list(PRE_TOKENIZERS)), characters)


@pytest.mark.slow
@pytest.mark.parametrize("normalizer", NORMALIZERS)
def test_all_characters_encode_alike_both_ways(normalizer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast_encoder, "_WORTH_A_PATTERN", 4)
    for pre_tokenizer in ("BERT", "T5") if normalizer != "none" else PRE_TOKENIZERS:
        check_code_points(normalizer, pre_tokenizer, [*map(chr, CODE_POINTS)])


# Real tokenizers and texts -------------------------------------------------------------------------------------------

CHECKPOINTS = (
    "gpt2",
    "roberta-base",
    "bert-base-cased",
    "bert-base-uncased",
    "xlnet-base-cased",
    "t5-small",
    "albert-base-v1",
)


@pytest.mark.parametrize("checkpoint", CHECKPOINTS)
def test_checkpoints_encode_books_alike_both_ways(shared: Path, checkpoint: str) -> None:
    tokenizer = Tokenizer.from_file(str(shared / "tokenizers" / checkpoint / "tokenizer.json"))
    lines = [
        line
        for book in ("pride_and_prejudice", "wagahai", "botchan")
        for line in (shared / "texts" / f"{book}.txt").read_text(encoding="utf-8").splitlines()[::100]
    ]
    check(tokenizer, [*lines, *HOSTILE, "\n".join(lines[:60])])
    assert all(went_fast(tokenizer, line) for line in lines if line)


# Changes -------------------------------------------------------------------------------------------------------------

VOCAB = {"[UNK]": 0, "ab": 1, "a": 2, "##b": 3, "AB": 4, "##c": 5, "abc": 6, "x": 7}


def word_piece(**options: Any) -> models.WordPiece:
    return models.WordPiece(VOCAB, **options)


def changes() -> Iterator[tuple[str, Any]]:
    """Give functions that change a tokenizer which has encoded before, by name."""
    yield "normalizer set", lambda t: setattr(t, "normalizer", normalizers.Lowercase())
    yield "normalizer removed", lambda t: setattr(t, "normalizer", None)
    yield "option of the normalizer", lambda t: setattr(t.normalizer[0], "lowercase", True)
    yield "member of the normalizer", lambda t: t.normalizer.__setitem__(0, normalizers.Lowercase())
    yield "pre-tokenizer set", lambda t: setattr(t, "pre_tokenizer", pre_tokenizers.WhitespaceSplit())
    yield "member of the pre-tokenizer", lambda t: t.pre_tokenizer.__setitem__(1, pre_tokenizers.Digits(True))
    yield "option of a member", lambda t: setattr(t.pre_tokenizer[1], "individual_digits", True)
    yield "model set", lambda t: setattr(t, "model", word_piece(unk_token="x"))
    yield "option of the model", lambda t: setattr(t.model, "max_input_chars_per_word", 2)
    yield "prefix of the model", lambda t: setattr(t.model, "continuing_subword_prefix", "")
    yield "training", lambda t: t.train_from_iterator(["abc cab"], WordPieceTrainer(show_progress=False))
    yield "added token", lambda t: t.add_tokens(["bc"])
    yield "added token, raw", lambda t: t.add_tokens([AddedToken("B", normalized=False)])
    yield "state of the model", lambda t: t.model.__setstate__(word_piece(unk_token="x").__getstate__())
    yield (
        "state of the normalizer",
        lambda t: t.normalizer.__setstate__(normalizers.Sequence([normalizers.Lowercase()]).__getstate__()),
    )


@pytest.mark.parametrize(("name", "change"), list(changes()), ids=[name for name, _ in changes()])
def test_a_change_after_encoding_is_seen(name: str, change: Any) -> None:
    def built() -> Tokenizer:
        return tokenizer_of(
            normalizers.Sequence([normalizers.BertNormalizer(lowercase=False)]),
            pre_tokenizers.Sequence([pre_tokenizers.BertPreTokenizer(), pre_tokenizers.Digits()]),
            word_piece(unk_token="[UNK]"),
        )

    text = "AB abc ab-ab 12 ab12 cab abab a\x00b"
    used, fresh = built(), built()
    before = fields(used, text, fast=True)
    change(used)
    change(fresh)
    after = fields(used, text, fast=True)
    assert after == fields(fresh, text, fast=True) == fields(fresh, text, fast=False)
    assert after != before, name


def test_tokenizers_that_share_a_model_see_its_changes() -> None:
    model = word_piece(unk_token="[UNK]")
    first = tokenizer_of(None, pre_tokenizers.Whitespace(), model)
    second = tokenizer_of(normalizers.Lowercase(), pre_tokenizers.WhitespaceSplit(), model)
    for tokenizer in (first, second):
        assert tokenizer.encode("abc ab").tokens == ["abc", "ab"]
    model.max_input_chars_per_word = 2
    for tokenizer in (first, second):
        assert tokenizer.encode("abc ab").tokens == ["[UNK]", "ab"]


def test_a_model_that_draws_at_random_is_not_remembered() -> None:
    model = models.BPE({"a": 0, "b": 1, "ab": 2}, [("a", "b")])
    tokenizer = tokenizer_of(None, pre_tokenizers.Whitespace(), model)
    assert tokenizer.encode("ab").tokens == ["ab"]
    model.dropout = 1.0
    assert tokenizer.encode("ab").tokens == ["a", "b"]
    assert not went_fast(tokenizer, "ab")


def test_special_tokens_taken_as_text_go_the_fast_way() -> None:
    tokenizer = tokenizer_of(None, pre_tokenizers.Whitespace(), word_piece(unk_token="[UNK]"))
    tokenizer.add_special_tokens(["ab"])
    tokenizer.encode_special_tokens = True
    check(tokenizer, ["abc ab"])
    assert went_fast(tokenizer, "abc ab")


# Added tokens --------------------------------------------------------------------------------------------------------

FLAGS = ("single_word", "lstrip", "rstrip", "normalized", "special")


def added_tokens(rng: Random) -> list[AddedToken]:
    contents = ("<|a|>", "<|ab|>", "<|a", "b", "AB", " x", "\n\n", "\u2581\u2581", "\u00e9", "e\u0301", "1", "--", ">")
    return [
        AddedToken(content, **{flag: rng.random() < 0.35 for flag in FLAGS})
        for content in rng.sample(contents, rng.choice((1, 3, 6, 9)))
    ]


def compare_added_tokens(rng: Random, normalizer: str, pre_tokenizer: str) -> int:
    """Compare texts made of added tokens and what is around them; return how many went the fast way."""
    model = models.BPE(characters_of_bytes(), [], unk_token="a")
    tokenizer = tokenizer_of(NORMALIZERS[normalizer], PRE_TOKENIZERS[pre_tokenizer], model)
    tokens = added_tokens(rng)
    tokenizer.add_tokens(tokens)
    tokenizer.encode_special_tokens = rng.random() < 0.2
    pieces = [*(token.content for token in tokens), " ", "  ", "\n", "a", "Ab", "it's 12", "\u0301", "\u4e2d", "_", "."]
    texts = ["".join(rng.choices(pieces, k=rng.randint(1, 9))) for _ in range(20)]
    check(tokenizer, texts)
    return sum(went_fast(tokenizer, text) for text in texts)


@pytest.mark.usefixtures("pattern")
@in_one_test("normalizer", NORMALIZERS)
def test_texts_with_added_tokens_encode_alike_both_ways(normalizer: str) -> None:
    rng = Random(f"added, {normalizer}")
    fast = sum(compare_added_tokens(rng, normalizer, pre_tokenizer) for pre_tokenizer in PRE_TOKENIZERS)
    assert fast > 5 * len(PRE_TOKENIZERS)


@pytest.mark.slow
@pytest.mark.parametrize("normalizer", NORMALIZERS)
def test_many_texts_with_added_tokens_encode_alike_both_ways(normalizer: str) -> None:
    rng = Random(f"many added, {normalizer}")
    for pre_tokenizer in PRE_TOKENIZERS:
        assert sum(compare_added_tokens(rng, normalizer, pre_tokenizer) for _ in range(100)) > 500


def test_a_chat_goes_the_fast_way() -> None:
    tokenizer = tokenizer_of(None, PRE_TOKENIZERS["Llama 3"], models.BPE(characters_of_bytes(), [], unk_token="a"))
    tokenizer.add_special_tokens(["<|im_start|>", "<|im_end|>"])
    tokenizer.add_tokens(["  "])  # looked for in the normalized text
    chat = "<|im_start|>user\nIs  it?<|im_end|>\n<|im_start|>assistant\nIt is.<|im_end|>\n"
    check(tokenizer, [chat])
    assert went_fast(tokenizer, chat)


def test_a_custom_normalizer_is_called_once() -> None:
    class Noting:
        calls = 0

        def normalize(self, _: Any) -> None:
            self.calls += 1

    noting = Noting()
    tokenizer = tokenizer_of(
        normalizers.Normalizer.custom(noting), pre_tokenizers.Whitespace(), word_piece(unk_token="[UNK]")
    )
    tokenizer.encode("ab")
    assert noting.calls == 1


def test_a_full_cache_is_emptied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast_encoder, "_CACHED_SIZE", 40)
    monkeypatch.setattr(fast_encoder, "_LONGEST_CACHED", 10)
    tokenizer = tokenizer_of(None, pre_tokenizers.Whitespace(), word_piece(unk_token="[UNK]"))
    check(tokenizer, [f"ab{n} abc {'a' * n} {n}" for n in range(30)])
    tokenizer.fast = True
    encoder = tokenizer._fast_encoder()
    assert 0 < sum(map(len, encoder._entries)) <= 40
    assert max(map(len, encoder._entries)) <= 10


def test_an_error_is_the_one_of_the_plain_way() -> None:
    tokenizer = tokenizer_of(None, pre_tokenizers.Whitespace(), models.WordLevel({"a": 0}, unk_token="[UNK]"))
    fast, plain = fields(tokenizer, "a b c", fast=True), fields(tokenizer, "a b c", fast=False)
    assert fast == plain
    assert fields(tokenizer, "a a", fast=True)[0] == [0, 0]
