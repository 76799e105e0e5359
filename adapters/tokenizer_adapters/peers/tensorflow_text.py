"""The adapters of TensorFlow Text: one for its first tokenizers, one for those that it calls fast.

``BertTokenizer`` and ``FastBertTokenizer`` are given the vocabulary and the options of a WordPiece ``tokenizer.json``;
for another one ``SentencepieceTokenizer`` and ``FastSentencepieceTokenizer`` are given the SentencePiece model beside
it, and ids are put back piece by piece. ``combine_segments`` puts the special tokens of BERT's template around texts,
``concatenate_segments`` puts none; where a template has others, SentencePiece's own bos and eos may be those.

Each question is a TensorFlow graph, which the first text builds: a text that is asked operation by operation takes
twenty times as long. Offsets are shown as they come, for the base class of these tokenizers (``TokenizerWithOffsets``)
says that they are byte offsets of the input.
"""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Encoded, Field, OffsetUnit, Stage, Text, Unsupported
from tokenizer_adapters.documents import is_byte_level, model_kind, special_ids
from tokenizer_adapters.peers.files import document_of, sentencepiece_model
from tokenizer_adapters.peers.model_files import (
    OTHER_TEMPLATE,
    bert_ends_of,
    ends_of,
    piece_ids,
    shown_tokens,
)
from tokenizer_adapters.peers.package import IDS_AND_TEXT, ONLY_KEEPING, Calls, Package, PeerImplementation
from tokenizer_adapters.pipeline import UnfitTokenizerError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType

    from tokenizer_adapters.contract import TokenizerSource
    from tokenizer_adapters.peers.model_files import Shown

    Encode = Callable[[Sequence[str]], list[Encoded]]
    Tokenize = Callable[[Any], tuple[Any, ...]]
    """Takes a tensor of texts; gives ids and, if need be, starts, ends and tokens: ragged tensors of a row a text."""

CONTROL_IS_EMPTY = "decodes control symbols into nothing, whatever it is asked"
OTHER_PAIRS = "joins two texts as BERT's template does, and this tokenizer's template joins them otherwise"
READS = "it reads WordPiece vocabularies and SentencePiece models"

SETTINGS = {"TF_CPP_MIN_LOG_LEVEL": "3", "TF_NUM_INTRAOP_THREADS": "1", "TF_NUM_INTEROP_THREADS": "1"}
"""Variables that TensorFlow reads as it starts: it is to say little, and to take no memory for each further core."""

BASIC = "tensorflow_text.python.ops.bert_tokenizer"
"""The module of ``AccentPreservingBasicTokenizer``, which ``tensorflow_text`` does not hand on."""

PLACED = frozenset({Field.IDS, Field.TOKENS, Field.OFFSETS})
JOINED = frozenset({Field.IDS, Field.TYPE_IDS})


