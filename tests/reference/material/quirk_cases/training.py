"""Cases of trainers: what they learn from a few words."""

from __future__ import annotations

from typing import Any

from quirk_cases.asking import written
from quirk_cases.case import Case, Shows, Varies


def _trained(package: Any, model: Any, trainer: Any, *texts: str) -> Any:
    tokenizer = package.Tokenizer(model)
    tokenizer.pre_tokenizer = package.pre_tokenizers.WhitespaceSplit()
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer


def _learned(package: Any, *texts: str, **options: Any) -> list[str]:
    """Return the tokens that BPE learns, by their ids."""
    trainer = package.trainers.BpeTrainer(show_progress=False, **options)
    vocabulary = _trained(package, package.models.BPE(), trainer, *texts).get_vocab()
    return sorted(vocabulary, key=vocabulary.__getitem__)


def _word_pieces(package: Any, *texts: str) -> Any:
    model = package.models.WordPiece(unk_token="[UNK]")
    return _trained(package, model, package.trainers.WordPieceTrainer(show_progress=False), *texts)


def _order_of_continuations(package: Any) -> tuple[str, ...]:
    vocabulary = _word_pieces(package, "ab cd").get_vocab()
    return tuple(sorted(("##b", "##d"), key=vocabulary.__getitem__))


def _encodes_unknown(package: Any) -> str:
    try:
        return str(_word_pieces(package, "ab").encode("z").tokens)
    except Exception:
        return "refused"


def _holes(package: Any) -> dict[str, int]:
    trainer = package.trainers.WordLevelTrainer(special_tokens=["<s>", "b"], show_progress=False)
    model = package.models.WordLevel({}, "<s>")
    return dict(_trained(package, model, trainer, "b a c c a z").get_vocab())


def _kept_options(package: Any) -> object:
    bpe = package.models.BPE(unk_token="u", continuing_subword_prefix="##", end_of_word_suffix="</w>")
    trained = _trained(package, bpe, package.trainers.BpeTrainer(show_progress=False), "ab").model
    unigram = package.models.Unigram([("a", 0.0)], 0, byte_fallback=True)
    trainer = package.trainers.UnigramTrainer(vocab_size=10, show_progress=False)
    byte_fallback = written(_trained(package, unigram, trainer, "ab ab abc"))["model"]["byte_fallback"]
    return trained.unk_token, trained.continuing_subword_prefix, trained.end_of_word_suffix, byte_fallback


TRAINERS: dict[str, Case] = {
    "TRAINED-LENGTH-LIMIT-IS-EXCLUSIVE": Shows(
        ask=lambda package: ["abc" in _learned(package, "abc", max_token_length=limit) for limit in (3, 4)],
        odd=[False, True],
        naive=[True, True],
    ),
    "TRAINED-LENGTH-LIMIT-SPARES-FIRST-PAIRS": Shows(
        ask=lambda package: _learned(package, "ab", max_token_length=1), odd=["a", "b", "ab"], naive=["a", "b"]
    ),
    "TRAINED-ALPHABET-EXCEEDS-THE-SIZE": Shows(
        ask=lambda package: len(_learned(package, "abcd", vocab_size=2)), odd=4, naive=2
    ),
    "CHARACTERS-BEYOND-THE-ALPHABET-LEAVE-NO-GAP": Shows(
        ask=lambda package: _learned(package, "axa", limit_alphabet=1), odd=["a", "aa"], naive=["a"]
    ),
    "INITIAL-ALPHABET-HAS-FIRST-CHARACTERS": Shows(
        ask=lambda package: _learned(package, "a", initial_alphabet=["xyz", ""]),
        odd=["a", "x"],
        naive=["a", "x", "y", "z"],
    ),
    "IDS-OF-CONTINUATIONS-ARE-DRAWN": Varies(
        instead="numbers them in the order of the words",
        ask=_order_of_continuations,
        answers=frozenset({("##b", "##d"), ("##d", "##b")}),
        reference=("##b", "##d"),
    ),
    "WORDPIECE-TRAINER-ADDS-NO-UNKNOWN-TOKEN": Shows(ask=_encodes_unknown, odd="refused", naive="['[UNK]']"),
    "WORDLEVEL-TRAINER-LEAVES-HOLES": Shows(
        ask=_holes,
        odd={"<s>": 0, "a": 2, "c": 3, "b": 4, "z": 5},
        naive={"<s>": 0, "b": 1, "a": 2, "c": 3, "z": 4},
    ),
    "TRAINING-RESETS-OPTIONS-OF-THE-MODEL": Shows(
        ask=_kept_options, odd=("u", None, None, False), naive=("u", "##", "</w>", True)
    ),
    "PROGRESS-FORMAT-TAKES-ANYTHING": Shows(
        ask=lambda package: package.trainers.BpeTrainer(progress_format="xml").progress_format, odd="indicatif"
    ),
}
