"""Which class reads which component of tokenizer.json.

A component with a known ``type`` is read by the class of that name. The target guesses where ``type`` is missing or
unknown: it tries every class whose fields fit (its post-processors are always guessed that way). The order in which the
classes are tried is the order of each package's ``COMPONENTS``; ``CHECKS_NO_TYPE`` lists those that a guess can reach.
Observed, tokenizers 0.23.3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from tokenizer_reference.errors import TokenizerFileError, UnsupportedComponentError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_reference.decoders.base import Decoder
    from tokenizer_reference.formats.json_value import JsonValue
    from tokenizer_reference.models.base import Model
    from tokenizer_reference.normalizers.base import Normalizer
    from tokenizer_reference.pre_tokenizers.base import PreTokenizer
    from tokenizer_reference.processors.base import PostProcessor

T = TypeVar("T")

CHECKS_NO_TYPE: dict[str, tuple[str, ...]] = {
    "normalizer": ("BertNormalizer", "Strip", "Sequence", "Precompiled", "Replace", "Prepend"),
    "pre-tokenizer": (),
    "decoder": ("BPEDecoder", "WordPiece", "CTC", "Replace", "Strip"),
    "post-processor": ("RobertaProcessing", "BertProcessing", "TemplateProcessing"),
    "model": ("BPE", "WordPiece", "WordLevel", "Unigram"),
}
"""The classes that read a component without looking at its ``type``, in the order in which the target tries them."""


def _type_name(value: JsonValue) -> str | None:
    """Return the ``type`` of an object, ``None`` where there is none that is a string."""
    name = value.get("type").value if value.has("type") else None
    return name if isinstance(name, str) else None


def _guess(value: JsonValue, stage: str, components: Mapping[str, type[Any]], names: tuple[str, ...]) -> Any:
    """Return the component that the first fitting class of ``names`` reads.

    Raises an error that names what was found and expected.
    """
    errors: dict[str, TokenizerFileError] = {}
    for tried_name in names:
        try:
            return components[tried_name]._from_json(value)
        except TokenizerFileError as error:
            errors[tried_name] = error
    name = _type_name(value)
    if name in errors:
        raise errors[name]
    if name is not None and name not in components:
        raise UnsupportedComponentError(
            f"{value.path}.type", f"there is no {stage} {name!r}; the known ones are {', '.join(components)}"
        )
    value.members()
    reasons = "; ".join(f"{tried_name} ({error})" for tried_name, error in errors.items())
    tried = f"; it does not fit as {reasons}" if reasons else ""
    raise value.fail(f"this {stage} has no `type`, so its kind has to be told from its fields{tried}")


def _load(value: JsonValue, stage: str, components: Mapping[str, type[Any]]) -> Any:
    name = _type_name(value)
    if name in components and name is not None:
        return components[name]._from_json(value)
    return _guess(value, stage, components, CHECKS_NO_TYPE[stage])


def load_normalizer(value: JsonValue) -> Normalizer:
    """Read a normalizer. Raises :class:`TokenizerFileError`."""
    from tokenizer_reference.normalizers import COMPONENTS  # noqa: PLC0415 - sequences of components import this module

    normalizer: Normalizer = _load(value, "normalizer", COMPONENTS)
    return normalizer


def load_pre_tokenizer(value: JsonValue) -> PreTokenizer:
    """Read a pre-tokenizer. Raises :class:`TokenizerFileError`."""
    from tokenizer_reference.pre_tokenizers import COMPONENTS  # noqa: PLC0415

    pre_tokenizer: PreTokenizer = _load(value, "pre-tokenizer", COMPONENTS)
    return pre_tokenizer


def load_processor(value: JsonValue) -> PostProcessor:
    """Read a post-processor. Raises :class:`TokenizerFileError`."""
    from tokenizer_reference.processors import COMPONENTS  # noqa: PLC0415

    # The target tries every class here, also where the type is known; ByteLevel and Sequence fit only where it is theirs.
    named = _type_name(value)
    names = tuple(name for name in COMPONENTS if name in CHECKS_NO_TYPE["post-processor"] or name == named)
    processor: PostProcessor = _guess(value, "post-processor", COMPONENTS, names)
    return processor


def load_decoder(value: JsonValue) -> Decoder:
    """Read a decoder. Raises :class:`TokenizerFileError`."""
    from tokenizer_reference.decoders import COMPONENTS  # noqa: PLC0415

    decoder: Decoder = _load(value, "decoder", COMPONENTS)
    return decoder


def load_model(value: JsonValue) -> Model:
    """Read a model. Raises :class:`TokenizerFileError`."""
    from tokenizer_reference.models import COMPONENTS  # noqa: PLC0415

    if isinstance(value.value, dict) and not value.has("type"):
        return _untyped_model(value, COMPONENTS)
    model: Model = _load(value, "model", COMPONENTS)
    return model


def _untyped_model(value: JsonValue, components: Mapping[str, type[Model]]) -> Model:
    """Read a model of the older files, which name no type: its fields tell which it is."""
    name = (
        "BPE"
        if value.has("merges")
        else "Unigram"
        if isinstance(value.get("vocab").value, list)
        else "WordPiece"
        if value.has("continuing_subword_prefix") or value.has("max_input_chars_per_word")
        else "WordLevel"
    )
    model: Model = components[name]._from_json(value)
    return model
