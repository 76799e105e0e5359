"""Which class reads which component of tokenizer.json.

A component is an object with a ``type``. Where that names a class, the class reads it, and its complaint is the end. Where
there is no type, or one that the stage does not know, the target guesses: the first class that fits reads the component. Most
classes fit only their own type, others everything that has their fields; these also read an array of the values of their
fields. Post-processors are always guessed. Observed, tokenizers 0.23.3.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from tokenizer_reference.errors import TokenizerFileError, UnsupportedComponentError, UpstreamFilePanicError
from tokenizer_reference.formats.file_errors import shown
from tokenizer_reference.formats.json_value import JsonValue, RepeatedMembers, kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tokenizer_reference.decoders.base import Decoder
    from tokenizer_reference.models.base import Model
    from tokenizer_reference.normalizers.base import Normalizer
    from tokenizer_reference.pre_tokenizers.base import PreTokenizer
    from tokenizer_reference.processors.base import PostProcessor


@dataclass(frozen=True, slots=True)
class Form:
    """How a class wants its component: its fields, in the order of an array of them, and whether it looks at the type.

    ``as_array`` says whether it reads such an array at all. The type is the first field of the classes that look at it.
    """

    fields: tuple[str, ...]
    checks_type: bool = True
    as_array: bool = False


def _untyped(*fields: str) -> Form:
    return Form(fields, checks_type=False, as_array=True)


TYPE_ONLY: Final = Form(("type",), as_array=True)
"""The form of the classes that are not listed: they have no fields."""

_BYTE_LEVEL = Form(("type", "add_prefix_space", "trim_offsets", "use_regex"))
_METASPACE = Form(("type", "replacement", "add_prefix_space", "prepend_scheme", "split", "str_rep"), as_array=True)
_REPLACE = _untyped("pattern", "content")


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage of the pipeline, and the forms of its components.

    ``other_tags`` are the names, and their classes, that the target looks for in ``type``, where they are not those that it
    writes: a component with the name that is written has to be guessed. The class ``never_guessed`` is not among the guesses.
    """

    name: str
    forms: Mapping[str, Form]
    other_tags: Mapping[str, str] = field(default_factory=dict)
    never_guessed: str = ""

    def form(self, name: str) -> Form:
        """Return the form of the class ``name``."""
        return self.forms.get(name, TYPE_ONLY)


NORMALIZER: Final = Stage(
    "normalizer",
    {
        "BertNormalizer": _untyped("clean_text", "handle_chinese_chars", "strip_accents", "lowercase"),
        "Strip": _untyped("strip_left", "strip_right"),
        "Sequence": _untyped("normalizers"),
        "Precompiled": Form(("type", "precompiled_charsmap")),
        "Replace": _REPLACE,
        "Prepend": _untyped("prepend"),
    },
    other_tags={"Bert": "BertNormalizer"},
    never_guessed="Precompiled",
)

PRE_TOKENIZER: Final = Stage(
    "pre-tokenizer",
    {
        "ByteLevel": _BYTE_LEVEL,
        "CharDelimiterSplit": Form(("type", "delimiter")),
        "Metaspace": _METASPACE,
        "Sequence": Form(("type", "pretokenizers")),
        "Split": Form(("type", "pattern", "behavior", "invert"), as_array=True),
        "Punctuation": Form(("type", "behavior")),
        "Digits": Form(("type", "individual_digits")),
        "FixedLength": Form(("type", "length")),
    },
)

POST_PROCESSOR: Final = Stage(
    "post-processor",
    {
        "RobertaProcessing": _untyped("sep", "cls", "trim_offsets", "add_prefix_space"),
        "BertProcessing": _untyped("sep", "cls"),
        "ByteLevel": _BYTE_LEVEL,
        "TemplateProcessing": _untyped("single", "pair", "special_tokens"),
        "Sequence": Form(("type", "processors")),
    },
)

DECODER: Final = Stage(
    "decoder",
    {
        "BPEDecoder": _untyped("suffix"),
        "ByteLevel": _BYTE_LEVEL,
        "WordPiece": _untyped("prefix", "cleanup"),
        "Metaspace": _METASPACE,
        "CTC": _untyped("pad_token", "word_delimiter_token", "cleanup"),
        "Sequence": Form(("type", "decoders")),
        "Replace": _REPLACE,
        "Strip": _untyped("content", "start", "stop"),
    },
)

MODEL: Final = Stage(
    "model",
    {
        "BPE": Form(("vocab", "merges"), checks_type=False),
        "WordPiece": Form(
            ("unk_token", "continuing_subword_prefix", "max_input_chars_per_word", "vocab"), checks_type=False
        ),
        "WordLevel": Form(("vocab", "unk_token"), checks_type=False),
        "Unigram": Form(("vocab", "unk_id"), checks_type=False),
    },
)


# Reading -------------------------------------------------------------------------------------------------------------


def _type_name(value: Any) -> str | None:
    """Return the name that a ``type`` is: a string, or the only key of an object, beside null."""
    match value:
        case str():
            return value
        case {**members} if list(members.values()) == [None]:
            return str(next(iter(members)))
        case _:
            return None


def _tag(value: JsonValue) -> str | None:
    """Return the name of the type of an object that has one type."""
    if not value.has("type") or (isinstance(value.value, RepeatedMembers) and "type" in dict(value.value.earlier)):
        return None
    return _type_name(value.value["type"])


