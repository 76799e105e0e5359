"""The splits that a function of the user cuts in place."""

from __future__ import annotations

from tokenizer_reference.lending import Lent, lent_method
from tokenizer_reference.values.pre_tokenized_string import PreTokenizedString


class PreTokenizedStringRefMut(Lent[PreTokenizedString]):
    """A :class:`PreTokenizedString` as `PreTokenizer.custom` lends it.

    It is of another class: no other pre-tokenizer takes it (observed, tokenizers 0.23.3).
    """

    __slots__ = ()

    _inside = "pre_tokenize"

    get_splits = lent_method(PreTokenizedString.get_splits)
    normalize = lent_method(PreTokenizedString.normalize)
    split = lent_method(PreTokenizedString.split)
    to_encoding = lent_method(PreTokenizedString.to_encoding)
    tokenize = lent_method(PreTokenizedString.tokenize)
