"""Trainers as objects, beside those of `tokenizers`: options, state, how they are shown."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import pytest
import tokenizers
import tokenizers.trainers
from in_one_test import in_one_test

import tokenizer_reference
from tokenizer_reference import trainers

KINDS = ["BpeTrainer", "WordPieceTrainer", "WordLevelTrainer", "UnigramTrainer"]
LIBRARIES = [tokenizer_reference, tokenizers]

VALUES: dict[str, list[Any]] = {
    "vocab_size": [5, 0, -1, 2**32, 2**64, 2**64 - 1, "a", 1.5, True],
    "min_frequency": [1, -1, 2**64, True, "a"],
    "show_progress": [True, False, 1, "x"],
    "progress_format": ["json", "silent", "indicatif", "other", 1],
    "special_tokens": [["a"], ("a",), [1], "ab", ["a", "a"], {"a": 1}, ["\ud800"], []],
    "limit_alphabet": [1, -1, 0, 2**64, "a"],
    "initial_alphabet": ["abc", ["a"], [1], {"a"}, {"a": 1}, ["\ud800"], iter("ab"), [], ("x",), ["abc"], [""]],
    "continuing_subword_prefix": ["##", "", 1],
    "end_of_word_suffix": ["</w>", "", 1],
    "max_token_length": [1, None, -1, 0],
    "unk_token": ["a", None, 1],
    "shrinking_factor": [0.5, 1, 2.0, -1.0, "a", float("nan"), float("inf")],
    "max_piece_length": [1, 0, -1, 2**64, 256],
    "n_sub_iterations": [1, 0, -1, 2**32, 256],
    "seed_size": [5, -1, "a"],
}


def fields(trainer: Any) -> dict[str, Any]:
    """Return the options of a trainer's state; the alphabet of the target is in a random order."""
    (state,) = json.loads(trainer.__getstate__()).values()
    state = state.get("bpe_trainer", state)
    return {**state, "initial_alphabet": sorted(state.get("initial_alphabet", ()))}


def outcome(ask: Any) -> Any:
    try:
        return ask()
    except Exception as error:
        return type(error)


