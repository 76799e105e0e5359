"""What programs are written of: classes with their arguments, options with values (some of them bad), texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PARTS: Final = {
    "normalizer": "normalizers",
    "pre_tokenizer": "pre_tokenizers",
    "post_processor": "processors",
    "decoder": "decoders",
    "model": "models",
}
"""The members of a tokenizer, with the modules of their classes. The last two make no sequence with places."""

OTHERS: Final = ("tokenizer", "trainer", "encoding", "added_token", "text", "cut_text", "stream")
"""What else a name can stand for."""

PLACED: Final = ("normalizer", "pre_tokenizer", "post_processor")
"""The sorts of components that have a Sequence with places."""

TEXTS: Final = (
    "", "a", "A b", "ab AB c!", "B", "hello world", "x,y b", "[X] a<s>b", "é e\u0301", "abc abc abc", "_a _", "  a  b ", "ab" * 9,
    "a.b-c 12", "京 ▁ a", "[X][X]", "Q q\nq",
)  # fmt: skip

CONTENTS: Final = ("a", "A", "b", "B", "[X]", "[x]", "<s>", "ab", "é", " c", "", "Q", "q", "abc", "12", "_", "hello")

CORPORA: Final = (
    ("abc abc", "ab c"), ("hello world hello",), ("ab",), ("a b", "B A", "é"), (), ("",), ("[X] ab [X]", "x,y", "12 12 21"),
    ("hello hello", "hell help held", "helper"),
)  # fmt: skip

ONE_CHARACTER: Final = (("aaa", "a"), ("aa", "aaaa"), ("a",), ())
"""Corpora with nothing to draw among."""

PLAIN: Final[Mapping[str, Sequence[str]]] = {
    "normalizer": (
        "NFC()", "NFKC()", "NFD()", "Lowercase()", "Lowercase()", "StripAccents()", "Strip()", "Strip(left=False)", "Prepend('_')",
        "Prepend('b')", "Replace('a', 'b')", "Replace(Regex('b+'), 'B')", "Replace('b', '')", "BertNormalizer()",
        "BertNormalizer(lowercase=False)", "Nmt()", "ByteLevel()", "Normalizer.custom(Lower())", "Normalizer.custom(Half())",
        "Normalizer.custom(Nothing())",
    ),
    "pre_tokenizer": (
        "Whitespace()", "WhitespaceSplit()", "ByteLevel()", "ByteLevel(add_prefix_space=False)", "Metaspace()",
        "Metaspace('_', 'first')", "Digits(True)", "Punctuation()", "Split(',', 'isolated')", "Split(Regex('[ab]'), 'removed')",
        "CharDelimiterSplit('b')", "BertPreTokenizer()", "UnicodeScripts()", "FixedLength(2)", "FixedLength(0)",
        "PreTokenizer.custom(Lower())", "PreTokenizer.custom(Half())", "PreTokenizer.custom(Nothing())",
    ),
    "post_processor": (
        "BertProcessing(('[X]', 9), ('<s>', 8))", "RobertaProcessing(('a', 1), ('b', 2))", "ByteLevel()",
        "ByteLevel(trim_offsets=False)", "RobertaProcessing(('a', 1), ('b', 2), False, False)",
        "TemplateProcessing('<s> $A', '<s> $A $B:1 [X]:1', [('<s>', 1), ('[X]', 2)])",
        "TemplateProcessing(single='$A [X]', special_tokens=[('[X]', 3)])",
    ),
    "decoder": (
        "ByteLevel()", "WordPiece()", "WordPiece('', False)", "Metaspace()", "BPEDecoder()", "CTC('a')", "Fuse()", "ByteFallback()",
        "Replace('a', 'b')", "Strip('a', 1, 1)", "Decoder.custom(Lower())", "Decoder.custom(Half())", "Decoder.custom(Nothing())",
    ),
    "model": (
        "BPE()", "BPE({'a': 0, 'b': 1, 'ab': 2, 'c': 3}, [('a', 'b')])", "BPE({'a': 0, 'b': 1, 'ab': 2, '?': 3}, [('a', 'b')], unk_token='?')",
        "WordLevel()", "WordLevel({'?': 0, 'a': 1, 'ab': 2, 'hello': 3}, '?')", "WordLevel({'a': 0, 'A': 5}, 'a')", "WordPiece()",
        "WordPiece({'[UNK]': 0, 'a': 1, '##b': 2, 'hel': 3, '##lo': 4})", "Unigram()",
        "Unigram([('?', 0.0), ('a', -1.0), ('b', -2.0), ('ab', -1.5)], 0)", "Unigram([('a', -1.0), ('b', -2.0)])",
    ),
}  # fmt: skip

NESTED: Final = {
    "normalizer": {
        "type": "Sequence",
        "normalizers": [
            {"type": "Sequence", "normalizers": [{"type": "Lowercase"}, {"type": "Prepend", "prepend": "b"}]},
            {"type": "Prepend", "prepend": "A"},
        ],
    },
    "pre_tokenizer": {
        "type": "Sequence",
        "pretokenizers": [
            {"type": "Sequence", "pretokenizers": [{"type": "Digits", "individual_digits": True}]},
            {"type": "Whitespace"},
        ],
    },
    "post_processor": {
        "type": "Sequence",
        "processors": [
            {"type": "Sequence", "processors": []},
            {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
        ],
    },
}
"""Sequences inside sequences, which only a file has."""

OPTIONS: Final[Mapping[str, Mapping[str, Sequence[str]]]] = {
    "normalizers.Prepend": {"prepend": ("'x'", "'B'", "''", "3")},
    "normalizers.Strip": {"left": ("True", "False"), "right": ("True", "False", "None")},
    "normalizers.Replace": {"content": ("'x'", "'B'", "''", "None")},
    "normalizers.BertNormalizer": {"lowercase": ("True", "False"), "strip_accents": ("None", "True", "'a'")},
    "pre_tokenizers.ByteLevel": {"add_prefix_space": ("True", "False", "1"), "use_regex": ("True", "False")},
    "pre_tokenizers.Metaspace": {
        "replacement": ("'_'", "'b'", "'ab'"),
        "prepend_scheme": ("'never'", "'first'", "'no'"),
        "split": ("True", "False"),
    },
    "pre_tokenizers.Digits": {"individual_digits": ("True", "False", "0")},
    "pre_tokenizers.Punctuation": {"behavior": ("'removed'", "'contiguous'", "'no'")},
    "pre_tokenizers.CharDelimiterSplit": {"delimiter": ("'a'", "' '", "''")},
    "processors.ByteLevel": {"trim_offsets": ("True", "False"), "add_prefix_space": ("True", "False", "None")},
    "processors.RobertaProcessing": {"trim_offsets": ("True", "False"), "sep": ("('a', 7)", "'a'")},
    "processors.BertProcessing": {"sep": ("('a', 7)", "None"), "cls": ("('b', 4)",)},
    "processors.TemplateProcessing": {"single": ("'$A'", "'[X] $A [X]'", "'$'", "'[none] $A'")},
    "decoders.ByteLevel": {},
    "decoders.WordPiece": {"prefix": ("'b'", "''", "1"), "cleanup": ("True", "False")},
    "decoders.Metaspace": {"replacement": ("'_'", "'ab'"), "split": ("True", "False")},
    "decoders.BPEDecoder": {"suffix": ("'b'", "''", "None")},
    "decoders.CTC": {"pad_token": ("'b'", "''"), "cleanup": ("True", "False")},
    "decoders.Strip": {"content": ("'b'", "'ab'"), "start": ("0", "2", "-1"), "stop": ("0", "2")},
    "models.BPE": {
        "dropout": ("None", "0.0", "1.0", "2.0", "'a'"),
        "unk_token": ("None", "'a'", "'?'"),
        "fuse_unk": ("True", "False"),
        "byte_fallback": ("True", "False"),
        "ignore_merges": ("True", "False"),
        "continuing_subword_prefix": ("None", "'##'"),
        "end_of_word_suffix": ("None", "'b'"),
    },
    "models.WordPiece": {
        "unk_token": ("'a'", "'?'", "None"),
        "continuing_subword_prefix": ("'##'", "''"),
        "max_input_chars_per_word": ("2", "100", "-1"),
    },
    "models.WordLevel": {"unk_token": ("'a'", "'?'", "1")},
}
"""The options of components, with values, some of them bad."""

TRUNCATION: Final = {
    "stride": (0, 1, 2, 5),
    "strategy": ("longest_first", "only_first", "only_second"),
    "direction": ("left", "right"),
}
PADDING: Final = {
    "length": (None, 0, 3, 6),
    "direction": ("left", "right"),
    "pad_id": (0, 7),
    "pad_token": ("[PAD]", ""),
    "pad_to_multiple_of": (None, 0, 2, 4),
}
"""Options of truncation and padding."""

TRAINERS: Final = (
    "BpeTrainer(vocab_size=20, show_progress=False)", "BpeTrainer(show_progress=False, special_tokens=['[X]', 'a'])",
    "BpeTrainer(vocab_size=12, show_progress=False, special_tokens=[AddedToken('Q', normalized=True)], min_frequency=2)",
    "WordPieceTrainer(vocab_size=20, show_progress=False)", "WordPieceTrainer(show_progress=False, special_tokens=['[UNK]', '<s>'])",
    "WordLevelTrainer(show_progress=False, special_tokens=['?'])", "WordLevelTrainer(vocab_size=3, show_progress=False)",
    "UnigramTrainer(vocab_size=12, show_progress=False)", "UnigramTrainer(show_progress=False, special_tokens=['?'], unk_token='?')",
)  # fmt: skip

LOOKS: Final = (
    "repr({})", "{}.to_str()", "{}.to_str(pretty=True)", "{}.get_vocab()", "{}.get_vocab(with_added_tokens=False)",
    "{}.get_vocab_size()", "[{0}.id_to_token(id) for id in range(25)]", "{}.get_added_tokens_decoder()", "{}.token_to_id(3)",
    "[{0}.truncation, {0}.padding, {0}.encode_special_tokens]", "{}.num_special_tokens_to_add(True)",
)  # fmt: skip
"""What shows a tokenizer."""

GIVEN: Final = (
    ("model", "WordLevel(given, '?')", "{'?': 0, 'a': 1}"),
    ("model", "WordPiece(given, unk_token='?')", "{'?': 0, 'a': 1, '##b': 2}"),
    ("model", "BPE(given, [('a', 'b')])", "{'a': 0, 'b': 1, 'ab': 2}"),
    ("model", "BPE({'a': 0, 'b': 1, 'ab': 2}, given)", "[('a', 'b')]"),
    ("model", "Unigram(given, 0)", "[('?', 0.0), ('a', -1.0)]"),
    ("normalizer", "Sequence(given)", "[normalizers.NFC(), normalizers.Prepend('_')]"),
    ("pre_tokenizer", "Sequence(given)", "[pre_tokenizers.Whitespace(), pre_tokenizers.Digits()]"),
    ("post_processor", "Sequence(given)", "[processors.ByteLevel()]"),
    ("post_processor", "TemplateProcessing('<s> $A', None, given)", "[('<s>', 1)]"),
    ("post_processor", "TemplateProcessing(given, None, [('<s>', 1)])", "['<s>', '$A']"),
    ("decoder", "Sequence(given)", "[decoders.Fuse(), decoders.Strip('a', 1, 0)]"),
    ("trainer", "BpeTrainer(special_tokens=given, show_progress=False)", "['[X]', AddedToken('Q')]"),
    ("trainer", "WordLevelTrainer(special_tokens=given, show_progress=False)", "['?']"),
    ("trainer", "BpeTrainer(initial_alphabet=given, show_progress=False)", "['x']"),
)
"""What is made of a collection, which is emptied then: the sort, the class with its arguments, the collection."""

TAKEN: Final = {
    "tokenizer": ("get_vocab()", "get_added_tokens_decoder()", "padding", "truncation"),
    "trainer": ("special_tokens", "initial_alphabet"),
    "encoding": ("ids", "tokens", "offsets", "overflowing"),
}
"""Collections that are copies: who has got one may change it."""
