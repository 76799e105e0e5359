"""ParityBpeTrainer learns what that of `tokenizers` learns, with the variant `base`."""

from __future__ import annotations

import json
import pickle
import random
from typing import Any

import pytest
import tokenizers
from in_one_test import in_one_test

import tokenizer_reference
from tokenizer_reference.errors import OptionError, TokenizerReferenceError, UpstreamPanicError
from tokenizer_reference.trainers import ParityBpeTrainer

LIBRARIES = [tokenizer_reference, tokenizers]


def trained(library: Any, languages: list[list[str]], corpora: dict[str, Any], options: dict[str, Any]) -> Any:
    tokenizer = library.Tokenizer(library.models.BPE())
    tokenizer.pre_tokenizer = library.pre_tokenizers.Whitespace()
    trainer = library.trainers.ParityBpeTrainer(show_progress=False, **options)
    trainer.train_from_iterator(tokenizer, languages, **corpora)
    return json.loads(tokenizer.to_str())


class Languages:
    """Draws small corpora of several languages, some of whose letters are the same."""

    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed)
        count = self.random.randint(1, 4)
        alphabets = [self.random.choice(["ab", "abc", "xyz", "cdx", "é日"]) for _ in range(count)]
        self.texts = [self.corpus(alphabet) for alphabet in alphabets]
        self.development = [self.corpus(alphabet + self.random.choice(["", "qr"])) for alphabet in alphabets]
        self.ratio = [self.random.choice([1.0, 2.0, 0.5, 1.7]) for _ in alphabets]

    def corpus(self, alphabet: str) -> list[str]:
        def word() -> str:
            return "".join(self.random.choices(alphabet, k=self.random.randint(1, 7)))

        lines = range(self.random.randint(1, 3))
        return [" ".join(word() for _ in range(self.random.randint(1, 12))) for _ in lines]

    def corpora(self) -> dict[str, Any]:
        return self.random.choice(
            [
                {},
                {"ratio": self.ratio},
                {"dev_iterators": self.development},
                {"dev_iterators": self.development, "ratio": self.ratio},
            ]
        )

    def options(self) -> dict[str, Any]:
        options: dict[str, Any] = {"num_merges": self.random.randint(0, 40)}
        others = {
            "min_frequency": self.random.randint(0, 5),
            "global_merges": self.random.randint(0, 12),
            "total_symbols": True,
            "max_token_length": self.random.randint(0, 7),
            "special_tokens": ["<s>", "a", "xy"],
            "initial_alphabet": ["q", "b"],
        }
        return options | {name: value for name, value in others.items() if self.random.random() < 0.25}


def assert_random_corpora_agree(seeds: range) -> None:
    for seed in seeds:
        languages = Languages(f"parity {seed}")
        corpora, options = languages.corpora(), languages.options()
        ours, theirs = (trained(library, languages.texts, corpora, options) for library in LIBRARIES)
        assert ours == theirs, (seed, options, corpora)


def test_random_corpora() -> None:
    assert_random_corpora_agree(range(70))


@pytest.mark.slow
def test_2000_random_corpora() -> None:
    assert_random_corpora_agree(range(200, 2200))


@pytest.mark.parametrize(
    "options", [{"continuing_subword_prefix": "##"}, {"end_of_word_suffix": "</w>"}, {"max_token_length": 4}]
)
def test_merges_do_not_depend_on_ids(options: dict[str, Any]) -> None:
    """With a prefix or a suffix, ids are random in the target; ties are decided by texts, so the merges are not."""
    for seed in range(20):
        languages = Languages(f"prefixes {seed}")
        ours, theirs = (
            trained(library, languages.texts, {}, {"num_merges": 20, **options})["model"] for library in LIBRARIES
        )
        assert ours["merges"] == theirs["merges"], seed
        assert ours["vocab"].keys() == theirs["vocab"].keys()


def test_equal_counts_are_merged_by_the_greatest_texts() -> None:
    for library in LIBRARIES:
        model = trained(library, [["abcd"]], {}, {"num_merges": 1})["model"]
        assert model["merges"] == [["c", "d"]]


# What is refused -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("languages", "corpora"),
    [
        ([], {}),
        ([["ab"]], {"dev_iterators": []}),
        ([["ab"], ["cd"]], {"dev_iterators": [["ab"]]}),
        ([["ab"], ["cd"]], {"ratio": [1.0]}),
        ([["ab"]], {"ratio": [0.0]}),
        ([["ab"]], {"ratio": [-1.0]}),
        ([["ab"]], {"ratio": [float("nan")]}),
        ([["ab"]], {"ratio": [float("inf")]}),
    ],
)
def test_corpora_and_ratios_that_do_not_fit(languages: list[list[str]], corpora: dict[str, Any]) -> None:
    for library in LIBRARIES:
        with pytest.raises((ValueError, RuntimeError)):
            trained(library, languages, corpora, {})


