"""The maps of SentencePiece's rules, and the model file that has one: read back by others than wrote it."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

import pytest

from tokenizer_adapters import load_implementation
from tokenizer_conformance.inputs.random_tokenizers.charsmaps import charsmap
from tokenizer_conformance.research.unicode_audit.asking import Asking
from tokenizer_conformance.research.unicode_audit.behaviours import PROBES
from tokenizer_conformance.research.unicode_audit.documents import RULES, CannotAskError, charsmap_of, model_file
from tokenizer_conformance.research.unicode_audit.looking import look
from tokenizer_conformance.research.unicode_audit.sightings import MappingSeen
from tokenizer_reference.formats import PieceType, read_sentencepiece_model

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizer_conformance.research.unicode_audit.behaviours import Probe


def probe_of(name: str) -> Probe:
    return next(probe for probe in PROBES if probe.behaviours[0].name == name)


def test_the_model_file_is_read_by_the_reference(tmp_path: Path) -> None:
    made = model_file(b"\0\1map")
    (tmp_path / made.name).write_bytes(made.content)
    model = read_sentencepiece_model(tmp_path / made.name)
    assert [(piece.piece, piece.type) for piece in model.pieces] == [("?", PieceType.UNKNOWN), ("a", PieceType.NORMAL)]
    assert model.normalizer_spec.precompiled_charsmap == b"\0\1map"
    trainer = model.trainer_spec
    assert (trainer.unk_id, trainer.bos_id, trainer.eos_id, trainer.pad_id) == (0, -1, -1, -1)


def test_the_model_file_is_what_sentencepiece_model_proto_says() -> None:
    """Fields by their numbers: all are written, also those that have the value of a file that lacks them."""
    minus_one = bytes(9 * [0xFF] + [1])  # as 64 bits
    unknown = b"\x0a\x01?\x15\0\0\0\0\x18\x02"  # piece, score 0.0, type UNKNOWN
    known = b"\x0a\x01a\x15\0\0\x80\xbf"  # piece, score -1.0
    trainer = b"\x18\x01\xc0\x02\0"  # model_type UNIGRAM, unk_id
    trainer += b"".join(tag + minus_one for tag in (b"\xc8\x02", b"\xd0\x02", b"\xd8\x02"))  # bos_id, eos_id, pad_id
    normalizer = b"\x12\x05\0\1map"  # precompiled_charsmap
    parts = ((b"\x0a", unknown), (b"\x0a", known), (b"\x12", trainer), (b"\x1a", normalizer))
    assert model_file(b"\0\1map").content == b"".join(tag + bytes([len(part)]) + part for tag, part in parts)


def test_sentencepiece_itself_does_what_the_map_of_its_file_says() -> None:
    """The map is that of the file, not one that the library has by the name of a rule."""
    sentencepiece = pytest.importorskip("sentencepiece")
    made = model_file(charsmap({"a": "Z", "é": ""}))
    normalizer = sentencepiece.SentencePieceNormalizer(model_proto=made.content, add_dummy_prefix=False)
    assert normalizer.normalize("aéb") == "Zb"


def test_rules_have_maps_of_their_own() -> None:
    pytest.importorskip("sentencepiece")
    maps = {rule: charsmap_of(rule) for rule in RULES}
    assert len(set(maps.values())) == len(RULES)
    assert min(map(len, maps.values())) > 100_000


def test_without_the_package_the_reason_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    charsmap_of.cache_clear()
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(CannotAskError, match="sentencepiece, which is not installed"):
        charsmap_of("nfkc")


@pytest.mark.long
def test_sentencepiece_and_tokenizers_make_the_same_of_a_map() -> None:
    pytest.importorskip("sentencepiece")
    seen = []
    for name in ("sentencepiece", "tokenizers"):
        with Asking(load_implementation(name)) as asking:
            seen.append(probe_of("SentencePiece nmt_nfkc").look(asking)["SentencePiece nmt_nfkc"])
    one, other = seen
    assert isinstance(one.seen, MappingSeen)
    assert one.seen == other.seen
    assert one.seen.values[0x200F] == " "
    assert 0x200D not in one.seen.values


def test_a_wrong_map_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A map that is planted in the place of the rule's is seen as it is."""
    monkeypatch.setattr(
        "tokenizer_conformance.research.unicode_audit.probes.charsmap_of", lambda _: charsmap({"ﬁ": "fi", "ﬂ": "FL"})
    )
    with Asking(load_implementation("tokenizers")) as asking:
        seen = probe_of("SentencePiece nfkc").look(asking)["SentencePiece nfkc"].seen
    assert isinstance(seen, MappingSeen)
    assert seen.values == {0xFB01: "fi", 0xFB02: "FL"}


def test_an_implementation_that_reads_neither_file_cannot_be_asked() -> None:
    with Asking(load_implementation("sentencepiece")) as asking:
        assert isinstance(look(asking, probe_of("NFC")), CannotAskError)
