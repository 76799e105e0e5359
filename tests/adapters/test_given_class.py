"""Classes as strangers write them are taken as they are; what is wrong with one is said with the place."""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from peer_questions import kept, plain

from tokenizer_adapters import given_class
from tokenizer_adapters.contract import (
    PIPELINE_STAGES,
    CannotLoadError,
    Chat,
    Chunks,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Encoded,
    EncodedBatch,
    Failed,
    Field,
    Implementation,
    Normalize,
    OffsetUnit,
    Pieces,
    PreTokenize,
    Rendered,
    Stage,
    Text,
    TokenizerSource,
    Unsupported,
)
from tokenizer_adapters.given_class import build_named
from tokenizer_adapters.registry import BrokenImplementationError, WrongImplementationError
from tokenizer_adapters.user_code import found_at
from tokenizer_conformance.inputs.bundled import bundled_file

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Subject

SOURCE = TokenizerSource("bert-mini", str(bundled_file("bert-mini")))
PLAIN = {"model": {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "a"}, "added_tokens": []}

CODE = """
import json
import sys
import time
from pathlib import Path

import numpy as np


class Base:
    def __init__(self, text):
        self.vocab = json.loads(text)["model"]["vocab"]

    def encode(self, text):
        return [len(word) for word in text.split()]

    def decode(self, ids):
        return " ".join("a" * each for each in ids)


class FromFile(Base):
    @classmethod
    def from_file(cls, path):
        return cls(Path(path).read_text("utf-8"))


class FromText(Base):
    @staticmethod
    def from_str(text):
        return FromText(text)


class FromBytes(Base):
    @classmethod
    def from_buffer(cls, data):
        return cls(data.decode())


class Pretrained(Base):
    @classmethod
    def from_pretrained(cls, folder, **settings):
        return cls((Path(folder) / "tokenizer.json").read_text("utf-8"))


class ByInit(Base):
    def __init__(self, path):
        super().__init__(Path(path).read_text("utf-8"))


class ByOptionalInit(ByInit):
    def __init__(self, tokenizer_file=None):
        super().__init__(tokenizer_file)


class Streaming(FromFile):
    def decode_stream(self, ids):
        return ["a"] * len(ids)

    def apply_chat_template(self, messages):
        return str(len(messages))


class Dictionary(FromFile):
    def __call__(self, text, text_pair=None, add_special_tokens=True, return_offsets_mapping=False):
        found = {"input_ids": [1], "attention_mask": [1]}
        return found | ({"offset_mapping": [(0, len(text))]} if return_offsets_mapping else {})


class Called(ByInit):
    encode = None

    def __call__(self, text):
        return {"input_ids": np.array([len(text)])}


class OnlyCalled:
    def __init__(self, path):
        self.file = path

    def __call__(self, text):
        return [len(text)]


class Hangs(ByInit):
    was_waited_for = False

    def encode(self, text):
        if text == "a":  # this alone
            time.sleep(2)
            Hangs.was_waited_for = True
        return [len(text)]


class Exits(ByInit):
    def encode(self, text):
        sys.exit(3)


class EncodesNothing(ByInit):
    encode = None


def make_of_two(path, name):
    return ByInit(path)


class Whole(FromFile):
    name = "whole"
    version = "2.5"
    offset_unit = "UTF-8 bytes"

    class Normalizer:
        def normalize_str(self, text):
            return text.lower()

    normalizer = Normalizer()

    def pre_tokenize(self, text):
        return [(word, (0, 1)) for word in text.split()]

    def encode(self, text, **options):
        return {"ids": [0], "tokens": [text], "offsets": [(0, 3)], "options": options}

    def encode_batch(self, texts, add_special_tokens=True):
        return [self.encode(text) for text in texts]

    def get_vocab(self):
        return {"a": 0}


class AddsNone(FromFile):
    adds_special_tokens = False


class Faulty(FromFile):
    def encode(self, text):
        return [self.vocab[text]]

    def decode(self, ids):
        raise NotImplementedError("no decoder yet")


class Indirect(FromFile):
    def encode(self, text):
        return self.read(text)

    def read(self, text):
        return json.loads(text)

    def decode(self, ids):
        return None


class Choosy(Base):
    @classmethod
    def from_file(cls, path):
        if "bert" in path:
            raise NotImplementedError("only BPE is read")
        return cls(json.dumps({}))


class Forgotten(Base):
    def __init__(self):
        pass

    def from_file(self, path):
        return self


class WrongUnit(FromFile):
    offset_unit = "bytes"


class NoTokenizer:
    pass


def make(path):
    return FromFile.from_file(path)


def nothing(path):
    return 3


ready = FromText('{"model": {"vocab": {}}}')


def made_already():
    return ready


number = 3
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, which is no folder of modules otherwise, with a package of a stranger."""
    package = tmp_path / "strange"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "mine.py").write_text(CODE)
    (package / "needy.py").write_text("x = 1\nimport no_such_library\n")
    (package / "wrong.py").write_text("def f(:\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    for name in [name for name in sys.modules if name.partition(".")[0] == "strange"]:
        monkeypatch.delitem(sys.modules, name)
    return tmp_path


def taken(name: str) -> Implementation:
    return build_named(f"strange.mine:{name}")


def loaded(name: str, document: dict[str, Any] | None = None, folder: Path | None = None) -> Subject:
    if document is None or folder is None:
        return taken(name).load(SOURCE)
    file = folder / "plain.json"
    file.write_text(json.dumps(document))
    return taken(name).load(TokenizerSource("plain", str(file)))


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "name", ["FromFile", "FromText", "FromBytes", "Pretrained", "ByInit", "ByOptionalInit", "make"]
)
def test_a_class_is_loaded_by_the_way_that_it_has(name: str) -> None:
    subject = loaded(name)
    assert subject.observe(Encode("ab a")) == Encoded((2, 1))
    assert subject.observe(Decode((2, 1))) == Text("aa a")
    for question in (Normalize("a"), PreTokenize("a"), EncodeBatch((Encode("a"),)), Encode("a", "b"), Encode(("a",))):
        assert isinstance(subject.observe(question), Unsupported)


