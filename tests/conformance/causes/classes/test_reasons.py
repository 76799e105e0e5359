"""A difference is in a class where an implementation has that very fault, and nowhere else.

Every fake is `tokenizers` with one fault. Beside each stands a look-alike, which has the same answer to the same
question and is right about everything else: that is no rule, and has no reason.
"""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import pytest
from planted.fakes import ENCODED_AND_DECODED, Fault, Faulty
from port_faults import Overlooked, Overlooking
from tokenizers import Tokenizer

from tokenizer_adapters.contract import (
    Decode,
    Encode,
    Encoded,
    Failed,
    ImplementationInfo,
    Normalize,
    OffsetUnit,
    Pieces,
    PreTokenize,
    Stage,
    Text,
    TokenizerSource,
    Unsupported,
)
from tokenizer_adapters.tokenizers import TokenizersImplementation
from tokenizer_conformance.causes.bench import Bench
from tokenizer_conformance.causes.cause import NO_REASON, Reason
from tokenizer_conformance.causes.classes.experiment import Ground
from tokenizer_conformance.causes.classes.table import CLASSES_BY_NAME
from tokenizer_conformance.causes.reasons import reason_of
from tokenizer_conformance.inputs.bundled import bundled_file

if TYPE_CHECKING:
    from collections.abc import Callable

    from planted.fakes import FaultySubject

    from tokenizer_adapters.contract import Implementation, Observation, Outcome


def source_of(name: str) -> TokenizerSource:
    return TokenizerSource(name, str(bundled_file(name)))


def reason_for(implementation: Implementation, tokenizer: str, question: Observation) -> Reason:
    with Bench(TokenizersImplementation(), implementation) as bench:
        witness = bench.trial(source_of(tokenizer)).witness(question)
        assert witness is not None, "the fake does not show its fault"
        return reason_of(bench, witness)


class OnlyOn(Faulty):
    """Has the answer of ``faulty`` to one question, and is right about all others."""

    def __init__(self, faulty: Implementation, question: Observation) -> None:
        def spoil(asked: Observation, outcome: Outcome) -> Outcome:
            return self._subject.observe(asked) if asked == question else outcome

        super().__init__("only-on", Fault(spoil=spoil))
        self._faulty = faulty

    def load(self, source: TokenizerSource) -> FaultySubject:
        self._subject = self._faulty.load(source)
        return super().load(source)


# Faults in reading the file ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    tokenizer: str
    path: str
    value: Any
    question: Observation
    name: str
    parameter: str

    @property
    def implementation(self) -> Overlooking:
        return Overlooking(Overlooked(self.tokenizer, self.path, self.value, Stage.MODEL))


def plain(text: str) -> Encode:
    return Encode(text, add_special_tokens=False)


BERT_ADDED = json.loads(Path(bundled_file("bert-mini")).read_text(encoding="utf-8"))["added_tokens"]

FILES = (
    Case(
        "bert-mini", "normalizer.strip_accents", False, Normalize("é"),
        "normalizer-flags", "normalizer: BertNormalizer strip_accents false",
    ),
    Case(
        "t5-mini", "normalizer.normalizers.0", {"type": "NFKC"}, Normalize("a\tb"),
        "charsmap-approximation", "normalizer: Precompiled -> NFKC",
    ),
    Case(
        "roberta-mini", "pre_tokenizer.add_prefix_space", False, PreTokenize("a"),
        "prefix-space-policy", "pre_tokenizer: ByteLevel add_prefix_space false",
    ),
    Case(
        "t5-mini", "pre_tokenizer.prepend_scheme", "never", PreTokenize("a"),
        "prefix-space-policy", "pre_tokenizer: Metaspace prepend_scheme always -> never",
    ),
    Case(
        "wordlevel-mini", "pre_tokenizer.pretokenizers.3.individual_digits", False, PreTokenize("12"),
        "pre-tokenizer-flags", "pre_tokenizer: Digits individual_digits false",
    ),
    Case(
        "bert-mini", "model.max_input_chars_per_word", 99, plain("a" * 100),
        "length-limit", "model max_input_chars_per_word 100 -> 99",
    ),
    Case(
        "llama-mini", "model.byte_fallback", False, plain("\u4eac"),
        "byte-fallback", "model byte_fallback true -> false",
    ),
    Case(
        "roberta-mini", "added_tokens.<mask>.lstrip", False, plain("a <mask>"),
        "added-token-flags", "lstrip is false",
    ),
    Case(
        "options-mini", "added_tokens.the.single_word", False, plain("atheb"),
        "added-token-flags", 'single_word of "the" is false',
    ),
    Case(
        "bert-mini", "added_tokens", BERT_ADDED[:-1], plain("a [MASK] b"),
        "component-left-out", 'added token "[MASK]" left out',
    ),
    Case(
        "options-mini", "truncation", None, plain("Hello world " * 20),
        "length-limit", "truncation ignored",
    ),
    Case(
        "options-mini", "padding.direction", "Right", plain("a"),
        "padding-policy", "padding direction Right",
    ),
    Case(
        "roberta-mini", "post_processor.trim_offsets", False, plain("a b"),
        "offset-convention", "post_processor: RobertaProcessing trim_offsets false",
    ),
    Case(
        "xlnet-mini", "post_processor.pair.2.Sequence.type_id", 0, Encode("a", "b", False),
        "pair-handling", "post_processor: TemplateProcessing the second text has type 0",
    ),
    Case(
        "bert-mini", "decoder.cleanup", False, Decode((5, 16)),
        "decode-clean-up", "decoder: WordPiece cleanup false",
    ),
)  # fmt: skip


