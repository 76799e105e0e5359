"""Spans, content and coverage on encodings that are written down: what is allowed, and what is not."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_adapters.contract import (
    PIPELINE_STAGES,
    Encode,
    Encoded,
    ImplementationInfo,
    Normalize,
    OffsetUnit,
    Stage,
    Text,
    Unsupported,
)
from tokenizer_conformance.research.offsets_audit import tokenizer_view
from tokenizer_conformance.research.offsets_audit.case import CannotCheckError, SeenEncoding, Violation
from tokenizer_conformance.research.offsets_audit.content import _ends, _is_part, slice_content
from tokenizer_conformance.research.offsets_audit.coverage import coverage
from tokenizer_conformance.research.offsets_audit.spans import in_order, in_text, known_tokens, not_empty, overlap
from tokenizer_conformance.research.offsets_audit.tokenizer_rules import rules_of
from tokenizer_conformance.research.offsets_audit.tokenizer_view import TokenizerView

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from tokenizer_adapters.contract import Observation, Outcome, Span
    from tokenizer_conformance.research.offsets_audit.case import Looked

POINTS, BYTES, UTF16 = OffsetUnit.CODE_POINTS, OffsetUnit.UTF8_BYTES, OffsetUnit.UTF16_UNITS

INFO = ImplementationInfo("toy", "1", "", "", frozenset(PIPELINE_STAGES), frozenset(), POINTS, "")


@dataclass
class Asked:
    """What a view asks: a normalizer, and the ids of texts that are known, or all of their encodings."""

    normalize: Callable[[str], str] = str
    ids: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    encoded: Mapping[str, Encoded] = field(default_factory=dict)
    info: ImplementationInfo = INFO
    shows: Mapping[Stage, frozenset[Any]] = field(default_factory=lambda: {Stage.NORMALIZE: frozenset()})

    def ask(self, question: Observation) -> Outcome:
        if isinstance(question, Normalize):
            return Text(self.normalize(question.text))
        if isinstance(question, Encode) and isinstance(question.text, str):
            return self.encoded.get(question.text) or Encoded(self.ids.get(question.text, (0,)))
        return Unsupported("it is a toy")

    def vocabulary(self) -> Unsupported:
        return Unsupported("it is a toy")

    def ask_ahead(self, questions: Iterable[Observation]) -> None: ...

    def forget(self) -> None: ...


def view_of(tokens: tuple[str, ...], asked: Asked | None = None, **members: Any) -> TokenizerView:
    vocabulary = {token: id for id, token in enumerate(tokens, 10)}
    document = {"model": {"type": "BPE", "vocab": vocabulary, "merges": []}, **members}
    return TokenizerView(asked or Asked(), rules_of(document))  # type: ignore[arg-type]  # it has what is asked


def seen_of(
    text: str, tokens: tuple[str, ...], spans: tuple[Span, ...], unit: OffsetUnit = POINTS, *, is_window: bool = False
) -> SeenEncoding:
    ids = tuple(range(10, 10 + len(tokens)))
    encoded = Encoded(ids, tokens, spans)
    question = Encode(text, add_special_tokens=False)
    return SeenEncoding(question, encoded, unit, (0,) * len(ids), is_window=is_window)


def manners(looked: Iterable[Looked]) -> list[str]:
    return [each.manner for each in looked if isinstance(each, Violation)]


@pytest.mark.parametrize(
    ("text", "spans", "unit", "is_window", "wrong"),
    [
        ("ab", ((0, 1), (1, 2)), POINTS, False, []),
        ("ab", ((0, 1), (1, 3)), POINTS, False, ["outside the text"]),
        ("ab", ((-1, 1), (1, 2)), POINTS, False, ["outside the text"]),
        ("ab", ((1, 0), (1, 2)), POINTS, False, ["it ends before it begins"]),
        ("éa", ((0, 2), (2, 3)), BYTES, False, []),
        ("éa", ((0, 1), (1, 2)), BYTES, False, []),  # both have a part of the same character
        ("éa", ((0, 1), (2, 3)), BYTES, False, ["inside a character"]),
        ("éa", ((1, 2), (2, 3)), BYTES, True, []),  # the other half stands in the window before
        ("🎉a", ((0, 2), (2, 3)), UTF16, False, []),
        ("🎉a", ((0, 2), (2, 4)), UTF16, False, ["outside the text"]),
        ("éa", ((0, 2), (2, 4)), BYTES, True, ["outside the text"]),  # whatever a window begins and ends with
        ("ab", ((0, 3), (1, 2)), POINTS, False, ["outside the text"]),
        ("aéa", ((0, 1), (1, 2), (3, 4)), BYTES, True, ["inside a character"]),  # in the middle of a window
        ("aéé", ((0, 1), (1, 3), (3, 4)), BYTES, True, []),
        ("aéé", ((0, 1), (1, 3), (3, 4)), BYTES, False, ["inside a character"]),
    ],
)
def test_in_text(text: str, spans: tuple[Span, ...], unit: OffsetUnit, is_window: bool, wrong: list[str]) -> None:
    seen = seen_of(text, ("a", "b", "c")[: len(spans)], spans, unit, is_window=is_window)
    assert manners(in_text(seen, view_of(("a", "b")))) == wrong


@pytest.mark.parametrize(
    ("text", "spans", "goes_back", "shares"),
    [
        ("abc", ((0, 1), (1, 2)), 0, 0),
        ("abc", ((1, 2), (0, 1)), 1, 0),
        ("abc", ((0, 2), (1, 3)), 0, 1),
        ("abc", ((0, 3), (1, 2)), 1, 1),  # it begins later and ends before
        ("abc", ((0, 2), (0, 1)), 1, 1),
        ("abc", ((0, 1), (0, 2)), 0, 1),
        ("abc", ((1, 2), (0, 2)), 1, 1),
        ("abc", ((0, 1), (0, 1)), 0, 1),
        ("éab", ((0, 1), (0, 1)), 0, 0),  # a character of two bytes may have two tokens
        ("éèb", ((0, 2), (0, 2)), 0, 1),  # two characters may not
    ],
)
def test_order_and_overlap(text: str, spans: tuple[Span, ...], goes_back: int, shares: int) -> None:
    seen, view = seen_of(text, ("x", "y"), spans), view_of(("x", "y"))
    assert len(manners(in_order(seen, view))) == goes_back
    assert len(manners(overlap(seen, view))) == shares


def test_order_is_that_of_the_tokens_of_one_text() -> None:
    encoded = Encoded((10, 11, 12), ("x", "y", "z"), ((1, 2), (0, 1), (1, 2)))
    pair = SeenEncoding(Encode("ab", "cd", add_special_tokens=False), encoded, POINTS, (0, 1, 1), is_window=False)
    view = view_of(("x", "y", "z"))
    assert manners(in_order(pair, view)) == []
    assert len(manners(in_order(replace(pair, sequences=(0, 0, 1)), view))) == 1


def test_characters_that_are_normalized_together_may_be_shared() -> None:
    composed = Asked(lambda text: text.replace("e\u0301", "é"))
    seen = seen_of("e\u0301", ("x", "y"), ((0, 2), (0, 2)))
    assert manners(overlap(seen, view_of(("x", "y"), composed, normalizer={"type": "NFC"}))) == []
    assert len(manners(overlap(seen, view_of(("x", "y"))))) == 1


def test_only_white_space_is_empty() -> None:
    metaspace = {"type": "Metaspace", "replacement": "▁"}
    seen = seen_of("ab", ("▁", "ab"), ((0, 0), (0, 2)))
    assert manners(not_empty(seen, view_of(("▁", "ab"), pre_tokenizer=metaspace))) == []
    assert manners(not_empty(seen_of("ab", ("a", "b"), ((0, 1), (2, 2))), view_of(("a", "b")))) == ["an empty span"]


LOWERCASE = {"type": "Lowercase"}
TRIMMED = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
METASPACE = {"type": "Metaspace", "replacement": "▁"}
NOT_THE_TOKEN = ["the slice is not what the token stands for"]
SPACE = ["white space at an end that the token has not, or the other way round"]

PUT = ["white space is cut out and a space put before, where the file has it stay"]
BYTE_FOR_SPACE = ["a byte of a character is taken for a space"]
ADDED = {"id": 10, "content": "<X>", "normalized": True}
AS_WRITTEN = {**ADDED, "normalized": False}
CONTROL_FOR_SPACE = ["white space or a control character is taken for a space"]


@pytest.mark.parametrize(
    ("text", "token", "span", "members", "wrong"),
    [
        ("Ab c", "ab", (0, 2), {"normalizer": LOWERCASE}, []),
        ("Ab c", "ab", (0, 3), {"normalizer": LOWERCASE}, SPACE),
        ("Ab c", "ab", (1, 2), {"normalizer": LOWERCASE}, NOT_THE_TOKEN),
        ("a ab", "Ġab", (2, 4), {"pre_tokenizer": TRIMMED, "post_processor": TRIMMED}, []),
        ("a ab", "Ġab", (2, 4), {"pre_tokenizer": TRIMMED}, SPACE),
        ("a ab", "Ġab", (1, 4), {"pre_tokenizer": TRIMMED}, []),
        ("ab", "▁ab", (0, 2), {"pre_tokenizer": METASPACE}, []),  # a space was put before
        ("a ab", "▁ab", (2, 4), {"pre_tokenizer": METASPACE}, PUT),  # the text has one of its own
        ("a ab", "▁", (2, 3), {"pre_tokenizer": METASPACE}, PUT),
        ("a ab", "▁b", (2, 3), {"pre_tokenizer": METASPACE}, NOT_THE_TOKEN),
        ("xab", "▁", (1, 2), {"pre_tokenizer": METASPACE}, []),
        (" ab", "▁ab", (1, 3), {"pre_tokenizer": METASPACE}, []),  # which was taken out at the beginning
        ("é", "Ã", (0, 1), {"pre_tokenizer": TRIMMED}, []),  # the first of its two bytes
        ("éé", "Ã", (0, 2), {"pre_tokenizer": TRIMMED}, NOT_THE_TOKEN),
        ("☠a", "Ġa", (0, 2), {"pre_tokenizer": TRIMMED}, BYTE_FOR_SPACE),  # E2 98 A0: the last is that of U+00A0
        ("à  a", "Ġa", (0, 4), {"pre_tokenizer": TRIMMED}, BYTE_FOR_SPACE),
        ("☠a", "Ġb", (0, 2), {"pre_tokenizer": TRIMMED}, NOT_THE_TOKEN),
        ("\x03", "Ġ", (0, 1), {"pre_tokenizer": TRIMMED}, CONTROL_FOR_SPACE),
        ("\n\na", "Ġa", (0, 3), {"pre_tokenizer": TRIMMED}, CONTROL_FOR_SPACE),
        ("<x>", "<X>", (0, 3), {"normalizer": LOWERCASE, "added_tokens": [ADDED]}, []),
        (
            "<x>",
            "<X>",
            (0, 3),
            {"normalizer": LOWERCASE, "added_tokens": [AS_WRITTEN]},
            NOT_THE_TOKEN,
        ),
        ("<y>", "<X>", (0, 3), {"normalizer": LOWERCASE, "added_tokens": [ADDED]}, NOT_THE_TOKEN),
    ],
)
def test_the_slice_is_the_token(text: str, token: str, span: Span, members: dict[str, Any], wrong: list[str]) -> None:
    view = view_of((token,), Asked(str.lower, {" ": ()}), **members)
    assert manners(slice_content(seen_of(text, (token,), (span,)), view)) == wrong


@pytest.mark.parametrize(
    ("text", "span", "wrong"),
    [
        ("xxe\u0301", (2, 3), []),
        ("xxe\u0301", (3, 4), []),  # the accent, with the letter before it
        ("xe\u0301", (0, 1), NOT_THE_TOKEN),
        ("1234", (0, 1), []),  # three characters on either side are asked about, too
        ("1234", (3, 4), []),
        ("x1234x", (3, 4), []),
        ("56789", (0, 1), NOT_THE_TOKEN),
        ("56789", (4, 5), NOT_THE_TOKEN),
    ],
)
def test_a_slice_may_be_normalized_with_what_is_beside_it(text: str, span: Span, wrong: list[str]) -> None:
    composed = Asked(lambda text: re.sub("e\u0301|1234|56789", "é", text))
    view = view_of(("é",), composed, normalizer={"type": "NFC"})
    assert manners(slice_content(seen_of(text, ("é",), (span,)), view)) == wrong


def test_a_token_is_the_one_of_the_vocabulary() -> None:
    """What is shown for an id is believed only where the vocabulary has nothing for it."""
    view, seen = view_of(("ab",)), seen_of("ab", ("ab",), ((0, 2),))
    assert known_tokens(seen, view, 0) == {"ab"}
    assert known_tokens(replace(seen, encoded=Encoded((10,), ("xy",), ((0, 2),))), view, 0) == {"ab"}
    assert known_tokens(replace(seen, encoded=Encoded((99,), ("xy",), ((0, 2),))), view, 0) == {"xy"}
    assert known_tokens(replace(seen, encoded=Encoded((99,), None, ((0, 2),))), view, 0) == set()


def test_without_a_normalizer_to_ask_nothing_is_said() -> None:
    view = view_of(("a",), Asked(shows={}), normalizer=LOWERCASE)
    with pytest.raises(CannotCheckError, match="does not show what its normalizer makes"):
        list(slice_content(seen_of("A", ("a",), ((0, 1),)), view))


@pytest.mark.parametrize(
    ("text", "spans", "ids", "wrong"),
    [
        ("ab", ((0, 1), (1, 2)), {}, []),
        ("axb", ((0, 1), (2, 3)), {}, ["a character in no span"]),
        ("axb", ((0, 1), (2, 3)), {"x": ()}, []),  # alone it gives no token
        ("a b", ((0, 1), (2, 3)), {}, ["white space in no span"]),
        ("axb", ((0, 1), (2, 3)), {"axb": (1, 2), "ab": (1, 2)}, []),  # without it the ids are the same
    ],
)
def test_coverage(text: str, spans: tuple[Span, ...], ids: dict[str, tuple[int, ...]], wrong: list[str]) -> None:
    given = {"axb": (1, 2), "a b": (1, 2), "ab": (3,), **ids}
    model = {"type": "BPE", "vocab": {"a": 10, "b": 11}, "merges": []}
    view = TokenizerView(Asked(ids=given, shows={}), rules_of({"model": model}))  # type: ignore[arg-type]
    assert manners(coverage(seen_of(text, ("a", "b"), spans), view)) == wrong


IJ = Asked(lambda text: text.replace("ĳ", "ij"))
LAST_HAS_IT = "of the tokens of one character, the last alone has it in its span"


@pytest.mark.parametrize(
    ("text", "tokens", "spans", "empty", "content"),
    [
        ("ĳ", ("i", "j"), ((0, 1), (0, 1)), [], []),
        ("ĳ", ("i", "j"), ((0, 0), (0, 1)), [LAST_HAS_IT], []),
        ("aĳ", ("ai", "j"), ((0, 1), (1, 2)), [], [LAST_HAS_IT]),
        ("aĳ", ("aj", "j"), ((0, 1), (1, 2)), [], NOT_THE_TOKEN),
        ("bĳ", ("k", "j"), ((1, 1), (1, 2)), ["an empty span"], []),
    ],
)
def test_the_last_token_alone_may_have_a_character(
    text: str, tokens: tuple[str, ...], spans: tuple[Span, ...], empty: list[str], content: list[str]
) -> None:
    """SentencePiece gives a character that is written as several to the piece that ends it."""
    view = view_of(tokens, IJ, normalizer={"type": "NFKC"})
    seen = seen_of(text, tokens, spans)
    assert manners(not_empty(seen, view)) == empty
    assert manners(slice_content(seen, view)) == content


def test_a_character_may_be_lost_by_a_normalizer_that_is_not_shown() -> None:
    """Whether it is normalized with its neighbours cannot be told then, so it is another manner."""
    view = view_of(("a", "b"), Asked(ids={"axb": (1, 2)}, shows={}), normalizer={"type": "NFC"})
    seen = seen_of("axb", ("a", "b"), ((0, 1), (2, 3)))
    assert manners(coverage(seen, view)) == ["a character in no span, by a normalizer that is not shown"]


REMOVED = Asked(lambda text: text.replace("\x03", ""), {"\x03": (), "\x03ab": (1, 2), "a\x03b": (1, 2)})
NOT_COUNTED = "spans do not count what is taken out at the beginning"


@pytest.mark.parametrize(
    ("text", "spans", "content", "covered"),
    [
        ("\x03ab", ((1, 2), (2, 3)), [], []),
        ("\x03ab", ((0, 1), (1, 2)), [NOT_COUNTED] * 2, [NOT_COUNTED]),
        ("a\x03b", ((0, 1), (1, 2)), NOT_THE_TOKEN, ["a character in no span"]),
    ],
)
def test_what_is_taken_out_at_the_beginning_shifts_spans(
    text: str, spans: tuple[Span, ...], content: list[str], covered: list[str]
) -> None:
    view = view_of(("a", "b"), REMOVED, normalizer={"type": "Precompiled"})
    seen = seen_of(text, ("a", "b"), spans)
    assert manners(slice_content(seen, view)) == content
    assert manners(coverage(seen, view)) == covered


def test_an_unknown_token_is_one_where_it_stands() -> None:
    """A pre-tokenizer may drop the beginning of a text: the slice alone is known then."""
    ids = {"xc": (11,), "a ": (11,), "a x": (11, 10), "a xc": (11, 10), "c": (11,)}
    model = {"type": "WordLevel", "vocab": {"<unk>": 10, "a": 11}, "unk_token": "<unk>"}
    view = TokenizerView(Asked(ids=ids), rules_of({"model": model}))  # type: ignore[arg-type]  # it has what is asked
    unknown = SeenEncoding(
        Encode("a xc", add_special_tokens=False), Encoded((11, 10), ("a", "<unk>"), ((0, 1), (2, 4))), POINTS, (0, 0)
    )
    assert manners(slice_content(unknown, view)) == []
    known = replace(unknown, encoded=replace(unknown.encoded, offsets=((0, 1), (3, 4))))
    assert manners(slice_content(known, view)) == ["an unknown token where the slice is known"]


@pytest.mark.parametrize(
    ("token", "span", "prepends", "wrong"),
    [
        ("▁", (0, 0), "always", []),  # U+200B is taken out, and the space was put before the text
        ("▁", (0, 1), "always", ["a character in no span"]),  # alone it has a token of its own
        ("▁", (0, 0), "never", ["a character in no span"]),
        ("▁x", (0, 0), "always", ["a character in no span"]),
    ],
)
def test_a_space_that_was_put_before_a_text_is_no_token_of_it(
    token: str, span: Span, prepends: str, wrong: list[str]
) -> None:
    pre_tokenizer = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": prepends}
    alone = Asked(encoded={"\u200b": Encoded((10,), offsets=(span,))}, shows={})
    view = view_of((token,), alone, pre_tokenizer=pre_tokenizer)
    assert manners(coverage(seen_of("\u200b", (token,), ((0, 0),)), view)) == wrong


@pytest.mark.parametrize(
    ("spans", "shares"),
    [
        (((0, 1), (0, 2)), 0),  # the space has the span of the first character
        (((0, 2), (0, 2)), 1),  # of more than one
        (((1, 2), (0, 2)), 1),  # of another
    ],
)
def test_a_space_that_was_put_before_shares_the_first_character_alone(spans: tuple[Span, ...], shares: int) -> None:
    tokens = ("▁", "ab")
    metaspace = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
    view = view_of(tokens, pre_tokenizer=metaspace, decoder=metaspace)
    assert len(manners(overlap(seen_of("ab", tokens, spans), view))) == shares
    plain = view_of(("x", "ab"))
    assert len(manners(overlap(seen_of("ab", ("x", "ab"), spans), plain))) == 1


@pytest.mark.parametrize(
    ("content", "normalized", "first", "last", "is_single", "is_part"),
    [
        (b"ab", b"ab", 1, 1, False, True),
        (b"", b"", 0, 0, False, True),
        (b"", b"ab", 1, 1, False, False),
        (b"", b"a", 1, 1, True, True),
        (b"b", b"abc", 2, 2, False, True),  # the end of the first character, and the beginning of the last
        (b"b", b"abc", 1, 2, False, False),
        (b"b", b"abc", 2, 1, False, False),
        (b"a", b"aba", 1, 3, False, True),
        (b"a", b"bab", 1, 3, False, False),
        (b"a", b"bab", 2, 2, False, True),
        (b"a", b"xaxxa", 1, 1, False, False),
        (b"xa", b"xaxxa", 1, 3, False, False),
        (b"xa", b"xaxxa", 4, 1, False, True),  # the second place of it
        (b"b", b"abc", 0, 0, True, True),
        (b"d", b"abc", 9, 9, True, False),
    ],
)
def test_a_token_may_have_a_part_of_the_first_and_of_the_last_character(
    content: bytes, normalized: bytes, first: int, last: int, is_single: bool, is_part: bool
) -> None:
    assert _is_part(content, normalized, first, last, is_single) is is_part


def test_a_token_belongs_to_no_text_where_neither_its_text_nor_the_mask_says_so() -> None:
    encoded = Encoded((1, 2, 3, 4, 5), special_tokens_mask=(1, 0, 0, 1))
    seen = SeenEncoding(Encode("ab"), encoded, POINTS, (0, None))
    assert [seen.is_special(index) for index in range(5)] == [False, True, False, True, False]
    assert not replace(seen, encoded=Encoded((1, 2, 3))).is_special(2)


@pytest.mark.parametrize(
    ("content", "ends"), [(b"", (0, 0)), (b"  ab ", (2, 1)), (b"a b", (0, 0)), (b" a", (1, 0)), (b"   ", (3, 3))]
)
def test_spaces_at_both_ends_are_counted(content: bytes, ends: tuple[int, int]) -> None:
    assert _ends(content) == ends


def test_a_token_without_characters_may_stand_anywhere_where_it_is_white_space() -> None:
    for tokens, spans, wrong in (
        (("x", "y"), ((1, 2), (0, 0)), 1),
        (("x", " "), ((1, 2), (0, 0)), 0),
        (("x", " "), ((1, 2), (0, 1)), 1),
    ):
        assert len(manners(in_order(seen_of("ab", tokens, spans), view_of(tokens)))) == wrong


def test_answers_are_kept_until_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(tokenizer_view, "MOST_KEPT", 1)

    def normalize(text: str) -> str:
        asked.append(text)
        return text

    view = view_of(("x",), Asked(normalize))
    for text in "aabbb":
        assert view.ask(Normalize(text)) == Text(text)
    assert asked == ["a", "b", "b"]