@pytest.mark.usefixtures("folder")
def test_a_class_says_what_it_is_taken_for() -> None:
    info = taken("FromFile").info
    assert (info.name, info.version, info.offset_unit) == ("FromFile", "unversioned", OffsetUnit.CODE_POINTS)
    assert info.stages == {Stage.MODEL, Stage.POST_PROCESS, Stage.DECODE}
    assert info.note == (
        "strange.mine:FromFile is taken as a class like tokenizers.Tokenizer: from_file, encode, decode; "
        "no normalizer, pre_tokenizer, encode_batch, get_vocab; encode has no argument add_special_tokens and adds "
        "them; offsets count code points"
    )


@pytest.mark.usefixtures("folder")
def test_a_class_may_render_chats_and_decode_streams() -> None:
    implementation = taken("Streaming")
    assert implementation.info.stages == {Stage.MODEL, Stage.POST_PROCESS, Stage.DECODE, Stage.CHAT}
    assert "from_file, encode, decode, decode_stream, apply_chat_template; no normalizer" in implementation.info.note
    subject = implementation.load(SOURCE)
    assert subject.observe(DecodeStream((1, 2))) == Chunks(("a", "a"))
    assert subject.observe(Chat("[]")) == Rendered("0")


@pytest.mark.usefixtures("folder")
def test_a_class_shows_all_that_it_has() -> None:
    implementation = taken("Whole")
    info = implementation.info
    assert (info.name, info.version, info.offset_unit) == ("whole", "2.5", OffsetUnit.UTF8_BYTES)
    assert info.stages == frozenset(PIPELINE_STAGES)
    subject = implementation.load(SOURCE)
    assert subject.observe(Normalize("A")) == Text("a")
    assert subject.observe(PreTokenize("a")) == Pieces((("a", (0, 1)),))
    assert subject.observe(Encode("a", "b")) == Encoded((0,), ("a",), ((0, 3),))
    assert subject.observe(EncodeBatch((Encode("a"), Encode("b")))) == EncodedBatch(
        (Encoded((0,), ("a",), ((0, 3),)), Encoded((0,), ("b",), ((0, 3),)))
    )
    assert subject.vocabulary() == {"a": 0}


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("name", "expected"), [("Dictionary", ((0, 2),)), ("Called", None), ("OnlyCalled", None)])
def test_an_object_that_is_called_gives_a_dictionary(name: str, expected: object) -> None:
    answer = loaded(name).observe(Encode("ab"))
    assert isinstance(answer, Encoded)
    assert answer.offsets == expected