@pytest.mark.long_but(2)
@pytest.mark.parametrize("case", FILES, ids=lambda case: f"{case.tokenizer} {case.parameter}")
def test_what_is_overlooked_in_a_file_is_the_reason(case: Case) -> None:
    reason = reason_for(case.implementation, case.tokenizer, case.question)
    assert (reason.name, reason.parameter) == (case.name, case.parameter)
    assert "exactly that of the implementation" in reason.proof[1]


@pytest.mark.long_but(4)
@pytest.mark.parametrize(
    "case",
    [case if at % 3 == 0 else pytest.param(case, marks=pytest.mark.slow) for at, case in enumerate(FILES)],
    ids=lambda case: f"{case.tokenizer} {case.parameter}",
)
def test_one_text_alone_is_no_reason(case: Case) -> None:
    assert reason_for(OnlyOn(case.implementation, case.question), case.tokenizer, case.question) == NO_REASON


# Faults in questions and answers -------------------------------------------------------------------------------------


def asks_other(change: Callable[[str], str]) -> Faulty:
    """Return what answers another question than it is asked."""

    def reword(question: Observation) -> Observation:
        is_met = isinstance(question, Encode) and isinstance(question.text, str)
        return replace(question, text=change(question.text)) if is_met else question  # type: ignore[union-attr, call-arg]

    return Faulty("asks-other", Fault(reword=reword))


def answers_other(change: Callable[[Observation, Outcome], Outcome]) -> Faulty:
    """Return what changes answers."""
    return Faulty("answers-other", Fault(spoil=change))


def in_bytes(question: Observation, outcome: Outcome) -> Outcome:
    if isinstance(question, Encode) and isinstance(question.text, str) and isinstance(outcome, Encoded):
        offsets = [tuple(len(question.text[:at].encode()) for at in span) for span in outcome.offsets or ()]
        return replace(outcome, offsets=tuple(offsets))  # type: ignore[arg-type]
    return outcome


def last_characters(_question: Observation, outcome: Outcome) -> Outcome:
    if isinstance(outcome, Encoded):
        return replace(outcome, offsets=tuple((start, max(start, end - 1)) for start, end in outcome.offsets or ()))
    return outcome


def lower(_question: Observation, outcome: Outcome) -> Outcome:
    return Text(outcome.text.lower()) if isinstance(outcome, Text) else outcome


def cut_at_nul(_question: Observation, outcome: Outcome) -> Outcome:
    return Text(outcome.text.partition("\0")[0]) if isinstance(outcome, Text) else outcome


def no_overflow(_question: Observation, outcome: Outcome) -> Outcome:
    return replace(outcome, overflowing=()) if isinstance(outcome, Encoded) else outcome


BERT, XLNET, GPT2 = (Tokenizer.from_file(str(bundled_file(name))) for name in ("bert-mini", "xlnet-mini", "gpt2-mini"))


