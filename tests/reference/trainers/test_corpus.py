"""Where the texts of a training come from, and what becomes of the tokenizer where they cannot be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import tokenizers

import tokenizer_reference
from tokenizer_reference import Tokenizer, models, trainers
from tokenizer_reference.errors import CallbackError, TokenizerFileError, TokenizerReferenceError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LIBRARIES = [tokenizer_reference, tokenizers]


def trainer_of(library: Any) -> Any:
    return library.trainers.WordLevelTrainer(show_progress=False)


def trained(library: Any, method: str, *arguments: Any) -> dict[str, int]:
    tokenizer = library.Tokenizer(library.models.WordLevel())
    getattr(tokenizer, method)(*arguments, trainer_of(library))
    return dict(sorted(tokenizer.get_vocab().items()))


# Files ---------------------------------------------------------------------------------------------------------------

CONTENTS = [b"", b"\n", b"ab c\r\nd e\n\nf g", b"\xef\xbb\xbfab\n", "a\u2028b\x85c\rd\n".encode(), b"a\0b\n"]


@pytest.mark.parametrize("content", CONTENTS)
def test_lines_keep_their_ends(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "corpus.txt"
    file.write_bytes(content)
    ours, theirs = (trained(library, "train", [str(file), str(file)]) for library in LIBRARIES)
    assert ours == theirs


def test_a_file_that_is_not_utf_8_is_an_error_after_what_came_before_was_learned(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.txt", tmp_path / "bad.txt"
    good.write_bytes(b"a\n")
    bad.write_bytes(b"b\nc\xff\nd\n")
    for library in LIBRARIES:
        tokenizer = library.Tokenizer(library.models.WordLevel())
        with pytest.raises(Exception, match="UTF-8"):
            tokenizer.train([str(good), str(bad)], trainer_of(library))
        assert tokenizer.get_vocab().keys() == {"a\n", "b\n"}


def test_the_error_names_file_line_and_byte(tmp_path: Path) -> None:
    bad = tmp_path / "bad.txt"
    bad.write_bytes(b"b\nc\xff\n")
    with pytest.raises(TokenizerFileError, match=r"bad\.txt: is not UTF-8: invalid start byte in line 2, at byte 1"):
        Tokenizer(models.WordLevel()).train([str(bad)], trainer_of(tokenizer_reference))


def old_after_training_on(library: Any, *files: Path) -> bool:
    tokenizer = library.Tokenizer(library.models.WordLevel({"old": 0}, unk_token="old"))
    with pytest.raises(Exception, match=r"No such file|Is a directory"):
        tokenizer.train([str(file) for file in files], trainer_of(library))
    return bool(tokenizer.get_vocab() == {"old": 0})


def test_a_file_that_cannot_be_opened_changes_nothing(tmp_path: Path) -> None:
    good = tmp_path / "good.txt"
    good.write_text("a\n")
    assert all(old_after_training_on(library, good, tmp_path / "missing.txt") for library in LIBRARIES)


def test_a_folder_changes_nothing_where_the_target_trains_on_what_came_before(tmp_path: Path) -> None:
    good = tmp_path / "good.txt"
    good.write_text("a\n")
    assert old_after_training_on(tokenizer_reference, good, tmp_path)
    assert not old_after_training_on(tokenizers, good, tmp_path)


@pytest.mark.parametrize("files", ["corpus.txt", [1], None, {"corpus.txt": 1}, ["\ud800"]])
def test_files_are_a_sequence_of_names(files: Any) -> None:
    for library in LIBRARIES:
        with pytest.raises((TypeError, UnicodeEncodeError)):
            library.Tokenizer(library.models.WordLevel()).train(files, trainer_of(library))


# Iterators -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "texts",
    [
        [],
        ["a", "b", "a"],
        "abc",
        [["a", "b"], ("c",), iter(["d"]), {"e"}, {"f": 1}],
        [[], [""]],
        ["a", ["b"]],
    ],
)
def test_items_are_texts_or_iterables_of_texts(texts: Any) -> None:
    def copied() -> Any:
        return [iter(["d"]) if hasattr(each, "__next__") else each for each in texts] if texts != "abc" else texts

    ours, theirs = (trained(library, "train_from_iterator", copied()) for library in LIBRARIES)
    assert ours == theirs


@pytest.mark.parametrize("texts", [[None], [1], [[["a"]]], [b"abc"], ["\ud800"], [["a", 1]], None, 5])
def test_other_items_are_refused(texts: Any) -> None:
    for library in LIBRARIES:
        with pytest.raises((TypeError, UnicodeEncodeError)):
            trained(library, "train_from_iterator", texts)


def failing(after: int) -> Iterator[str]:
    yield from (f"w{number}" for number in range(after))
    raise KeyError("no more")


@pytest.mark.parametrize("after", [0, 1, 255, 256, 257, 600])
def test_what_an_iterator_gave_before_it_failed_is_learned_256_texts_at_a_time(after: int) -> None:
    for library in LIBRARIES:
        tokenizer = library.Tokenizer(library.models.WordLevel({"old": 0}, unk_token="old"))
        with pytest.raises(KeyError, match="no more"):
            tokenizer.train_from_iterator(failing(after), trainer_of(library))
        assert tokenizer.get_vocab_size() == after // 256 * 256


@pytest.mark.parametrize("length", [-1, "a", 2**70])
def test_a_length_is_a_count(length: Any) -> None:
    for library in LIBRARIES:
        tokenizer = library.Tokenizer(library.models.WordLevel())
        with pytest.raises((TypeError, OverflowError)):
            tokenizer.train_from_iterator(["a"], trainer_of(library), length=length)


# Failing and stopping ------------------------------------------------------------------------------------------------


def interrupted(after: int) -> Iterator[str]:
    yield from (f"w{number}" for number in range(after))
    raise KeyboardInterrupt


@pytest.mark.parametrize("kind", [trainers.BpeTrainer, trainers.WordLevelTrainer, trainers.UnigramTrainer])
def test_an_interrupt_while_reading_leaves_the_tokenizer_as_it_was(kind: Any) -> None:
    tokenizer = Tokenizer(models.WordLevel({"old": 0}))
    before = tokenizer.to_str()
    with pytest.raises(KeyboardInterrupt):
        tokenizer.train_from_iterator(interrupted(1000), kind(show_progress=False, special_tokens=["<s>"]))
    assert tokenizer.to_str() == before


@pytest.mark.parametrize(
    ("model", "kind", "place"),
    [
        (models.BPE({"a": 0}, []), trainers.BpeTrainer, "merge_trainer.learner_of"),
        (models.WordPiece({"a": 0}), trainers.WordPieceTrainer, "merge_trainer.Beginning"),
        (models.Unigram([("a", -1.0)]), trainers.UnigramTrainer, "unigram_learning.digamma"),
    ],
)
def test_an_interrupt_while_learning_leaves_the_tokenizer_as_it_was(
    monkeypatch: pytest.MonkeyPatch, model: Any, kind: Any, place: str
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(f"tokenizer_reference.trainers.{place}", interrupt)
    tokenizer = Tokenizer(model)
    before = tokenizer.to_str()
    with pytest.raises(KeyboardInterrupt):
        tokenizer.train_from_iterator(["ab", "abc"], kind(show_progress=False, special_tokens=["<s>"]))
    assert tokenizer.to_str() == before


def test_a_trainer_of_another_model_is_refused() -> None:
    for library in LIBRARIES:
        tokenizer = library.Tokenizer(library.models.WordLevel({"old": 0}, unk_token="old"))
        with pytest.raises(Exception, match="BpeTrainer can only train a BPE"):
            tokenizer.train_from_iterator(["a"], library.trainers.BpeTrainer(show_progress=False))
        assert tokenizer.get_vocab() == {"old": 0}
        for other in ("x", library.models.BPE()):
            with pytest.raises(TypeError, match="is not an instance of 'Trainer'"):
                tokenizer.train_from_iterator(["a"], other)


def test_without_a_trainer_the_model_chooses() -> None:
    for library in LIBRARIES:
        tokenizer = library.Tokenizer(library.models.BPE(continuing_subword_prefix="##"))
        trainer = tokenizer.model.get_trainer()
        assert (type(trainer).__name__, trainer.continuing_subword_prefix) == ("BpeTrainer", None)
        tokenizer.train_from_iterator(["ab", "ab"])
        assert tokenizer.get_vocab() == {"a": 0, "b": 1, "ab": 2}


class Refusing:
    """A normalizer or pre-tokenizer that fails."""

    def normalize(self, _text: Any) -> None:
        raise ValueError("nope")

    def pre_tokenize(self, _text: Any) -> None:
        raise ValueError("nope")


def test_what_a_custom_normalizer_raises_is_lost_and_what_a_custom_pre_tokenizer_raises_is_not() -> None:
    for library in LIBRARIES:
        tokenizer = library.Tokenizer(library.models.WordLevel())
        tokenizer.normalizer = library.normalizers.Normalizer.custom(Refusing())
        tokenizer.train_from_iterator(["a"], trainer_of(library))
        tokenizer.pre_tokenizer = library.pre_tokenizers.PreTokenizer.custom(Refusing())
        with pytest.raises(Exception, match="nope") as raised:
            tokenizer.train_from_iterator(["b"], trainer_of(library))
        assert isinstance(raised.value, CallbackError) == (library is tokenizer_reference)
        assert tokenizer.get_vocab() == {"a": 0}


def test_errors_are_of_the_reference() -> None:
    assert issubclass(TokenizerFileError, TokenizerReferenceError)


# What is counted -----------------------------------------------------------------------------------------------------


def test_added_tokens_are_counted_as_they_are() -> None:
    def vocabulary(library: Any) -> dict[str, int]:
        tokenizer = library.Tokenizer(library.models.WordLevel())
        tokenizer.normalizer = library.normalizers.Lowercase()
        tokenizer.pre_tokenizer = library.pre_tokenizers.Whitespace()
        tokenizer.add_special_tokens(["[SEP]"])
        tokenizer.add_tokens([library.AddedToken("He y", normalized=True)])
        tokenizer.train_from_iterator(["a[SEP] he y bB he y", "[SEP]", "", " "], trainer_of(library))
        return dict(tokenizer.get_vocab())

    ours, theirs = map(vocabulary, LIBRARIES)
    assert ours == theirs


def test_training_again_keeps_added_tokens_and_their_ids() -> None:
    def shown(library: Any) -> tuple[dict[str, int], Any]:
        tokenizer = library.Tokenizer(library.models.WordLevel({"old": 0, "u": 1}, unk_token="u"))
        tokenizer.pre_tokenizer = library.pre_tokenizers.Whitespace()
        tokenizer.add_tokens(["added"])
        tokenizer.add_special_tokens(["[S]"])
        trainer = library.trainers.WordLevelTrainer(special_tokens=["<s>", "a"], show_progress=False)
        tokenizer.train_from_iterator(["a b added [S] a"], trainer)
        added = {id_: token.content for id_, token in tokenizer.get_added_tokens_decoder().items()}
        return dict(tokenizer.get_vocab()), added

    ours, theirs = map(shown, LIBRARIES)
    assert ours == theirs
