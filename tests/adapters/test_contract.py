"""What questions and answers mean, and what is asked of subjects that can do more than answer one question."""

from __future__ import annotations

import pytest

from tokenizer_adapters.contract import (
    AddTokens,
    After,
    CannotLoadError,
    Chat,
    Crashed,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    EncodeSpecialTokens,
    Normalize,
    Observation,
    Outcome,
    PreTokenize,
    Stage,
    Text,
    TokenizerSource,
    Unsupported,
    files_of,
    observe_all,
    plain_of,
    stage_of,
)

SOURCE = TokenizerSource("toy", "tokenizer.json")


class One:
    """Answers one question at a time."""

    def observe(self, observation: Observation) -> Outcome:
        return Text(repr(observation))

    def vocabulary(self) -> Unsupported:
        return Unsupported("none")


class Many(One):
    """Answers many questions at once, and was given files of its own."""

    files = ("b", "a")

    def __init__(self) -> None:
        self.asked: list[list[Observation]] = []

    def observe_all(self, observations: list[Observation]) -> list[Outcome]:
        self.asked.append(observations)
        return [Text("many")] * len(observations)


class Nothing(One):
    """Was given no file."""

    files = ()


def test_questions_are_asked_at_once_where_that_can_be() -> None:
    questions: list[Observation] = [Normalize("a"), Decode((1,))]
    many = Many()
    assert observe_all(many, questions) == [Text("many")] * 2
    assert many.asked == [questions]
    assert observe_all(One(), questions) == [Text(repr(question)) for question in questions]


def test_the_files_are_those_that_the_subject_names() -> None:
    assert files_of(Many(), SOURCE) == ("b", "a")
    assert files_of(Nothing(), SOURCE) == ()
    assert files_of(One(), SOURCE) == ("tokenizer.json",)


def test_a_load_error_keeps_what_it_was_told() -> None:
    plain, fault, unfit = (
        CannotLoadError("a"),
        CannotLoadError("b", Crashed("c")),
        CannotLoadError("d", unsupported=True),
    )
    assert [(str(error), error.fault, error.unsupported) for error in (plain, fault, unfit)] == [
        ("a", None, False),
        ("b", Crashed("c"), False),
        ("d", None, True),
    ]


@pytest.mark.parametrize(
    ("question", "stage"),
    [
        (Normalize("a"), Stage.NORMALIZE),
        (PreTokenize("a"), Stage.PRE_TOKENIZE),
        (Encode("a", add_special_tokens=False), Stage.MODEL),
        (Encode("a"), Stage.POST_PROCESS),
        (Encode("a", "", add_special_tokens=False), Stage.POST_PROCESS),
        (EncodeBatch((Encode("a", None, False), Encode("a", "b", False))), Stage.POST_PROCESS),
        (EncodeBatch((Encode("a", "b", False), Encode("a", None, False))), Stage.POST_PROCESS),
        (EncodeBatch((Encode("a", None, False),) * 2), Stage.MODEL),
        (EncodeBatch(()), Stage.POST_PROCESS),
        (Decode(()), Stage.DECODE),
        (DecodeStream(()), Stage.DECODE),
        (Chat("[]"), Stage.CHAT),
        (After((AddTokens(()),), PreTokenize("a")), Stage.PRE_TOKENIZE),
    ],
    ids=repr,
)
def test_a_question_shows_a_stage(question: Observation, stage: Stage) -> None:
    assert stage_of(question) is stage


def test_a_question_without_its_changes() -> None:
    assert plain_of(After((EncodeSpecialTokens(True),), Decode((1,)))) == Decode((1,))
    assert plain_of(Decode((1,))) == Decode((1,))


@pytest.mark.parametrize(
    "inputs", [(Encode("a"), Encode(("a",))), (Encode("a"), Encode("a", add_special_tokens=False))], ids=repr
)
def test_the_inputs_of_a_batch_are_of_one_kind(inputs: tuple[Encode, ...]) -> None:
    with pytest.raises(ValueError, match="all pre-split or all not, and have one add_special_tokens"):
        EncodeBatch(inputs)


def test_a_batch_is_of_the_kind_of_its_inputs() -> None:
    words = EncodeBatch((Encode(("a",), None, False),))
    assert (words.is_pretokenized, words.add_special_tokens) == (True, False)
    texts = EncodeBatch((Encode("a"),))
    assert (texts.is_pretokenized, texts.add_special_tokens) == (False, True)