T5_END = Tokenizer.from_file(str(bundled_file("t5-mini"))).token_to_id("</s>")
LETTER_O, LETTER_B = (BERT.token_to_id(letter) for letter in "ob")
SEPARATOR, LETTER = (XLNET.token_to_id(token) for token in ("<sep>", "a"))


def specials_leave_spaces(question: Observation, outcome: Outcome) -> Outcome:
    if isinstance(question, Decode) and question.skip_special_tokens:
        text = BERT.decode(list(question.ids), skip_special_tokens=False)
        return Text(re.sub(r"\[(CLS|SEP|UNK|PAD|MASK)\]", "", text).strip(" "))
    return outcome


def space_before_special(question: Observation, outcome: Outcome) -> Outcome:
    if not isinstance(question, Decode) or question.skip_special_tokens:
        return outcome
    special = {id_: token.content for id_, token in XLNET.get_added_tokens_decoder().items() if token.special}
    text, words, is_word = "", [], True
    for id_ in question.ids:
        if id_ in special:
            text += (" " if is_word else "") + XLNET.decode(words, skip_special_tokens=False) + special[id_]
            words = []
        else:
            words.append(id_)
        is_word = id_ not in special
    return Text((text + XLNET.decode(words, skip_special_tokens=False)).strip())


def nothing_for_prefix(_question: Observation, outcome: Outcome) -> Outcome:
    return Encoded(()) if isinstance(outcome, Encoded) and outcome.tokens == ("\u2581",) else outcome


def last_not_twice(question: Observation, outcome: Outcome) -> Outcome:
    if not isinstance(question, Encode) or not isinstance(outcome, Encoded) or not question.add_special_tokens:
        return outcome
    return Encoded(outcome.ids[:-1]) if outcome.ids[-2:] == (T5_END,) * 2 else outcome


def one_other_id(_question: Observation, outcome: Outcome) -> Outcome:
    """Take the entry of one letter for that of another, wherever it stands."""
    if isinstance(outcome, Encoded):
        return Encoded(tuple(LETTER_B if id_ == LETTER_O else id_ for id_ in outcome.ids))
    return outcome


def one_unknown(question: Observation, outcome: Outcome) -> Outcome:
    if isinstance(question, Decode) and LETTER_O in question.ids:
        special = set(BERT.get_added_tokens_decoder())
        kept = [id_ for id_ in question.ids if not (question.skip_special_tokens and id_ in special)]
        ids = [BERT.token_to_id("[UNK]") if id_ == LETTER_O else id_ for id_ in kept]
        return Text(BERT.decode(ids, skip_special_tokens=False))
    return outcome


def first_without_prefix(_question: Observation, outcome: Outcome) -> Outcome:
    return Text(outcome.text.removeprefix("##")) if isinstance(outcome, Text) else outcome


def tokens_joined(question: Observation, outcome: Outcome) -> Outcome:
    if isinstance(question, Decode) and isinstance(outcome, Text):
        skipped = {1999} if question.skip_special_tokens else set()
        return Text("".join(GPT2.id_to_token(id_) for id_ in question.ids if id_ not in skipped))
    return outcome


def words_with_spaces(question: Observation, outcome: Outcome) -> Outcome:
    """Decode each word with a space before it, and clean up what comes of it, as llama.cpp does with a BERT."""
    if not isinstance(question, Decode) or not isinstance(outcome, Text):
        return outcome
    special = {id_ for id_, each in BERT.get_added_tokens_decoder().items() if each.special}
    text = ""
    for id_ in question.ids:
        name = BERT.id_to_token(id_) or ""
        if id_ not in special:
            text += name[2:] if name.startswith("##") else f" {name}"
        elif not question.skip_special_tokens:
            text += name
    text = re.sub(" (?=[.?!,])", "", text).replace(" ' ", "'")
    return Text(re.sub(" (?='(?:[ms]|ve|re))", "", text))


def is_space(character: str) -> bool:
    return any(each.isspace() or each == "\u2581" for each in unicodedata.normalize("NFKD", character))


