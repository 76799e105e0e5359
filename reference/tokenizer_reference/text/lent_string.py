"""The text that a function of the user changes in place."""

from __future__ import annotations

from tokenizer_reference.lending import Lent, lent_method
from tokenizer_reference.text.normalized_string import NormalizedString


class NormalizedStringRefMut(Lent[NormalizedString]):
    """A :class:`NormalizedString` as `Normalizer.custom` and :meth:`PreTokenizedString.normalize` lend it.

    It cannot be indexed (:meth:`slice` does the same), and shows nothing of the text when it is printed.

    >>> text = NormalizedString("AB")
    >>> with NormalizedStringRefMut.of(text) as lent:
    ...     lent.lowercase()
    >>> text.normalized
    'ab'
    >>> lent.lowercase()
    Traceback (most recent call last):
    tokenizer_reference.errors.TokenizerReferenceError: Cannot use a NormalizedStringRefMut outside `normalize`
    """

    __slots__ = ()

    _inside = "normalize"

    @property
    def original(self) -> str:
        """The part of the original text that this piece covers."""
        return self._lent().original

    @property
    def normalized(self) -> str:
        """The text as normalized so far."""
        return self._lent().normalized

    append = lent_method(NormalizedString.append)
    clear = lent_method(NormalizedString.clear)
    filter = lent_method(NormalizedString.filter)
    for_each = lent_method(NormalizedString.for_each)
    lowercase = lent_method(NormalizedString.lowercase)
    lstrip = lent_method(NormalizedString.lstrip)
    map = lent_method(NormalizedString.map)
    nfc = lent_method(NormalizedString.nfc)
    nfd = lent_method(NormalizedString.nfd)
    nfkc = lent_method(NormalizedString.nfkc)
    nfkd = lent_method(NormalizedString.nfkd)
    prepend = lent_method(NormalizedString.prepend)
    replace = lent_method(NormalizedString.replace)
    rstrip = lent_method(NormalizedString.rstrip)
    slice = lent_method(NormalizedString.slice)
    split = lent_method(NormalizedString.split)
    strip = lent_method(NormalizedString.strip)
    uppercase = lent_method(NormalizedString.uppercase)