def test_errors_say_what_to_do() -> None:
    with pytest.raises(OptionError, match=r"ratio\[1\]=0.0: expected a finite number above 0"):
        trained(tokenizer_reference, [["a"], ["b"]], {"ratio": [1, 0]}, {})
    with pytest.raises(ValueError, match="dev_iterators: there are 1, and 2 train_iterators; give as many"):
        trained(tokenizer_reference, [["a"], ["b"]], {"dev_iterators": [["a"]]}, {})


def test_what_is_not_known_is_refused() -> None:
    with pytest.raises(TokenizerReferenceError, match="variant='window' cannot be trained"):
        trained(tokenizer_reference, [["ab"]], {}, {"variant": "window"})


def test_with_ratios_the_target_never_ends_where_a_language_has_no_texts() -> None:
    with pytest.raises(UpstreamPanicError, match="every language needs texts"):
        trained(tokenizer_reference, [["ab"], []], {"ratio": [1.0, 1.0]}, {})


def test_the_tokenizer_gets_a_new_model() -> None:
    for library in LIBRARIES:
        model = library.models.WordLevel({"q": 0}, unk_token="q")
        tokenizer = library.Tokenizer(model)
        library.trainers.ParityBpeTrainer(show_progress=False).train_from_iterator(tokenizer, [["ab"]])
        assert tokenizer.get_vocab() == {"a": 0, "b": 1, "ab": 2}
        assert model.token_to_id("q") == 0
        with pytest.raises(TypeError, match="is not an instance of 'Tokenizer'"):
            library.trainers.ParityBpeTrainer().train_from_iterator(model, [["ab"]])


def test_what_an_iterator_raises_leaves_the_tokenizer_as_it_was() -> None:
    def failing() -> Any:
        yield "ab"
        raise KeyError("no more")

    for library in LIBRARIES:
        tokenizer = library.Tokenizer(library.models.BPE({"a": 0}, []))
        with pytest.raises(KeyError):
            library.trainers.ParityBpeTrainer(show_progress=False).train_from_iterator(tokenizer, [["ab"], failing()])
        assert tokenizer.get_vocab() == {"a": 0}


# The object ----------------------------------------------------------------------------------------------------------

OPTIONS: list[dict[str, Any]] = [
    {},
    {"num_merges": 5, "variant": "window", "window_size": 7, "alpha": 0.1, "total_symbols": True},
    {"special_tokens": ["a"], "initial_alphabet": ["é", "z", "a"], "ratio": [1, 2.5], "limit_alphabet": 3},
    {"continuing_subword_prefix": "x", "end_of_word_suffix": "", "max_token_length": 2, "alpha": 3},
]


@pytest.mark.parametrize("options", OPTIONS)
def test_state_and_showing_are_those_of_the_target(options: dict[str, Any]) -> None:
    ours, theirs = (library.trainers.ParityBpeTrainer(**options) for library in LIBRARIES)
    assert ours.__getstate__() == theirs.__getstate__()
    assert (str(ours), repr(ours)) == (str(theirs), repr(theirs))
    assert pickle.loads(pickle.dumps(ours)).__getstate__() == ours.__getstate__()


VALUES: dict[str, list[Any]] = {
    "num_merges": [5, 0, -1, 2**64, "a", None],
    "variant": ["base", "window", "x", 1],
    "ratio": [[1.0, 2], [], (1.0,), None, "a", [-1.0], 1, ["a"]],
    "global_merges": [1, -1],
    "window_size": [0, -1],
    "alpha": [0.5, -1, "a", 1e300, None],
    "total_symbols": [True, 1],
    "special_tokens": [["a"], ("a",), [1], "ab", None],
    "initial_alphabet": [["a", "a"], ["abc"], [""], "abc", ("x",), None, [1], {"a"}],
    "continuing_subword_prefix": ["##", None, 1],
    "max_token_length": [1, None, -1],
    "limit_alphabet": [0, None, "a"],
    "other": [1],
}


@in_one_test("name", VALUES)
def test_options_are_taken_as_in_the_target(name: str) -> None:
    def made(library: Any, value: Any) -> Any:
        try:
            return library.trainers.ParityBpeTrainer(**{name: value}).__getstate__()
        except Exception as error:
            return type(error)

    def after_setting(library: Any, value: Any) -> Any:
        trainer = library.trainers.ParityBpeTrainer()
        try:
            setattr(trainer, name, value)
        except Exception as error:
            return type(error)
        return repr(getattr(trainer, name)), trainer.__getstate__()

    for ask in (made, after_setting):
        for value in VALUES[name]:
            ours, theirs = (ask(library, value) for library in LIBRARIES)
            expected = ValueError if theirs is ValueError else theirs
            assert ours == expected or (isinstance(ours, type) and issubclass(ours, expected)), (ask, value)


@pytest.mark.parametrize("missing", ParityBpeTrainer().__getstate__())
def test_states_are_accepted_as_by_the_target(missing: str) -> None:
    def accepted(library: Any) -> Any:
        state = ParityBpeTrainer(ratio=[1.0]).__getstate__()
        del state[missing]
        trainer = library.trainers.ParityBpeTrainer()
        try:
            trainer.__setstate__(state)
        except KeyError as error:
            return str(error)
        return trainer.__getstate__()

    ours, theirs = map(accepted, LIBRARIES)
    assert ours == theirs