def side_by_side(question: Observation, outcome: Outcome) -> Outcome:
    """Let spaces belong to the token behind them, all else to the one before, as the SentencePiece library does."""
    if not isinstance(outcome, Encoded) or not isinstance(question, Encode) or question.pair is not None:
        return outcome
    made = [[*span] for span in outcome.offsets or ()]
    text, tokens = str(question.text), outcome.tokens or ()
    for at in range(1, len(made)):
        between = text[made[at - 1][1] : made[at][0]]
        spaces = len(between) - next((place for place, each in enumerate(between) if is_space(each)), len(between))
        made[at][0] -= spaces if tokens[at].startswith("\u2581") and tokens[at - 1] != "\u2581" else 0
        made[at - 1][1] = made[at][0] = max(made[at][0], made[at - 1][0])
    if made:
        behind = text[made[-1][1] :]
        made[-1][1] += next((place for place, each in enumerate(behind) if is_space(each)), len(behind))
        made[-1][1] = max(made[-1])
    return replace(outcome, offsets=tuple((start, end) for start, end in made))


class CountsBytes(Faulty):
    """An implementation whose offsets count bytes, as it says; it shows no text before its model does."""

    @property
    def info(self) -> ImplementationInfo:
        return replace(super().info, offset_unit=OffsetUnit.UTF8_BYTES, stages=ENCODED_AND_DECODED)


def side_by_side_in_bytes(question: Observation, outcome: Outcome) -> Outcome:
    """Let tokens lie side by side, and show another name of one, which is another difference."""
    told = side_by_side(question, outcome)
    if isinstance(question, Normalize | PreTokenize):
        return Unsupported("port shows encodings")
    if not isinstance(told, Encoded):
        return told
    names = tuple("?" if "\u4eac" in token else token for token in told.tokens or ())
    return in_bytes(question, replace(told, tokens=names))


def test_offsets_that_count_bytes_are_compared_in_code_points_where_tokens_differ_too() -> None:
    faulty = CountsBytes("port", Fault(spoil=side_by_side_in_bytes))
    reason = reason_for(faulty, "xlnet-mini", plain("the one"))
    assert (reason.name, reason.parameter) == ("offset-convention", "each token ends where the next begins")
    assert reason.is_refuted is not None
    assert not reason.is_refuted(plain("a\u4eac \u4eac"))


@dataclass(frozen=True)
class Found:
    implementation: Implementation
    tokenizer: str
    question: Observation
    name: str
    parameter: str


FAULTS = (
    Found(asks_other(lambda text: text.partition("\0")[0]), "gpt2-mini", plain("a\0b"),
          "text-ends-at-nul", "in texts"),
    Found(asks_other(lambda text: text.removeprefix("\ufeff")), "gpt2-mini", plain("\ufeffa"),
          "byte-order-mark", "at the head"),
    Found(asks_other(lambda text: text.replace("\r\n", "\n")), "gpt2-mini", plain("a\r\nb"),
          "characters-dropped", "CR LF becomes LF"),
    Found(answers_other(in_bytes), "gpt2-mini", plain("éa"), "offset-unit", "UTF-8 bytes"),
    Found(answers_other(last_characters), "gpt2-mini", plain("the"), "offset-convention", "last character"),
    Found(answers_other(lower), "gpt2-mini", Decode((33,)), "case-folding", "decoded text lower-cased"),
    Found(answers_other(specials_leave_spaces), "bert-mini", Decode((40, 3, 41)),
          "special-token-handling", "those left out in decoding leave their spaces, ends stripped"),
    Found(answers_other(space_before_special), "xlnet-mini", Decode((SEPARATOR, LETTER, SEPARATOR), False),
          "special-token-handling", "a space before text that one follows in decoding"),
    Found(answers_other(last_not_twice), "t5-mini", Encode("</s>"),
          "special-token-handling", "none put behind a text that ends with it"),
    Found(answers_other(one_other_id), "bert-mini", plain("o"), "model-entry", f'"o" has the id {LETTER_B}'),
    Found(answers_other(one_unknown), "bert-mini", Decode((LETTER_O,)), "model-entry", '"o" is unknown in decoding'),
    Found(answers_other(first_without_prefix), "bert-mini", Decode((BERT.token_to_id("##ing"), 41)),
          "word-affixes", "the first token loses its prefix in decoding"),
    Found(answers_other(words_with_spaces), "bert-mini", Decode((41,)), "prefix-space-policy",
          "a space before each word in decoding, the first too, and none before special tokens"),
    Found(answers_other(tokens_joined), "gpt2-mini", Decode(tuple(GPT2.encode("a b c").ids)),
          "component-left-out", "the decoder, and tokens joined as they are"),
    Found(answers_other(side_by_side), "xlnet-mini", plain("the one of the two"),
          "offset-convention", "each token ends where the next begins"),
    Found(answers_other(no_overflow), "options-mini", plain("Hello world " * 20),
          "length-limit", "no overflowing parts"),
)  # fmt: skip