class TensorFlowText(PeerImplementation):
    """TensorFlow Text, through ``BertTokenizer`` and ``SentencepieceTokenizer``."""

    package = Package(
        name="tensorflow-text",
        distribution="tensorflow-text",
        module="tensorflow_text",
        language="C++",
        home_page="https://github.com/tensorflow/text",
        stages=frozenset({Stage.MODEL, Stage.POST_PROCESS, Stage.DECODE}),
        fields=IDS_AND_TEXT | PLACED | JOINED,
        offset_unit=OffsetUnit.UTF8_BYTES,
    )

    def module(self) -> ModuleType:
        """Import and return TensorFlow Text, with :data:`SETTINGS`."""
        os.environ.update(SETTINGS)
        return super().module()

    def calls(self, module: Any, source: TokenizerSource) -> Calls:
        """Give what is in ``source`` to the tokenizer of its kind."""
        document = document_of(source)
        if model_kind(document) == "WordPiece":
            return self.wordpiece(module, source, document)
        if is_byte_level(document):
            raise UnfitTokenizerError(f"{READS}; this tokenizer.json has a byte-level BPE")
        return self.sentencepiece(module, sentencepiece_model(source), document)

    def wordpiece(self, module: Any, source: TokenizerSource, document: dict[str, Any]) -> Calls:
        """Return the calls of ``BertTokenizer`` with the vocabulary and the options of ``document``."""
        tf = _tensorflow()
        vocab = document["model"]["vocab"]
        table = tf.lookup.StaticVocabularyTable(
            tf.lookup.KeyValueTensorInitializer(list(vocab), list(vocab.values()), tf.string, tf.int64), 1
        )
        lowers, strips = case_and_accents(document)
        options = word_options(document) | {"lower_case": lowers}
        if lowers and not strips:
            options["basic_tokenizer_class"] = importlib.import_module(BASIC).AccentPreservingBasicTokenizer
        tokenizer, named = (
            module.BertTokenizer(table, token_out_type=kind, **options) for kind in (tf.int64, tf.string)
        )
        words = tf.function(tokenizer.detokenize, input_signature=[tf.TensorSpec([1, None], tf.int64)])

        def decode(ids: list[int]) -> Text:
            found = words(tf.constant([ids], tf.int64)).flat_values.numpy()
            return Text(b" ".join(found).decode())

        return Calls(
            files=(source.file,),
            decode=ONLY_KEEPING,
            decode_special=decode,
            **_encoding(module, document, encoder(placed(tokenizer, named)), OTHER_TEMPLATE),
        )

    def sentencepiece(self, module: Any, file: str, document: dict[str, Any]) -> Calls:
        """Return the calls of ``SentencepieceTokenizer`` with the model in ``file``."""
        tf = _tensorflow()
        model = Path(file).read_bytes()
        pieces, unknown = pieces_of(module, model)
        ids = piece_ids(document, pieces, unknown)
        shown = shown_tokens(pieces, unknown, document)

        def encode(**ends: bool) -> Encode:
            tokenizer, named = (module.SentencepieceTokenizer(model, kind, **ends) for kind in (tf.int32, tf.string))
            return encoder(placed(tokenizer, named), ids.of_file, shown)

        return Calls(
            files=(file,),
            decode=ids.decoded(
                self.package.name, detokenizer(module.SentencepieceTokenizer(model)), special_ids(document)
            ),
            decode_special=CONTROL_IS_EMPTY,
            vocabulary=lambda: dict(zip(pieces, ids.ids, strict=True)),
            **_encoding(module, document, encode(), _with_ends(encode, document)),
        )


class TensorFlowTextFast(TensorFlowText):
    """TensorFlow Text, through ``FastBertTokenizer`` and ``FastSentencepieceTokenizer``, which gives ids alone."""

    package = Package(
        name="tensorflow-text-fast",
        distribution="tensorflow-text",
        module="tensorflow_text",
        language="C++",
        home_page="https://github.com/tensorflow/text",
        stages=frozenset({Stage.MODEL, Stage.POST_PROCESS, Stage.DECODE}),
        fields=IDS_AND_TEXT | PLACED | JOINED,
        offset_unit=OffsetUnit.UTF8_BYTES,
    )

    def wordpiece(self, module: Any, source: TokenizerSource, document: dict[str, Any]) -> Calls:
        """Return the calls of ``FastBertTokenizer`` with the vocabulary and the options of ``document``."""
        tf = _tensorflow()
        lowers, strips = case_and_accents(document)
        if lowers != strips:
            raise UnfitTokenizerError("it lowers the case and strips accents, or neither; this tokenizer.json does one")
        vocab = listed(document["model"]["vocab"])
        options = word_options(document) | {"lower_case_nfd_strip_accents": lowers, "support_detokenization": True}
        tokenizer, named = (
            module.FastBertTokenizer(vocab, token_out_type=kind, **options) for kind in (tf.int64, tf.string)
        )
        decode = detokenizer(tokenizer)

        def decode_known(ids: list[int]) -> Text | Unsupported:
            if beyond := [id_ for id_ in ids if id_ >= len(vocab)]:  # 2.21.1 reads what lies behind its list
                return Unsupported(f"{self.package.name} has no token for the id {beyond[0]} in what it reads")
            return Text(decode(ids))

        return Calls(
            files=(source.file,),
            decode=ONLY_KEEPING,
            decode_special=decode_known,
            **_encoding(module, document, encoder(placed(tokenizer, named)), OTHER_TEMPLATE),
        )

    def sentencepiece(self, module: Any, file: str, document: dict[str, Any]) -> Calls:
        """Return the calls of ``FastSentencepieceTokenizer`` with the model in ``file``."""
        model = Path(file).read_bytes()
        ids = piece_ids(document, *pieces_of(module, model))

        def encode(**ends: bool) -> Encode:
            tokenizer = module.FastSentencepieceTokenizer(model, **ends)
            return encoder(lambda texts: (tokenizer.tokenize(texts),), ids.of_file)

        return Calls(
            files=(file,),
            decode=ids.decoded(
                self.package.name, detokenizer(module.FastSentencepieceTokenizer(model)), special_ids(document)
            ),
            decode_special=CONTROL_IS_EMPTY,
            **_encoding(module, document, encode(), _with_ends(encode, document)) | {"fields": IDS_AND_TEXT},
        )