def _load(value: JsonValue, stage: Stage, components: Mapping[str, type[Any]]) -> Any:
    """Return the component that ``value`` describes, as it is read in the stages where the target makes a tree first."""
    tag = _tag(value)
    if isinstance(value.value, RepeatedMembers):
        value = JsonValue(dict(value.value), value.path)
    if tag is not None and tag not in stage.other_tags.values():
        component = components.get(stage.other_tags.get(tag, tag))
        if component is not None:
            return component._from_json(value)
    return _guess(value, stage, components)


def _guess(value: JsonValue, stage: Stage, components: Mapping[str, type[Any]]) -> Any:
    """Return the component that the first fitting class reads."""
    complaints: dict[str, TokenizerFileError] = {}
    for name, component in components.items():
        if name == stage.never_guessed:
            continue
        try:
            return component._from_json(_in_form(value, name, stage.form(name)))
        except UpstreamFilePanicError:
            raise
        except TokenizerFileError as complaint:
            complaints[name] = complaint
    raise _fits_nothing(value, stage, complaints)


def _in_form(value: JsonValue, name: str, form: Form) -> JsonValue:
    """Return ``value`` as an object. Raises :class:`TokenizerFileError` where it has not the form of the class ``name``."""
    fields = value.struct(*form.fields) if form.as_array else value.fields(*form.fields)
    if form.checks_type and _type_name((named := fields["type"]).value) != name:
        raise named.fail(f"expected {name!r}")
    return fields


# Refusing ------------------------------------------------------------------------------------------------------------


def _fits_nothing(value: JsonValue, stage: Stage, complaints: Mapping[str, TokenizerFileError]) -> TokenizerFileError:
    """Return the error to raise for what no class reads: what the class that is meant, or the closest one, has to say."""
    found = value.value
    if not isinstance(found, dict | list):
        return value.fail(f"expected a {stage.name}: an object with a `type`; found {kind(found)}")
    if value.has("type"):
        return complaints.get(_type_name(value.value["type"]) or "") or _bad_type(value["type"], stage, complaints)
    closeness = {name: _closeness(found, stage.form(name), complaint) for name, complaint in complaints.items()}
    closest = max(closeness, key=closeness.__getitem__)
    if not closeness[closest][0]:
        return value.fail(f"missing field `type`: expected the name of a {stage.name}")
    complaint = complaints[closest]
    message = f"{complaint.message} (there is no `type`; of all {stage.name}s, {closest} is the closest)"
    return TokenizerFileError(complaint.path, message)


def _bad_type(value: JsonValue, stage: Stage, known: Iterable[str]) -> TokenizerFileError:
    """Return the error to raise for a ``type`` that is no name, or that of nothing ``known``."""
    named = _type_name(value.value)
    if named is None:
        return value.fail(f"expected the name of a {stage.name}, found {kind(value.value)}")
    message = f"there is no {stage.name} {shown(named)}; the known ones are {', '.join(known)}"
    return UnsupportedComponentError(value.path, message)


_INDEX = re.compile(r"\[(\d+)\]")


def _closeness(
    value: dict[str, Any] | list[Any], form: Form, complaint: TokenizerFileError
) -> tuple[float, list[int], bool]:
    """Return what tells how close ``value`` is to ``form``: how alike they are, then how far reading it came."""
    indices = [int(index) for index in _INDEX.findall(complaint.path)]
    return _likeness(value, form), indices, not form.checks_type


def _likeness(value: dict[str, Any] | list[Any], form: Form) -> float:
    """Return how much of ``value`` and ``form`` is the same, from 0 to 1."""
    if isinstance(value, list):
        return float(form.as_array and len(value) == len(form.fields))
    return len(value.keys() & set(form.fields)) / len(value.keys() | set(form.fields))


# The stages ----------------------------------------------------------------------------------------------------------


def load_normalizer(value: JsonValue) -> Normalizer:
    """Read a normalizer. Raises :class:`TokenizerFileError`."""
    from tokenizer_reference.normalizers import COMPONENTS  # noqa: PLC0415 - sequences of components import this module

    normalizer: Normalizer = _load(value, NORMALIZER, COMPONENTS)
    return normalizer


def load_pre_tokenizer(value: JsonValue) -> PreTokenizer:
    """Read a pre-tokenizer. Raises :class:`TokenizerFileError`."""
    from tokenizer_reference.pre_tokenizers import COMPONENTS  # noqa: PLC0415

    pre_tokenizer: PreTokenizer = _load(value, PRE_TOKENIZER, COMPONENTS)
    return pre_tokenizer


def load_processor(value: JsonValue) -> PostProcessor:
    """Read a post-processor, by its fields even where it has a type. Raises :class:`TokenizerFileError`."""
    from tokenizer_reference.processors import COMPONENTS  # noqa: PLC0415

    processor: PostProcessor = _guess(value, POST_PROCESSOR, COMPONENTS)
    return processor


def load_decoder(value: JsonValue) -> Decoder:
    """Read a decoder. Raises :class:`TokenizerFileError`."""
    from tokenizer_reference.decoders import COMPONENTS  # noqa: PLC0415

    decoder: Decoder = _load(value, DECODER, COMPONENTS)
    return decoder


def load_model(value: JsonValue) -> Model:
    """Read a model. One with a ``type`` that is not known is not guessed. Raises :class:`TokenizerFileError`."""
    from tokenizer_reference.models import COMPONENTS  # noqa: PLC0415

    if value.has("type") and _tag(value) not in COMPONENTS:
        raise _bad_type(value.fields("type")["type"], MODEL, COMPONENTS)
    model: Model = _load(value, MODEL, COMPONENTS)
    return model