@pytest.mark.long_but(5)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.name} {fault.parameter}")
def test_another_question_or_answer_is_the_reason(fault: Found) -> None:
    reason = reason_for(fault.implementation, fault.tokenizer, fault.question)
    assert (reason.name, reason.parameter) == (fault.name, fault.parameter)


@pytest.mark.long_but(2)
@pytest.mark.parametrize(
    "fault",
    [fault if at % 2 == 0 else pytest.param(fault, marks=pytest.mark.slow) for at, fault in enumerate(FAULTS)],
    ids=lambda fault: f"{fault.name} {fault.parameter}",
)
def test_another_question_or_answer_once_is_no_reason(fault: Found) -> None:
    assert reason_for(OnlyOn(fault.implementation, fault.question), fault.tokenizer, fault.question) == NO_REASON


SPACES: dict[str, tuple[Callable[[str], str], tuple[str, ...]]] = {
    "spaces made one": (lambda text: re.sub(" +", " ", text), ("a  b", "a   b", "a    b")),
    "two spaces made one": (lambda text: text.replace("  ", " "), ("a  b", "a   b", "a    b")),
    "white space made one": (lambda text: re.sub(r"\s+", " ", text), ("a\nb", "a \n b", "a  \n\n")),
    "spaces removed": (lambda text: text.replace(" ", ""), ("a b", "a  b", "a   b")),
    "spaces made one, ends stripped": (lambda text: re.sub(" +", " ", text).strip(" "), (" a  b", "a   b ")),
    "white space made one, ends stripped": (lambda text: " ".join(text.split()), ("\na  b ", " a \n b")),
    "white space at the ends stripped": (str.strip, ("\na ", "a\n")),
}
"""What decoders do to spaces, with texts that show it."""


def with_spaces(change: Callable[[str], str]) -> Implementation:
    return answers_other(lambda _, outcome: Text(change(outcome.text)) if isinstance(outcome, Text) else outcome)


@pytest.mark.long_but(2)
@pytest.mark.parametrize("parameter", SPACES)
def test_a_fault_over_spaces_is_one_reason_whatever_their_number(parameter: str) -> None:
    change, texts = SPACES[parameter]
    found = [reason_for(with_spaces(change), "gpt2-mini", Decode(tuple(GPT2.encode(each).ids))) for each in texts]
    assert {(each.name, each.parameter) for each in found} == {("decode-clean-up", parameter)}


def test_spaces_that_are_removed_by_chance_have_no_reason() -> None:
    """Every third space goes: no rule about spaces says that."""

    def change(text: str) -> str:
        return re.sub("( [^ ]* [^ ]*) ", r"\1", text)

    question = Decode(tuple(GPT2.encode("a b c d e").ids))
    assert reason_for(with_spaces(change), "gpt2-mini", question) == NO_REASON


def one_letter(question: Observation, outcome: Outcome) -> Outcome:
    """Compose one letter, as a wrong entry of a table would."""
    if isinstance(question, Normalize) and isinstance(outcome, Text):
        return Text(outcome.text.replace("n\u0303", "ñ"))
    return outcome


def late_pieces(question: Observation, outcome: Outcome) -> Outcome:
    """Count one more after a letter with an accent: neither bytes nor UTF-16 units do that for all."""
    if isinstance(question, PreTokenize) and isinstance(outcome, Pieces):
        shifted = ((piece, span and (span[0] + 1, span[1] + 1)) for piece, span in outcome.pieces)
        return Pieces(tuple(shifted)) if question.text.startswith("é") else outcome
    return outcome


LOOK_ALIKES = (
    (one_letter, "gpt2-mini", Normalize("n\u0303")),
    (late_pieces, "bert-mini", PreTokenize("é a")),
)


