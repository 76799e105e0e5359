"""Files of texts are cut as they are described, and bad ones are refused with the place."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from irregular_files import IRREGULAR, irregular

from tokenizer_conformance import BadInputError, Input, Split, TextFile, read_corpus, text_files
from tokenizer_conformance.inputs.corpus import Selection
from tokenizer_conformance.inputs.sources import sources_of


def written(folder: Path, content: bytes, name: str = "texts.txt") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def inputs(path: Path, *splits: Split) -> list[tuple[str, str]]:
    return [(each.id, each.text) for each in TextFile(path, path.name, splits or (Split.LINE,))]


def test_each_line_is_an_input(tmp_path: Path) -> None:
    path = written(tmp_path, "\ufeffone\r\ntwo \n\nthr\ree\u2028\x0b\x85\nlast".encode())
    assert inputs(path) == [
        ("texts.txt:1", "\ufeffone"),
        ("texts.txt:2", "two "),
        ("texts.txt:3", ""),
        ("texts.txt:4", "thr\ree\u2028\x0b\x85"),
        ("texts.txt:5", "last"),
    ]
    assert {each.category for each in TextFile(path, path.name)} == {"texts.txt"}


def test_paragraphs_end_at_blank_lines(tmp_path: Path) -> None:
    path = written(tmp_path, b"\none\ntwo\n \t\n\nthree\r\nfour")
    assert inputs(path, Split.PARAGRAPH) == [("texts.txt:2-3", "one\ntwo"), ("texts.txt:6-7", "three\nfour")]


def test_a_last_paragraph_without_blank_line_after_it_has_its_lines(tmp_path: Path) -> None:
    assert inputs(written(tmp_path, b"a\n\nb\n"), Split.PARAGRAPH) == [("texts.txt:1-1", "a"), ("texts.txt:3-3", "b")]


def test_a_file_can_be_one_input_and_several_splits_add_up(tmp_path: Path) -> None:
    path = written(tmp_path, b"a\r\nb\n")
    assert inputs(path, Split.FILE) == [("texts.txt", "a\r\nb\n")]
    assert len(inputs(path, *Split)) == 2 + 1 + 1
    assert len({id_ for id_, _ in inputs(path, *Split)}) == 4, "ids differ between splits"


@given(st.lists(st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs"])), min_size=1))
def test_lines_come_back_as_they_were_written(tmp_path_factory: pytest.TempPathFactory, lines: list[str]) -> None:
    path = written(tmp_path_factory.mktemp("lines"), ("\n".join(lines) + "\n").encode())
    assert [text for _, text in inputs(path)] == lines


def test_a_file_can_be_read_again(tmp_path: Path) -> None:
    file = TextFile(written(tmp_path, b"a\nb\n"), "texts.txt")
    assert list(file) == list(file)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"ok\nbad \xff here\n", "is not UTF-8: byte 0xFF at offset 7 (line 2): invalid start byte"),
        (b"\xed\xa0\x80", "is not UTF-8: byte 0xED at offset 0 (line 1): invalid continuation byte"),
        (b"abc\xc3", "is not UTF-8: byte 0xC3 at offset 3 (line 1): unexpected end of data"),
        (b"", "is empty: there is no text in it"),
    ],
)
def test_a_bad_file_is_refused_with_the_place(tmp_path: Path, content: bytes, message: str) -> None:
    path = written(tmp_path, content)
    with pytest.raises(BadInputError) as caught:
        inputs(path)
    assert str(caught.value) == f"inputs file {str(path)!r} {message}"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"BZh91AY\xff", "it is compressed with bzip2: decompress it first"),
        ("text".encode("utf-16"), "it is UTF-16: convert it to UTF-8"),
        (b"%PDF-1.4\n%\xe2\xe3", "it is a PDF: extract its text first"),
        (b"ARROW1\xff", "it is Arrow: give it a name that ends in .arrow"),
        (b"\x89PNG\r\n", "it is an image"),
    ],
)
def test_a_file_of_another_kind_is_told_what_it_is(tmp_path: Path, content: bytes, words: str) -> None:
    with pytest.raises(BadInputError) as caught:
        inputs(written(tmp_path, content))
    assert str(caught.value).endswith(f"; {words}")


@pytest.mark.parametrize("kind", IRREGULAR)
def test_what_is_no_file_is_refused_and_not_waited_for(tmp_path: Path, kind: str) -> None:
    with irregular(kind, tmp_path / "texts") as words, pytest.raises(BadInputError) as caught:
        inputs(tmp_path / "texts")
    assert str(caught.value) == (
        f"inputs file {str(tmp_path / 'texts')!r} is {words} and no file, and would have to be read more than once: "
        "write what it gives into a file, and give that"
    )


def test_patterns_folders_and_links_that_lead_nowhere_are_explained(tmp_path: Path) -> None:
    (tmp_path / "link.txt").symlink_to("missing")
    for name, words in (
        ("*.csv", "No such file or directory (as a pattern it matches nothing here)"),
        ("link.txt", "No such file or directory (it is a symbolic link to 'missing', where nothing is)"),
        ("", f"Is a directory; give the files in it, as in --inputs {tmp_path}/*.txt"),
    ):
        with pytest.raises(BadInputError) as caught:
            inputs(tmp_path / name)
        assert str(caught.value) == f"inputs file {str(tmp_path / name)!r}: {words}"


def test_standard_input_is_no_file() -> None:
    with pytest.raises(
        BadInputError, match=r"'-': No such file or directory .standard input cannot be read more than once"
    ):
        inputs(Path("-"))


def test_a_home_that_no_shell_has_put_in_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    path = written(tmp_path, b"a\n")
    assert [file.path for file in text_files([Path("~/texts.txt")])] == [path]


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="No such file"):
        inputs(tmp_path / "missing.txt")
    with pytest.raises(BadInputError, match="Is a directory"):
        inputs(tmp_path)


@pytest.mark.parametrize("text", ["\ud800", "a\udfffb", "\udc00\ud800"])
def test_a_lone_surrogate_is_no_text(text: str) -> None:
    with pytest.raises(BadInputError, match=r"input 'x': character \d is the lone surrogate U\+D"):
        Input("x", "test", text)


def test_files_of_one_name_are_told_apart_and_given_twice_are_one(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    paths = [written(tmp_path / "a", b"1"), written(tmp_path / "b", b"2"), written(tmp_path, b"3", "c.txt")]
    names = [file.name for file in text_files([*paths, paths[0]])]
    assert names == [paths[0].as_posix(), paths[1].as_posix(), "c.txt"]


def test_a_corpus_keeps_what_can_be_read_and_what_is_selected(tmp_path: Path) -> None:
    good = TextFile(written(tmp_path, b"a\nb\n", "good.txt"), "good.txt")
    bad = TextFile(written(tmp_path, b"a\n\xff", "bad.txt"), "bad.txt")
    built_in = (Input("emoji/a", "emoji", "x"),)
    corpus, refusals = read_corpus([("bad", bad), ("built-in", built_in), ("good", good)])
    assert corpus.count == 3
    assert [refusal.name for refusal in refusals] == ["bad"]
    assert [each.input.id for each in corpus] == ["emoji/a", "good.txt:1", "good.txt:2"]

    alone, _ = read_corpus([("built-in", built_in), ("good", good)])
    assert alone.sha256 == corpus.sha256, "the digest is that of what is used"
    selected, _ = read_corpus([("built-in", built_in), ("good", good)], Selection("EMOJI"))
    assert (selected.count, [each.input.id for each in selected]) == (1, ["emoji/a"])
    assert selected.sha256 != corpus.sha256


def test_a_source_has_the_same_digest_wherever_it_stands(tmp_path: Path) -> None:
    one = TextFile(written(tmp_path, b"a\nb\n", "one.txt"), "one.txt")
    other = TextFile(written(tmp_path, b"c\n", "other.txt"), "other.txt")
    empty = TextFile(written(tmp_path, b"", "empty.txt"), "empty.txt")
    corpora = [
        read_corpus([(each.name, each) for each in order])[0] for order in ((one, other), (other, empty, one), (one,))
    ]
    forth, back, part = (corpus.sources_sha256 for corpus in corpora)
    assert forth == back[::-1]
    assert part == forth[:1] == (corpora[2].sha256,)
    assert corpora[0].sha256 != corpora[1].sha256


@pytest.mark.parametrize("content", [b"a\n", b"a\nc\n", b"a\nb\nc\n", b""])
def test_a_corpus_that_changes_is_not_taken_for_the_one_that_was_counted(tmp_path: Path, content: bytes) -> None:
    sources = sources_of([written(tmp_path, b"a\nb\n"), written(tmp_path, b"d\n", "other.txt")])
    corpus, _ = read_corpus([(each.name, each) for each in sources], Selection(substring="t"))
    assert len(list(corpus)) == 3
    written(tmp_path, content)
    with pytest.raises(BadInputError, match=r"texts.txt.* (has changed while it was used|is empty)"):
        list(corpus)


def test_a_source_without_selected_inputs_is_no_change(tmp_path: Path) -> None:
    sources = sources_of([written(tmp_path, b"a\nb\n"), written(tmp_path, b"d\n", "other.txt")])
    corpus, _ = read_corpus([(each.name, each) for each in sources], Selection(substring="other"))
    assert [each.input.text for each in corpus] == ["d"]
    assert len(corpus.sources_sha256) == 1