@pytest.mark.usefixtures("folder")
def test_a_call_that_never_answers_costs_itself_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(given_class, "PROBE_SECONDS", 0.05)
    before = signal.getsignal(signal.SIGALRM)
    hanging: Any = found_at("strange.mine:Hangs")
    assert loaded("Hangs").observe(Encode("abc")) == Encoded((3,))
    assert not hanging.was_waited_for
    monkeypatch.setattr(given_class, "PROBE_SECONDS", 60)
    loaded("ByInit")
    assert (signal.getitimer(signal.ITIMER_REAL), signal.getsignal(signal.SIGALRM)) == ((0, 0), before)


@pytest.mark.usefixtures("folder")
def test_what_ends_the_program_is_loaded_and_ends_it_when_it_is_asked() -> None:
    subject = loaded("Exits")
    with pytest.raises(SystemExit):
        subject.observe(Encode("abc"))


def test_special_tokens_need_no_argument_where_there_are_none(folder: Path) -> None:
    with_template = loaded("FromFile")
    assert isinstance(with_template.observe(plain("a")), Unsupported)
    assert isinstance(with_template.observe(kept((1,))), Unsupported)
    assert loaded("AddsNone").observe(plain("a")) == Encoded((1,))
    without = loaded("FromFile", PLAIN, folder)
    assert without.observe(plain("a")) == Encoded((1,))
    assert without.observe(kept((1,))) == Text("a")
    levels = {"type": "Sequence", "processors": [{"type": "ByteLevel"}]}
    assert isinstance(loaded("FromFile", PLAIN | {"post_processor": levels}, folder).observe(QUESTION), Encoded)
    other = PLAIN | {"post_processor": {"type": "BertProcessing", "sep": ["a", 0], "cls": ["a", 0]}}
    assert isinstance(loaded("FromFile", other, folder).observe(QUESTION), Unsupported)


QUESTION = plain("a")


@pytest.mark.usefixtures("folder")
def test_what_every_answer_has_is_said_of_each_tokenizer() -> None:
    fields = frozenset({Field.IDS, Field.TEXT})
    assert getattr(loaded("FromFile"), "shows", None) == {}
    assert getattr(loaded("AddsNone"), "shows", None) == {Stage.MODEL: fields}


@pytest.mark.usefixtures("folder")
def test_an_error_is_the_answer_and_has_its_line() -> None:
    subject = loaded("Faulty")
    line = CODE.splitlines().index("        return [self.vocab[text]]") + 1
    assert subject.observe(Encode("no such entry")) == Failed(
        "KeyError", f"'no such entry' (strange/mine.py, line {line})"
    )
    answer = subject.observe(Decode((1,)))
    assert isinstance(answer, Unsupported)
    assert answer.reason.startswith("no decoder yet (strange/mine.py, line ")


@pytest.mark.usefixtures("folder")
def test_the_line_is_the_users_where_a_library_raises_and_none_where_an_answer_is_of_no_use() -> None:
    subject = loaded("Indirect")
    line = CODE.splitlines().index("        return json.loads(text)") + 1
    answer = subject.observe(Encode("no JSON"))
    assert isinstance(answer, Failed)
    assert answer.message.endswith(f"(strange/mine.py, line {line})")
    nothing = subject.observe(Decode((1,)))
    assert isinstance(nothing, Failed)
    assert ", line " not in nothing.message


def test_a_folder_is_that_of_the_source_or_has_the_file_alone(folder: Path) -> None:
    (folder / "plain.json").write_text(json.dumps(PLAIN))
    (folder / "tokenizer.json").write_text("{}")
    (folder / "model").mkdir()
    (folder / "model" / "tokenizer.json").write_text(json.dumps(PLAIN))
    for file, model in (("plain.json", None), ("tokenizer.json", str(folder / "model"))):
        source = TokenizerSource("plain", str(folder / file), folder=model)
        assert taken("Pretrained").load(source).observe(Encode("ab")) == Encoded((2,))


def test_the_current_folder_comes_before_others(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "elsewhere").mkdir()
    (folder / "elsewhere" / "strange.py").touch()
    monkeypatch.syspath_prepend(str(folder / "elsewhere"))
    assert taken("FromFile").info.name == "FromFile"