@pytest.mark.parametrize(("spoilt", "tokenizer", "question"), LOOK_ALIKES)
def test_what_only_looks_like_a_class_has_no_reason(
    spoilt: Callable[[Observation, Outcome], Outcome], tokenizer: str, question: Observation
) -> None:
    assert reason_for(answers_other(spoilt), tokenizer, question) == NO_REASON


def one_too_far(_question: Observation, outcome: Outcome) -> Outcome:
    """Let the second token end a character too late, which at the end of a text is outside it."""
    if not isinstance(outcome, Encoded) or outcome.offsets is None or len(outcome.offsets) < 2:
        return outcome
    first, (start, end), *rest = outcome.offsets
    return replace(outcome, offsets=(first, (start, end + 1), *rest))


def piece_too_far(_question: Observation, outcome: Outcome) -> Outcome:
    if not isinstance(outcome, Pieces) or not outcome.pieces:
        return outcome
    *others, (piece, span) = outcome.pieces
    return Pieces((*others, (piece, span and (span[0], span[1] + 1))))


@pytest.mark.parametrize(("spoilt", "question"), [(one_too_far, plain("aa")), (piece_too_far, PreTokenize("aa"))])
def test_offsets_of_the_baseline_that_are_outside_the_text_are_no_other_unit(
    spoilt: Callable[[Observation, Outcome], Outcome], question: Observation
) -> None:
    with Bench(answers_other(spoilt), TokenizersImplementation()) as bench:
        witness = bench.trial(source_of("bert-mini")).witness(question)
        assert witness is not None
        assert reason_of(bench, witness) == NO_REASON


# Ids that are refused ------------------------------------------------------------------------------------------------


def refuses_unknown(question: Observation, outcome: Outcome) -> Outcome:
    if isinstance(question, Decode) and any(id_ > 60_000 for id_ in question.ids):
        return Failed("ValueError", "no such id")
    return outcome


def refuses_partial(question: Observation, outcome: Outcome) -> Outcome:
    is_broken = isinstance(question, Decode) and isinstance(outcome, Text) and "\ufffd" in outcome.text
    return Failed("UnicodeDecodeError", "half a character") if is_broken else outcome


def refuses_many(question: Observation, outcome: Outcome) -> Outcome:
    is_long = isinstance(question, Decode) and len(question.ids) > 1
    return Failed("ValueError", "two are too many") if is_long else outcome


def test_ids_outside_the_vocabulary_are_the_reason() -> None:
    reason = reason_for(answers_other(refuses_unknown), "gpt2-mini", Decode((64, 65_000, 65)))
    assert (reason.name, reason.parameter) == ("ids-without-value", "ids outside the vocabulary")


def test_ids_of_half_a_character_are_the_reason() -> None:
    with Bench(TokenizersImplementation(), TokenizersImplementation()) as bench:
        encoded = bench.trial(source_of("gpt2-mini")).expected(plain("\U0001f600"))
    assert isinstance(encoded, Encoded)
    reason = reason_for(answers_other(refuses_partial), "gpt2-mini", Decode(encoded.ids[:1]))
    assert reason.name == "partial-character"


def test_ids_refused_for_another_cause_have_no_reason() -> None:
    assert reason_for(answers_other(refuses_many), "gpt2-mini", Decode((64, 65))) == NO_REASON


# Loaders -------------------------------------------------------------------------------------------------------------


class Rebuilding(Overlooking):
    """Runs another pipeline than that of the file, and saves what it runs."""

    def load(self, source: TokenizerSource) -> Any:
        subject = super().load(source)
        subject.saved = subject._sound.saved  # type: ignore[attr-defined]
        return subject


def test_a_pipeline_that_a_loader_saves_is_the_reason() -> None:
    fault = Overlooked("t5-mini", "pre_tokenizer", {"type": "WhitespaceSplit"}, Stage.PRE_TOKENIZE)
    reason = reason_for(Rebuilding(fault), "t5-mini", PreTokenize("a b"))
    assert (reason.name, reason.parameter) == ("pipeline-rebuilt-by-loader", "pre_tokenizer")