# What a tokenizer.json says of its words ------------------------------------------------------------------------------


def case_and_accents(document: dict[str, Any]) -> tuple[bool, bool]:
    """Return whether ``document``, a parsed ``tokenizer.json``, lowers the case, and whether it strips accents.

    Raises :class:`UnfitTokenizerError` where it does not clean, normalize and split as BERT does, or where it strips
    accents and keeps the case, for which these tokenizers have no option.
    """
    match document.get("normalizer"), document.get("pre_tokenizer"):
        case (
            {
                "type": "BertNormalizer",
                "clean_text": True,
                "handle_chinese_chars": True,
                "lowercase": bool(lowers),
                "strip_accents": bool() | None as strips,
            },
            {"type": "BertPreTokenizer"},
        ):
            if strips and not lowers:
                raise UnfitTokenizerError(
                    "it strips accents only where it lowers the case; this tokenizer.json does not"
                )
            return lowers, lowers if strips is None else strips
    raise UnfitTokenizerError(
        "it cleans, normalizes and splits as BERT does, with Chinese characters apart; this tokenizer.json does not"
    )


def word_options(document: dict[str, Any]) -> dict[str, Any]:
    """Return the options for the model of ``document``, a parsed ``tokenizer.json``.

    The longest word that is looked up is counted in bytes by these tokenizers, in characters by the file.
    """
    model = document["model"]
    return {
        "suffix_indicator": model["continuing_subword_prefix"],
        "max_bytes_per_word": model["max_input_chars_per_word"],
        "unknown_token": model["unk_token"],
    }


def listed(vocab: dict[str, int]) -> list[str]:
    """Return the tokens of ``vocab`` in the order of their ids. Raises :class:`UnfitTokenizerError` where one lacks."""
    tokens = sorted(vocab, key=vocab.__getitem__)
    if [vocab[token] for token in tokens] != list(range(len(tokens))):
        raise UnfitTokenizerError("it takes a list of tokens, and the ids of this vocabulary do not follow one another")
    return tokens


# Asking ---------------------------------------------------------------------------------------------------------------


def placed(tokenizer: Any, named: Any) -> Tokenize:
    """Return how ``tokenizer`` gives ids with their places, and ``named``, the same with strings, the tokens."""
    return lambda texts: (*tokenizer.tokenize_with_offsets(texts), named.tokenize(texts))


def encoder(
    tokenize: Tokenize,
    of_file: Callable[[Sequence[int]], tuple[int, ...]] = tuple,
    shown: Shown = lambda _, tokens: tuple(tokens),
) -> Encode:
    """Return ``tokenize`` as a call that takes texts; ``of_file`` puts ids back, ``shown`` gives tokens their looks."""
    tf = _tensorflow()

    def flat(texts: Any) -> list[Any]:  # where words are a dimension of their own
        return [rows.merge_dims(1, 2) if rows.shape.rank > 2 else rows for rows in tokenize(texts)]

    graph = tf.function(flat, input_signature=[tf.TensorSpec([None], tf.string)])

    def encoded(ids: list[int], *places: list[Any]) -> Encoded:
        if not places:
            return Encoded(ids=of_file(ids))
        starts, ends, tokens = places
        return Encoded(
            ids=of_file(ids),
            tokens=shown(ids, [token.decode() for token in tokens]),
            offsets=tuple(zip(starts, ends, strict=True)),
        )

    def encode(texts: Sequence[str]) -> list[Encoded]:
        columns = graph(tf.constant([text.encode() for text in texts], tf.string))
        return [encoded(*row) for row in zip(*(rows.to_list() for rows in columns), strict=True)]

    return encode


