"""NFC, NFD, NFKC and NFKD: the normalization forms of UAX #15, with the data of Unicode 9.0."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_reference.normalizers.base import NORMALIZER, Normalizer
from tokenizer_reference.normalizers.locality import Locality
from tokenizer_reference.text.normalization import Form, normalize, stands_alone

if TYPE_CHECKING:
    from tokenizer_reference.text.normalized_string import NormalizedString


def _locality(form: Form) -> Locality:
    return Locality(lambda char: normalize(char, form) if stands_alone(char, form) else None)


@NORMALIZER.component()
class NFC(Normalizer):
    r"""Canonical composition.

    >>> NFC().normalize_str("e\u0301")
    'é'
    """

    def _normalize(self, normalized: NormalizedString) -> None:
        normalized.nfc()

    def _locality(self) -> Locality:
        return _locality("NFC")


@NORMALIZER.component()
class NFD(Normalizer):
    r"""Canonical decomposition.

    >>> NFD().normalize_str("é") == "e\u0301"
    True
    """

    def _normalize(self, normalized: NormalizedString) -> None:
        normalized.nfd()

    def _locality(self) -> Locality:
        return _locality("NFD")


@NORMALIZER.component()
class NFKC(Normalizer):
    r"""Compatibility decomposition, then canonical composition.

    >>> NFKC().normalize_str("ﬁe\u0301")
    'fié'
    """

    def _normalize(self, normalized: NormalizedString) -> None:
        normalized.nfkc()

    def _locality(self) -> Locality:
        return _locality("NFKC")


@NORMALIZER.component()
class NFKD(Normalizer):
    r"""Compatibility decomposition.

    >>> NFKD().normalize_str("ﬁé") == "fie\u0301"
    True
    """

    def _normalize(self, normalized: NormalizedString) -> None:
        normalized.nfkd()

    def _locality(self) -> Locality:
        return _locality("NFKD")


NORMALIZERS: dict[str, type[Normalizer]] = {"nfc": NFC, "nfd": NFD, "nfkc": NFKC, "nfkd": NFKD}


def unicode_normalizer_from_str(normalizer: str) -> Normalizer:
    """Return the normalizer named ``nfc``, ``nfd``, ``nfkc`` or ``nfkd``.

    Raises :class:`ValueError` for another name.
    """
    if normalizer not in NORMALIZERS:
        raise ValueError(f"{normalizer} is not a known unicode normalizer. Available are {NORMALIZERS.keys()}")
    return NORMALIZERS[normalizer]()