def test_for_a_port_that_saves_nothing_the_reference_is_not_loaded_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    def whole(_ground: Ground) -> None:
        raise AssertionError

    monkeypatch.setattr(Ground, "whole_reference", whole)
    port = Overlooking(Overlooked("t5-mini", "pre_tokenizer", {"type": "WhitespaceSplit"}, Stage.PRE_TOKENIZE))
    load = port.load

    def saving_nothing(source: TokenizerSource) -> Any:
        subject: Any = load(source)
        subject.saved = lambda: Unsupported("it saves nothing")
        return subject

    monkeypatch.setattr(port, "load", saving_nothing)
    assert reason_for(port, "t5-mini", PreTokenize("a b")).name != "pipeline-rebuilt-by-loader"


# Documents that were made small --------------------------------------------------------------------------------------


def test_a_small_document_is_not_enough_where_the_whole_file_speaks_against_it() -> None:
    """With two tokens there is no text that tells one letter from all: the user's file has them."""
    document = {
        "version": "1.0",
        "added_tokens": [],
        "normalizer": {"type": "NFD"},
        "model": {"type": "WordLevel", "vocab": {"[UNK]": 0, "ñ": 1}, "unk_token": "[UNK]"},
    }
    question = plain("ñ")

    def one_word(question: Observation, outcome: Outcome) -> Outcome:
        if question == plain("ñ") and isinstance(outcome, Encoded):
            return replace(outcome, ids=(1,), tokens=("ñ",))
        return outcome

    with Bench(TokenizersImplementation(), answers_other(one_word)) as bench:
        trial = bench.trial_of(source_of("xlnet-mini"), document)
        assert trial is not None
        witness = trial.witness(question)
        assert witness is not None
        assert reason_of(bench, replace(witness, source=source_of("xlnet-mini"))) == NO_REASON


@pytest.mark.long
def test_nothing_for_a_prefix_is_the_reason_where_other_texts_show_it(tmp_path: Path) -> None:
    document = {
        "version": "1.0",
        "added_tokens": [],
        "normalizer": {"type": "Replace", "pattern": {"Regex": " +"}, "content": " "},
        "pre_tokenizer": {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always", "split": True},
        "model": {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0.0], ["\u2581", -1.0], ["a", -2.0]]},
    }

    file = tmp_path / "tokenizer.json"
    file.write_text(json.dumps(document), encoding="utf-8")

    def reason(implementation: Implementation) -> Reason:
        with Bench(TokenizersImplementation(), implementation) as bench:
            witness = bench.trial(TokenizerSource("own", str(file))).witness(plain(" "))
            assert witness is not None
            return reason_of(bench, witness)

    faulty = answers_other(nothing_for_prefix)
    assert reason(faulty).parameter == "nothing where U+2581 is all that is left of a text"
    assert reason(OnlyOn(faulty, plain(" "))) == NO_REASON


def test_every_reason_given_here_is_in_the_table() -> None:
    assert {each.name for each in (*FILES, *FAULTS)} <= CLASSES_BY_NAME.keys()


# What is no tokenizer.json of ours, and who answers nothing else -----------------------------------------------------


def test_a_file_that_the_reference_cannot_read_gives_no_reason_and_no_error(tmp_path: Path) -> None:
    file = tmp_path / "tokenizer.json"
    file.write_text('{"model": {"type": "Toy"}}', encoding="utf-8")
    with Bench(fakes.Toy(), fakes.WrongNormalization()) as bench:
        witness = bench.trial(TokenizerSource("toy", str(file))).witness(Normalize("xBx"))
        assert witness is not None
        assert reason_of(bench, witness) == NO_REASON
        for text in ("[]", "no JSON"):
            file.write_text(text, encoding="utf-8")
            with Bench(fakes.Toy(), fakes.WrongNormalization()) as other:
                assert reason_of(other, witness) == NO_REASON


def test_who_answers_nothing_else_has_no_reason() -> None:
    question = plain("a\0b")

    def silent(asked: Observation, outcome: Outcome) -> Outcome:
        if asked == question and isinstance(outcome, Encoded):
            return replace(outcome, **{name: getattr(outcome, name)[:1] for name in PER_TOKEN})
        return Failed("ValueError", "no") if isinstance(asked, Encode) else outcome

    assert reason_for(answers_other(silent), "gpt2-mini", question) == NO_REASON


PER_TOKEN = (
    *("ids", "tokens", "offsets", "word_ids", "type_ids"),
    *("attention_mask", "special_tokens_mask", "sequence_ids"),
)
