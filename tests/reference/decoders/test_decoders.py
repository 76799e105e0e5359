"""What each decoder does, on the reference and on the target."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from in_one_test import in_one_test

from tokenizer_reference.decoders import BPEDecoder, ByteFallback, ByteLevel, Metaspace, WordPiece
from tokenizer_reference.text.byte_level import BYTE_TO_CHAR

CASES: list[tuple[str, tuple[Any, ...], list[str], str]] = [
    # decoder, arguments, tokens, text
    ("BPEDecoder", (), ["he", "llo</w>", "you</w>"], "hello you"),
    ("BPEDecoder", (), ["a</w>b", "c</w></w>d</w>"], "a bcd"),
    ("BPEDecoder", ("",), ["abc", "de"], " a b c de"),
    ("BPEDecoder", (), [], ""),
    ("ByteFallback", (), ["<0xC3>", "<0xA9>", "t"], "ét"),
    ("ByteFallback", (), ["<0xc3>", "<0xa9>"], "é"),
    ("ByteFallback", (), ["<0xE2>", "<0x82>", "a"], "\ufffd\ufffda"),
    ("ByteFallback", (), ["<0x41>", "<0xFF>"], "\ufffd\ufffd"),
    ("ByteFallback", (), ["<0x41>", "", "<0xFF>"], "A\ufffd"),
    ("ByteFallback", (), ["<0x+1>", "<0x+F>"], "\x01\x0f"),
    (
        "ByteFallback",
        (),
        ["<0x-1>", "<0xGG>", "<0x4>", "<0x041>", "<0xé>", "<0x٤٤>"],
        "<0x-1><0xGG><0x4><0x041><0xé><0x٤٤>",
    ),
    ("ByteLevel", (), ["Hello", "Ġworld"], "Hello world"),
    ("ByteLevel", (), ["Ã", "©"], "é"),
    ("ByteLevel", (), ["Ãa©"], "\ufffda\ufffd"),
    ("ByteLevel", (), ["â", "Ĥ"], "\ufffd"),
    ("ByteLevel", (), ["ðŁĺ", "Ģð", "Ł"], "😀\ufffd"),
    ("ByteLevel", (), ["京", "Ġ京", "Ġ"], "京Ġ京 "),
    ("ByteLevel", (), ["Ã", "京"], "\ufffd京"),
    ("ByteLevel", (), [" "], " "),
    ("ByteLevel", (), [], ""),
    ("CTC", (), ["h", "h", "<pad>", "h", "i", "|", "|", "a"], "hhi a"),
    ("CTC", (), ["a<pad>b", "<pad>", "<pad>"], "ab"),
    ("CTC", (), ["a", "", "a"], "aa"),
    ("CTC", (), ["do", "|not"], "do not"),
    ("CTC", (), [" do not", " ."], " don't."),
    ("CTC", ("<pad>", "|", False), ["a", "|", " ."], "a| ."),
    ("CTC", ("", "", True), ["ab"], " a b "),
    ("Fuse", (), ["a", "", "b"], "ab"),
    ("Metaspace", (), ["▁Hello", "▁wor", "ld▁"], "Hello world "),
    ("Metaspace", (), ["▁▁a▁b", "▁"], "ab "),
    ("Metaspace", (), ["", "▁a"], " a"),
    ("Metaspace", ("▁", "first"), ["▁a▁"], "a"),
    ("Metaspace", ("▁", "never"), ["▁a▁", "▁b"], " a  b"),
    ("Metaspace", ("_", "always", False), ["_a", "_b▁"], "a b▁"),
    ("Replace", ("_", " "), ["_a_", "b_"], " a b "),
    ("Replace", ("aa", "b"), ["aaa", "a"], "baa"),
    ("Replace", (".", "x"), ["a.b"], "axb"),
    ("Replace", ("", "-"), ["abc", "", "é"], "-a-b-c--é-"),
    ("Replace", ("a", "aa"), ["aaxa"], "aaaaxaa"),
    ("Strip", ("_", 1, 0), ["__a_", "_", "b"], "_a_b"),
    ("Strip", ("_", 0, 2), ["_a___", "b"], "_a_b"),
    ("Strip", ("_", 5, 1), ["___a_", "b"], "ab"),
    ("Strip", ("é", 1, 0), ["ééa"], "éa"),
    ("Strip", (), ["  a  "], "  a  "),
    ("WordPiece", (), ["un", "##believ", "##able", "!"], "unbelievable!"),
    ("WordPiece", (), ["##a", "####b", "c"], "##a##b c"),
    ("WordPiece", (), ["do", "not"], "do not"),
    (
        "WordPiece",
        (),
        ["a", "do not", ".", "?", "!", ",", "n't", "'m", "'s", "'ve", "'re", "' b"],
        "a don't.?!,n't'm's've're'b",
    ),
    ("WordPiece", (), ["a .", "b"], "a. b"),
    ("WordPiece", ("##", False), ["a", ".", "##b"], "a .b"),
    ("WordPiece", ("",), ["a", "b"], "ab"),
]


@in_one_test("name, arguments, tokens, text", CASES)
def test_decode(library: Any, name: str, arguments: tuple[Any, ...], tokens: list[str], text: str) -> None:
    assert getattr(library.decoders, name)(*arguments).decode(tokens) == text


@pytest.mark.parametrize(
    ("pattern", "content", "tokens", "text"),
    [("x*", "-", ["axb", ""], "-a-b-"), ("a+", "", ["aab", "a"], "b"), ("^", ">", ["a", "\na"], ">a>\n>a")],
)
def test_replace_by_a_regular_expression(
    library: Any, pattern: str, content: str, tokens: list[str], text: str
) -> None:
    assert library.decoders.Replace(library.root.Regex(pattern), content).decode(tokens) == text


@pytest.mark.parametrize(
    ("arguments", "token"),
    [(("a", 1, 1), "a"), (("a", 2, 2), "aaa"), (("a", 0, 1), ""), (("a", 0, 2), "a"), (("a", 3, 2), "aaaa")],
)
def test_strip_panics_upstream_where_a_token_is_too_short(library: Any, arguments: Any, token: str) -> None:
    with pytest.raises(library.panic):
        library.decoders.Strip(*arguments).decode(["b", token])


@pytest.mark.parametrize(("arguments", "token"), [(("a", 1, 1), "aa"), (("a", 1, 0), ""), (("a", 0, 1), "a")])
def test_strip_may_leave_nothing(library: Any, arguments: Any, token: str) -> None:
    assert library.decoders.Strip(*arguments).decode([token]) == ""


# Sequences and decoders of one's own ---------------------------------------------------------------------------------


def test_a_sequence_hands_on_strings_one_by_one(library: Any) -> None:
    decoders = library.decoders
    tokens = ["<0xC3>", "<0xA9>", "▁a", "▁b"]
    first = [decoders.Replace("▁", " "), decoders.ByteFallback()]
    assert decoders.Sequence([*first, decoders.Strip(" ", 1, 0)]).decode(tokens) == "éab"
    assert decoders.Sequence([*first, decoders.Fuse(), decoders.Strip(" ", 1, 0)]).decode(tokens) == "é a b"
    assert decoders.Sequence([]).decode(tokens) == "".join(tokens)


def test_a_sequence_has_decoders_of_its_own(library: Any) -> None:
    strip = library.decoders.Strip("a", 1, 0)
    sequence = library.decoders.Sequence([strip])
    strip.content = "b"
    assert sequence.decode(["a", "b"]) == "b"


@pytest.mark.parametrize("decoders", [(), [3]])
def test_a_sequence_is_made_of_a_list_of_decoders(library: Any, decoders: Any) -> None:
    with pytest.raises(TypeError, match="is not an instance of"):
        library.decoders.Sequence(decoders)


class Shout:
    def decode_chain(self, tokens: list[str]) -> list[str]:
        return [f"{token}!" for token in tokens]


def test_a_custom_decoder_decodes_but_is_not_written_and_not_part_of_a_sequence(library: Any) -> None:
    decoder = library.decoders.Decoder.custom(Shout())
    assert decoder.decode(["a", "b"]) == "a!b!"
    with pytest.raises(library.panic):
        library.decoders.Sequence([decoder])
    with pytest.raises(Exception, match="cannot be serialized"):
        decoder._to_json() if library.name == "reference" else decoder.__getstate__()


# Options -------------------------------------------------------------------------------------------------------------

OPTIONS = [
    ("BPEDecoder", {"suffix": "</w>"}),
    ("CTC", {"pad_token": "<pad>", "word_delimiter_token": "|", "cleanup": True}),
    ("Metaspace", {"replacement": "▁", "prepend_scheme": "always", "split": True}),
    ("Strip", {"content": " ", "start": 0, "stop": 0}),
    ("WordPiece", {"prefix": "##", "cleanup": True}),
]


@pytest.mark.parametrize(("name", "options"), OPTIONS)
def test_defaults_of_options(library: Any, name: str, options: dict[str, Any]) -> None:
    decoder = getattr(library.decoders, name)()
    assert {option: getattr(decoder, option) for option in options} == options


@pytest.mark.parametrize(
    ("name", "option", "value", "tokens", "text"),
    [
        ("BPEDecoder", "suffix", "_", ["a_", "b_"], "a b"),
        ("CTC", "pad_token", "a", ["a", "b"], "b"),
        ("CTC", "word_delimiter_token", "a", ["a", "b"], " b"),
        ("CTC", "cleanup", False, ["|"], "|"),
        ("Metaspace", "replacement", "_", ["_a", "_b"], "a b"),
        ("Metaspace", "prepend_scheme", "never", ["▁a"], " a"),
        ("Strip", "content", "a", ["ab"], "ab"),
        ("Strip", "start", 1, [" b"], "b"),
        ("Strip", "stop", 1, ["b "], "b"),
        ("WordPiece", "prefix", "_", ["a", "_b"], "ab"),
        ("WordPiece", "cleanup", False, ["a", "."], "a ."),
    ],
)
def test_options_can_be_set(library: Any, name: str, option: str, value: Any, tokens: list[str], text: str) -> None:
    decoder = getattr(library.decoders, name)()
    setattr(decoder, option, value)
    assert getattr(decoder, option) == value
    assert decoder.decode(tokens) == text


@pytest.mark.parametrize(
    ("name", "option", "value", "error"),
    [
        ("Metaspace", "replacement", "ab", ValueError),
        ("Metaspace", "replacement", "", ValueError),
        ("Metaspace", "prepend_scheme", "Always", ValueError),
        ("Strip", "content", "ab", ValueError),
        ("Strip", "start", -1, OverflowError),
        ("Strip", "stop", -1, OverflowError),
    ],
)
def test_options_are_checked(library: Any, name: str, option: str, value: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        setattr(getattr(library.decoders, name)(), option, value)


@pytest.mark.parametrize("tokens", [("a", "b"), ["a", "b"]])
def test_any_sequence_of_tokens_is_taken(library: Any, tokens: Any) -> None:
    assert library.decoders.Fuse().decode(tokens) == "ab"


def test_a_text_is_not_taken_for_tokens(library: Any) -> None:
    with pytest.raises(TypeError, match=r"`str` to `Vec`|expected a sequence, got a str"):
        library.decoders.Fuse().decode("ab")


# Laws ----------------------------------------------------------------------------------------------------------------


@given(st.text(), st.integers(1, 5))
def test_byte_level_tokens_of_a_text_give_it_back(text: str, size: int) -> None:
    alphabet = "".join(BYTE_TO_CHAR[byte] for byte in text.encode())
    tokens = [alphabet[start : start + size] for start in range(0, len(alphabet), size)]
    assert ByteLevel().decode(tokens) == text


@given(st.text())
def test_byte_tokens_of_a_text_give_it_back(text: str) -> None:
    assert ByteFallback().decode([f"<0x{byte:02X}>" for byte in text.encode()]) == text


words = st.lists(st.text(alphabet="abé", min_size=1, max_size=5), min_size=1, max_size=5)


@given(words, st.integers(1, 3))
def test_words_come_back_from_their_pieces(words: list[str], size: int) -> None:
    pieces = [[word[start : start + size] for start in range(0, len(word), size)] for word in words]
    word_piece = [token for first, *others in pieces for token in (first, *(f"##{piece}" for piece in others))]
    metaspace = [token for first, *others in pieces for token in (f"▁{first}", *others)]
    bpe = [token for *others, last in pieces for token in (*others, f"{last}</w>")]
    decoded = {WordPiece().decode(word_piece), Metaspace().decode(metaspace), BPEDecoder().decode(bpe)}
    assert decoded == {" ".join(words)}