def joiner(join: Callable[[list[Any]], tuple[Any, Any]], count: int) -> Callable[..., list[Encoded]]:
    """Return ``join``, which gives ids and types, as a call that takes ``count`` lists of encoded texts."""
    tf = _tensorflow()
    rows = tf.RaggedTensorSpec([None, None], tf.int64)
    graph = tf.function(lambda *segments: join(list(segments)), input_signature=[rows] * count)

    def joined(*segments: list[Encoded]) -> list[Encoded]:
        ids, types = graph(
            *(tf.ragged.constant([list(each.ids) for each in segment], tf.int64, ragged_rank=1) for segment in segments)
        )
        pairs = zip(ids.to_list(), types.to_list(), strict=True)
        return [Encoded(ids=tuple(row), type_ids=tuple(of)) for row, of in pairs]

    return joined


def detokenizer(tokenizer: Any) -> Callable[[list[int]], str]:
    """Return how ``tokenizer`` gives the text of ids."""
    tf = _tensorflow()
    graph = tf.function(tokenizer.detokenize, input_signature=[tf.TensorSpec([1, None], tf.int32)])

    def decode(ids: list[int]) -> str:
        (text,) = graph(tf.constant([ids], tf.int32)).numpy()
        return bytes(text).decode()

    return decode


def pieces_of(module: Any, model: bytes) -> tuple[list[str], int]:
    """Return the pieces of a SentencePiece ``model``, and the id of the unknown one."""
    tokenizer = module.SentencepieceTokenizer(model)
    pieces = tokenizer.id_to_string(_tensorflow().range(tokenizer.vocab_size())).numpy()
    return [piece.decode() for piece in pieces], int(tokenizer.string_to_id(""))


def _with_ends(encode: Callable[..., Encode], document: dict[str, Any]) -> Encode | str:
    """Return how a SentencePiece tokenizer encodes with the special tokens of ``document``, or why it cannot.

    It does not name its bos and its eos: what it makes of the empty text tells them.
    """
    ends = ends_of(document)
    if ends is None:
        return OTHER_TEMPLATE
    special = encode(add_bos=ends.before is not None, add_eos=ends.after is not None)
    try:
        (found,) = special([""])
    except _tensorflow().errors.OpError:  # its model has none
        return OTHER_TEMPLATE
    wanted = tuple(id_ for id_ in (ends.before, ends.after) if id_ is not None)
    return special if found.ids == wanted else OTHER_TEMPLATE


def _encoding(module: Any, document: dict[str, Any], encode: Encode, with_ends: Encode | str) -> dict[str, Any]:
    """Return the calls that encode: with the special tokens of BERT's template, of another one by ``with_ends``."""
    ends = bert_ends_of(document)
    special, pair = (with_ends, OTHER_PAIRS) if ends is None else _as_bert(module, encode, *ends)
    return {
        "encode": lambda text: encode([text])[0],
        "encode_special": special if isinstance(special, str) else lambda text: special([text])[0],
        "encode_pair": pair,
        "encode_batch": special if isinstance(special, str) else lambda texts, add: (special if add else encode)(texts),
        "fields": IDS_AND_TEXT | PLACED,
        "pair_fields": JOINED,
    }


def _as_bert(module: Any, encode: Encode, start: int, end: int) -> tuple[Encode, Callable[[str, str, bool], Encoded]]:
    """Return the calls that put BERT's template around texts, and around pairs of them."""
    one, two = (joiner(lambda ids: module.combine_segments(ids, start, end), count) for count in (1, 2))
    bare = joiner(module.concatenate_segments, 2)

    def pair(text: str, other: str, add_special_tokens: bool) -> Encoded:
        (found,) = (two if add_special_tokens else bare)(encode([text]), encode([other]))
        return found

    return lambda texts: one(encode(texts)), pair


def _tensorflow() -> Any:
    return importlib.import_module("tensorflow")