@pytest.mark.parametrize("kind", KINDS)
@in_one_test("name", VALUES)
def test_arguments_are_taken_as_in_the_target(kind: str, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    for value in VALUES[name]:
        ours, theirs = (
            outcome(lambda library=library, value=value: fields(getattr(library.trainers, kind)(**{name: value})))
            for library in LIBRARIES
        )
        assert ours == theirs, value
    printed = capsys.readouterr().out.splitlines()
    assert printed == [] or set(printed) == {f"Ignored unknown kwargs option {name}"}


@pytest.mark.parametrize("kind", KINDS)
@in_one_test("name", VALUES)
def test_options_are_set_and_read_as_in_the_target(kind: str, name: str) -> None:
    def after_setting(library: Any, value: Any) -> Any:
        trainer = getattr(library.trainers, kind)()
        setattr(trainer, name, value)
        found = getattr(trainer, name)
        return sorted(found) if name == "initial_alphabet" else repr(found), fields(trainer)

    for value in [*VALUES[name], None]:
        ours, theirs = (
            outcome(lambda library=library, value=value: after_setting(library, value)) for library in LIBRARIES
        )
        assert ours == theirs, value


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_option_can_be_neither_set_nor_deleted(kind: str) -> None:
    for library in LIBRARIES:
        trainer = getattr(library.trainers, kind)()
        with pytest.raises(AttributeError):
            trainer.other = 1
        with pytest.raises(AttributeError):
            del trainer.vocab_size


def test_special_tokens_that_are_given_become_special_and_are_copied() -> None:
    for library in LIBRARIES:
        token = library.AddedToken("a", special=False, lstrip=True)
        trainer = library.trainers.BpeTrainer(special_tokens=[token, "b"])
        assert token.special
        token.content = "z"
        assert [(each.content, each.special, each.lstrip, each.normalized) for each in trainer.special_tokens] == [
            ("a", True, True, False),
            ("b", True, False, False),
        ]
        trainer.special_tokens[0].content = "y"
        assert trainer.special_tokens[0].content == "a"


def test_the_base_class_cannot_be_made() -> None:
    for library in LIBRARIES:
        with pytest.raises(TypeError):
            library.trainers.Trainer()


# State and showing ---------------------------------------------------------------------------------------------------


def examples(library: Any) -> list[Any]:
    tokens = ["a" * 120, library.AddedToken("b", lstrip=True)]
    kinds = library.trainers
    return [
        *(getattr(kinds, kind)() for kind in KINDS),
        kinds.BpeTrainer(special_tokens=tokens, initial_alphabet=["é"], progress_format="json", limit_alphabet=3),
        kinds.BpeTrainer(continuing_subword_prefix="##", end_of_word_suffix="</w>", max_token_length=4),
        kinds.WordPieceTrainer(special_tokens=tokens, vocab_size=7),
        kinds.WordLevelTrainer(special_tokens=tokens, min_frequency=2, show_progress=False),
        kinds.UnigramTrainer(special_tokens=["a"], unk_token="u", shrinking_factor=0.1, max_piece_length=2),
        kinds.UnigramTrainer(shrinking_factor=1.0, n_sub_iterations=5),
        after_training(library),
    ]


def after_training(library: Any) -> Any:
    trainer = library.trainers.WordLevelTrainer(show_progress=False)
    library.Tokenizer(library.models.WordLevel()).train_from_iterator(["é"], trainer)
    return trainer


@pytest.mark.parametrize("number", range(len(examples(tokenizer_reference))))
def test_state_and_showing_are_those_of_the_target(number: int) -> None:
    ours, theirs = (examples(library)[number] for library in LIBRARIES)
    assert ours.__getstate__() == theirs.__getstate__()
    assert (str(ours), repr(ours)) == (str(theirs), repr(theirs))


@pytest.mark.parametrize("number", range(len(examples(tokenizer_reference))))
def test_state_round_trips(number: int) -> None:
    trainer = examples(tokenizer_reference)[number]
    for other in (pickle.loads(pickle.dumps(trainer)), copy.deepcopy(trainer)):
        assert type(other) is type(trainer)
        assert other.__getstate__() == trainer.__getstate__()


def test_a_trainer_of_words_that_were_counted_before_is_not_trained_on_them() -> None:
    trainer = after_training(tokenizer_reference)
    tokenizer = tokenizer_reference.Tokenizer(tokenizer_reference.models.WordLevel())
    tokenizer.train_from_iterator(["b"], trainer)
    assert tokenizer.get_vocab() == {"b": 0}


def states(kind: str) -> list[Any]:
    """Return the state of a trainer, and what is left of it without each of its members, and with others."""
    state = json.loads(getattr(tokenizers.trainers, kind)().__getstate__())
    found: list[Any] = [state, {}, {**state, "x": 1}, {kind: list(state[kind].values())}]
    for member in state[kind]:
        found.append({kind: {key: value for key, value in state[kind].items() if key != member}})
        found += [{kind: {**state[kind], member: value}} for value in (None, 1, "a", [], {}, -1, 1.5)]
    return [*found, {kind: {**state[kind], "extra": 1}}]


@pytest.mark.parametrize("kind", KINDS)
def test_states_are_accepted_as_by_the_target(kind: str) -> None:
    def accepted(library: Any, state: Any) -> Any:
        trainer = getattr(library.trainers, kind)()
        try:
            trainer.__setstate__(json.dumps(state).encode())
        except Exception:
            return None
        return fields(trainer)

    for state in states(kind):
        ours, theirs = (accepted(library, state) for library in LIBRARIES)
        assert ours == theirs, state


def test_the_state_of_another_trainer_is_refused() -> None:
    with pytest.raises(
        tokenizer_reference.errors.TokenizerFileError, match="state of WordLevelTrainer, not of BpeTrainer"
    ):
        trainers.BpeTrainer().__setstate__(trainers.WordLevelTrainer().__getstate__())


def test_words_are_counted_for_people_to_see() -> None:
    for library in LIBRARIES:
        trainer = library.trainers.BpeTrainer(show_progress=False)
        assert trainer.get_word_count() == 0
        library.Tokenizer(library.models.BPE()).train_from_iterator(["a", "b", "a"], trainer)
        assert trainer.get_word_count() == 2