@pytest.mark.usefixtures("folder")
def test_what_a_class_does_not_load_is_not_supported_or_said_with_its_line() -> None:
    with pytest.raises(CannotLoadError, match="only BPE is read") as refused:
        loaded("Choosy")
    assert refused.value.unsupported
    other = TokenizerSource("other", str(bundled_file("gpt2-mini")))
    with pytest.raises(CannotLoadError, match=r"KeyError: 'model' \(strange/mine\.py, line \d+\)$") as failed:
        taken("Choosy").load(other)
    assert not failed.value.unsupported
    with pytest.raises(CannotLoadError, match="an object of int is no tokenizer"):
        loaded("nothing")


@pytest.mark.parametrize(
    ("path", "error", "words"),
    [
        ("stranger:Mine", WrongImplementationError, "there is no module 'stranger': looked in the current folder ("),
        ("strange.py:Mine", WrongImplementationError, "a module is named without .py, so here it is 'strange'"),
        ("stranger:Mine", WrongImplementationError, "give this command in the folder that holds 'stranger'"),
        ("stranger:Mine", WrongImplementationError, "did you mean 'strange'?"),
        (
            "strange.mime:Mine",
            WrongImplementationError,
            "there is no module 'strange.mime': looked in strange; did you",
        ),
        ("strange.mine.deep:Mine", WrongImplementationError, "'strange.mine', which is a module and no package"),
        ("strange.mine:FromFill", WrongImplementationError, "'strange.mine' (strange/mine.py) has no 'FromFill'; did"),
        ("strange.mine:Zzz", WrongImplementationError, "has no 'Zzz'; it has Base, FromFile, FromText"),
        (
            "strange.mine:EncodesNothing",
            WrongImplementationError,
            "has no encode, and arguments without a default (path): expected is a class with from_file(path)",
        ),
        (
            "strange.mine:make_of_two",
            WrongImplementationError,
            "has arguments without a default (path, name): expected",
        ),
        (
            "strange.needy:Mine",
            BrokenImplementationError,
            "No module named 'no_such_library' (strange/needy.py, line 2)",
        ),
        (
            "strange.wrong:Mine",
            BrokenImplementationError,
            "cannot be imported: SyntaxError: invalid syntax (strange/wrong.py, line 1)",
        ),
        (
            "strange.mine:NoTokenizer",
            WrongImplementationError,
            "an object of NoTokenizer: expected is a class with from",
        ),
        ("strange.mine:Forgotten", WrongImplementationError, "put @classmethod before from_file"),
        (
            "strange.mine:WrongUnit",
            WrongImplementationError,
            "offset_unit of strange.mine:WrongUnit is 'bytes'; expected",
        ),
        ("strange.mine:ready", WrongImplementationError, "an object of FromText that is made already, and cannot load"),
        ("strange.mine:made_already", WrongImplementationError, "that is made already, and cannot load"),
        ("strange.mine:number", WrongImplementationError, "an object of int: expected is a class with from_file(path)"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_what_cannot_be_taken_is_said_with_what_is_wanted(path: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error) as raised:
        build_named(path)
    assert words in str(raised.value)
    assert "\n" not in str(raised.value)


def test_adapters_are_taken_as_they_are() -> None:
    for path in ("tokenizer_adapters.reference:ReferenceImplementation", f"{__name__}:adapter", f"{__name__}:ADAPTER"):
        assert build_named(path).info.name == "reference"


def adapter() -> Implementation:
    return build_named("tokenizer_adapters.reference:ReferenceImplementation")


ADAPTER = adapter()


# The example ----------------------------------------------------------------------------------------------------------


def test_the_example_is_a_whole_class_and_a_short_one(monkeypatch: pytest.MonkeyPatch) -> None:
    example = Path(__file__).parents[2] / "examples" / "python" / "words_class.py"
    assert len(example.read_text("utf-8").splitlines()) <= 45
    monkeypatch.chdir(example.parent)
    monkeypatch.setattr(sys, "path", list(sys.path))
    implementation = build_named("words_class:Words")
    subject = implementation.load(TokenizerSource("wordlevel-mini", str(bundled_file("wordlevel-mini"))))
    answer = subject.observe(plain("the  the"))
    assert isinstance(answer, Encoded)
    assert answer.offsets == ((0, 3), (5, 8))
    assert subject.observe(Decode(answer.ids, skip_special_tokens=True)) == Text("the the")
    with pytest.raises(CannotLoadError, match="only WordLevel is read") as refused:
        implementation.load(SOURCE)
    assert refused.value.unsupported
