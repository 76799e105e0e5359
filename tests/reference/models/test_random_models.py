"""Random small models and texts: the reference and `tokenizers` give the same tokens, and write the same model."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
import tokenizers.models

import tokenizer_reference.models as reference

LETTERS = ["a", "b", "c", "é", "日", "😀", "\u0301", "ß"]
BYTES = [f"<0x{byte:02X}>" for char in [*LETTERS, "z", "#", "/", "w"] for byte in char.encode()]

Arguments = tuple[list[Any], dict[str, Any]]


class Generator:
    """Draws models and texts; `seed` makes them the same every time."""

    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed)
        self.letters = self.random.sample(LETTERS, self.random.randint(1, 4))

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def word(self, shortest: int, longest: int) -> str:
        return "".join(self.random.choices(self.letters, k=self.random.randint(shortest, longest)))

    def texts(self) -> list[str]:
        self.letters += ["z", "<unk>"] if self.chance(0.5) else []
        return [self.word(0, 12) for _ in range(12)] + [self.word(40, 80), ""]

    def bpe(self) -> Arguments:
        prefix = self.random.choice([None, None, "##", "", "é"])
        suffix = self.random.choice([None, None, "</w>", ""])
        vocab = {p + letter + s for letter in self.letters for p in {"", prefix or ""} for s in {"", suffix or ""}}
        vocab = {token for token in sorted(vocab) if self.chance(0.9)} | {"a"}
        vocab |= {"<unk>"} if self.chance(0.6) else set()
        vocab |= {token for token in BYTES if self.chance(0.8)} if self.chance(0.4) else set()
        tokens = sorted(vocab)
        merges = self.merges(tokens, (prefix or "").encode())
        ids = list(range(len(tokens)))
        self.random.shuffle(ids)
        vocabulary = dict(zip(tokens, ids, strict=True))
        if self.chance(0.1):  # several tokens with one id
            vocabulary = {token: id_ // 2 for token, id_ in vocabulary.items()}
        options: dict[str, Any] = {name: self.chance(0.4) for name in ("fuse_unk", "byte_fallback", "ignore_merges")}
        options |= {"dropout": self.random.choice([0.0, 1.0])} if self.chance(0.2) else {}
        options |= {"unk_token": self.random.choice(["<unk>", "<unk>", "a"])} if self.chance(0.7) else {}
        options |= {} if prefix is None else {"continuing_subword_prefix": prefix}
        options |= {} if suffix is None else {"end_of_word_suffix": suffix}
        return [vocabulary, merges], options

    def merges(self, tokens: list[str], prefix: bytes) -> list[tuple[str, str]]:
        merges = []
        for _ in range(self.random.randint(0, 12)):
            left, right = self.random.choice(tokens), self.random.choice(tokens)
            if not right.encode().startswith(prefix) and self.chance(0.7):
                continue
            rest = right.encode()[len(prefix) :]
            if len(right.encode()) < len(prefix) or rest.decode(errors="replace").encode() != rest:
                continue
            merges.append((left, right))
            if left + rest.decode() not in tokens:
                tokens.append(left + rest.decode())
        self.random.shuffle(merges)
        return merges + merges[:1]

    def wordpiece(self) -> Arguments:
        prefix = self.random.choice(["##", "##", "", "a", "é"])
        tokens = {self.random.choice(["", prefix]) + self.word(0, 4) for _ in range(self.random.randint(0, 25))}
        tokens |= {"[UNK]"} if self.chance(0.8) else set()
        vocab = {token: id_ for id_, token in enumerate(sorted(tokens))}
        longest = self.random.choice([100, 100, 1_000, 5, 0])
        return [vocab], {"continuing_subword_prefix": prefix, "max_input_chars_per_word": longest}

    def wordlevel(self) -> Arguments:
        vocab = {self.word(0, 3): id_ for id_ in range(self.random.randint(0, 9))}
        return [vocab | ({"<unk>": 99} if self.chance(0.7) else {}), "<unk>"], {}

    def unigram(self) -> Arguments:
        scores = self.random.choice(
            [[-1.0, -2.0, -3.0], [0.1, -0.2, -0.3, -0.6, -0.7], [self.random.gauss(-8, 5) for _ in range(9)]]
        )
        pieces = [self.word(1, self.random.choice([1, 2, 4, 8])) for _ in range(self.random.randint(0, 25))]
        pieces += ["<unk>"] if self.chance(0.5) else []
        pieces += [token for token in BYTES if self.chance(0.9)] if self.chance(0.4) else []
        pieces += [""] if self.chance(0.1) else []
        self.random.shuffle(pieces)
        vocab = [(piece, self.random.choice(scores)) for piece in pieces]
        unk_id = self.random.randrange(len(vocab)) if vocab and self.chance(0.8) else None
        return [vocab, unk_id, self.chance(0.5)], {}


KINDS = {
    "BPE": Generator.bpe,
    "WordPiece": Generator.wordpiece,
    "WordLevel": Generator.wordlevel,
    "Unigram": Generator.unigram,
}


def columns(tokens: Any, *, values: bool) -> Any:
    """Return outcomes as they are, and of tokens the value only where it is the same every time."""
    if isinstance(tokens, str):
        return tokens
    return [(id_, value if values else None, offsets) for id_, value, offsets in tokens]


@pytest.mark.parametrize("kind", KINDS)
def test_random_models_are_the_targets(kind: str, tokens_of: Any) -> None:
    for seed in range(100):
        generator = Generator(f"{kind} {seed}")
        arguments, options = KINDS[kind](generator)
        ours = getattr(reference, kind)(*arguments, **options)
        target = getattr(tokenizers.models, kind)(*arguments, **options)
        # Of two tokens with one id the target keeps a random one.
        values = kind == "Unigram" or len(set(arguments[0].values())) == len(arguments[0])
        for text in generator.texts():
            expected = columns(tokens_of(target, text), values=values)
            assert columns(tokens_of(ours, text), values=values) == expected, (arguments, options, text)
        if values:
            written = json.loads(tokenizers.Tokenizer(target).to_str())["model"]
            assert json.dumps(ours._to_json()) == json.dumps(written)
