"""The strip of tokens: every character and every token is shown once, in order, and no text becomes markup."""

from __future__ import annotations

import json
import sys
from html.parser import HTMLParser
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_reference import Tokenizer
from tokenizer_reference.text.byte_level import BYTE_TO_CHAR
from tokenizer_reference.tools import Annotation, EncodingVisualizer
from tokenizer_reference.tools.strip import pieces_of

WORDS = {
    "added_tokens": [],
    "pre_tokenizer": {"type": "Whitespace"},
    "post_processor": {"type": "BertProcessing", "sep": ["<sep>", 1], "cls": ["<cls>", 0]},
    "model": {
        "type": "WordLevel",
        "vocab": {"<cls>": 0, "<sep>": 1, "[UNK]": 2, "ab": 3, "<b>": 4},
        "unk_token": "[UNK]",
    },
}
BYTES = {
    "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False},
    "model": {"type": "BPE", "vocab": {char: id for id, char in enumerate(BYTE_TO_CHAR)}, "merges": []},
}
TOKENIZERS = [Tokenizer.from_str(json.dumps(document)) for document in (WORDS, BYTES)]


class Page(HTMLParser):
    """What a browser would make of a page: elements with their classes and tips, and the text in each."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.spans: list[tuple[str, str, str]] = []
        self._open: list[list[str]] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag == "span":
            given = dict(attrs)
            self._open.append([given["class"] or "", given.get("title") or "", ""])

    def handle_endtag(self, tag: str) -> None:
        if tag == "span":
            css, tip, text = self._open.pop()
            self.spans.append((css, tip, text))
            if self._open and css == "code":
                self._open[-1][2] += text

    def handle_data(self, data: str) -> None:
        if self._open:
            self._open[-1][2] += data

    def of_class(self, css: str) -> list[tuple[str, str]]:
        return [(text, tip) for classes, tip, text in self.spans if css in classes.split()]


def page_of(tokenizer: Tokenizer, text: str, annotations: list[Annotation] | None = None) -> Page:
    page = EncodingVisualizer(tokenizer, default_to_notebook=False)(text, annotations)
    assert page is not None
    return Page(page)


TAGS = {"html", "head", "meta", "title", "style", "body", "div", "span"}

hostile = st.text(
    st.sampled_from("ab <>&\"'\n\t\u202e\x00\x1bé\u0301中😀\u200d") | st.characters(codec="utf-8"), max_size=20
)


@given(st.sampled_from(TOKENIZERS), hostile, st.data())
def test_pieces_hold_every_character_and_every_token(tokenizer: Tokenizer, text: str, data: st.DataObject) -> None:
    places = st.integers(0, len(text))
    ranges = [sorted(pair) for pair in data.draw(st.lists(st.tuples(places, places), max_size=3))]
    annotations = [Annotation(start, end, "label") for start, end in ranges]
    encoding = tokenizer.encode(text)
    pieces = pieces_of(text, encoding, annotations)
    assert "".join(text[piece.start : piece.end] for piece in pieces) == text
    assert {token for piece in pieces for token in piece.tokens} == set(range(len(encoding)))
    for piece in pieces:
        for token in piece.tokens if piece.start < piece.end else ():
            assert encoding.offsets[token][0] <= piece.start < piece.end <= encoding.offsets[token][1]
        if piece.annotation is not None and piece.start < piece.end:
            annotation = annotations[piece.annotation]
            assert annotation.start <= piece.start < piece.end <= annotation.end


@given(st.sampled_from(TOKENIZERS), hostile, hostile)
def test_no_text_and_no_label_becomes_markup(tokenizer: Tokenizer, text: str, label: str) -> None:
    page = page_of(tokenizer, text, [Annotation(0, len(text), label)])
    assert set(page.tags) <= TAGS
    assert [tag for tag in page.tags if tag != "span"] == ["html", "head", "meta", "title", "style", "body", "div"]
    shown = "".join(text for css, _, text in page.spans if css != "code")
    assert not {"\u202e", "\x00", "\x1b"} & set(shown)


def test_tokens_are_shown_with_ids_and_places() -> None:
    page = page_of(TOKENIZERS[0], "ab zz")
    assert page.of_class("token") == [
        ("ab", "token 1: ab, id 3, characters 0 to 2, word 0"),
        ("zz", "token 2: [UNK], id 2, characters 3 to 5, word 1"),
    ]
    assert [text for text, _ in page.of_class("no-characters")] == ["<cls>", "<sep>"]
    assert [text for text, _ in page.of_class("unknown")] == ["zz"]
    assert [text for text, _ in page.of_class("between")] == [" "]


def test_a_character_of_several_tokens_is_shown_once_with_all_of_them() -> None:
    ((text, tip),) = page_of(TOKENIZERS[1], "é").of_class("several")
    assert text == "é"
    assert [line.split(",")[0] for line in tip.split("\n")] == ["token 0: Ã", "token 1: ©"]


def test_annotations_are_shown_around_their_characters() -> None:
    visualizer = EncodingVisualizer(TOKENIZERS[0], default_to_notebook=False)
    page = visualizer("ab ab", [Annotation(0, 2, "<first>"), Annotation(3, 5, "second")])
    assert page is not None
    assert [text for text, _ in Page(page).of_class("label")] == ["<first>", "second"]
    colours = visualizer.calculate_label_colors([Annotation(0, 1, "<first>"), Annotation(0, 1, "second")])
    assert len(set(colours.values())) == 2
    assert all(colour in page for colour in colours.values())


def test_an_annotation_beyond_the_text_is_named() -> None:
    with pytest.raises(IndexError, match=r"^annotation 0 \('x'\) covers 1 to 9, which is not within the 2 characters"):
        page_of(TOKENIZERS[0], "ab", [Annotation(1, 9, "x")])


def test_a_notebook_is_needed_only_where_one_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "IPython.display", None)
    with pytest.raises(ImportError, match="default_to_notebook=False the page is returned"):
        EncodingVisualizer(TOKENIZERS[0])


def test_a_notebook_shows_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Any] = []
    display = SimpleNamespace(HTML=lambda page: ("html", page), display=shown.append)
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    assert EncodingVisualizer(TOKENIZERS[0])("ab") is None
    assert shown == [("html", EncodingVisualizer(TOKENIZERS[0], default_to_notebook=False)("ab"))]
