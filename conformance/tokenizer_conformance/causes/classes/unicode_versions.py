"""unicode-version: an implementation goes by the properties of another Unicode version than the baseline."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Normalize, Stage, Text
from tokenizer_adapters.variants.change import Property, UnicodeVersion
from tokenizer_adapters.variants.unicode_history import VERSIONS
from tokenizer_adapters.variants.unicode_versions import (
    FAMILIES,
    UNASSIGNED,
    changes_of,
    long_known,
    siblings,
    value_of,
    values_of,
)
from tokenizer_conformance.causes.cause import Reason
from tokenizer_conformance.causes.classes.variant_study import Stand, Varying
from tokenizer_conformance.comparison.questions import texts_of
from tokenizer_conformance.escape import code_point

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_adapters.contract import Observation
    from tokenizer_conformance.causes.classes.variant_study import Study

NAME = "unicode-version"

MOST_CHARACTERS = 24
"""Texts with more characters that any version changed are not looked into: a smaller witness says it better."""

MOST_OTHERS = 4
"""How many other characters that a version changed alike are tried."""

ALL_PROPERTIES = tuple(Property)


@dataclass(frozen=True, slots=True)
class Span:
    """The versions ``first`` to ``last``, in which ``properties`` say the same of all characters of a text."""

    properties: tuple[Property, ...]
    first: str
    last: str

    @property
    def parameter(self) -> str:
        """Which properties are older or newer, without the versions: these depend on the characters of a witness."""
        what = self.properties[0].value if len(self.properties) == 1 else "properties"
        if self.first == VERSIONS[0]:
            return f"older {what}"
        return f"newer {what}" if self.last == VERSIONS[-1] else self.words

    @property
    def words(self) -> str:
        """The span in words, by the versions at its ends."""
        what = self.properties[0].value if len(self.properties) == 1 else "properties"
        if self.first == VERSIONS[0]:
            return f"{what} older than Unicode {VERSIONS[VERSIONS.index(self.last) + 1]}"
        if self.last == VERSIONS[-1]:
            return f"{what} of Unicode {self.first} or newer"
        return f"{what} of Unicode {self.first} to {self.last}"

    @property
    def change(self) -> UnicodeVersion:
        """The change of the reference to a version of the span."""
        return UnicodeVersion(self.last, self.properties)

    @property
    def boundaries(self) -> tuple[str, ...]:
        """The versions that made a change at the ends of the span."""
        after = VERSIONS.index(self.last) + 1
        return (
            *([self.first] if self.first != VERSIONS[0] else []),
            *([VERSIONS[after]] if after < len(VERSIONS) else []),
        )


def unicode_version(study: Study) -> Iterator[Varying]:
    """Give the other Unicode version that explains the witness.

    The tables of the reference are taken from another version, one group of properties at a time, then all together.
    Other characters that the version changed in the same way must be treated likewise, at least as many of them as are
    not, and one where any can show it; those nearest that have had their properties all along must not. Else it is the
    character that is special to the implementation, and not its version.
    """
    if study.witness.stage is Stage.DECODE:
        return
    chars = sorted(set(study.text + _normalized(study)))
    for spans in _spans(chars):
        is_refuted = False
        for span in spans:
            if _explains(study, span):
                reason = _reason(study, span, chars)
                if reason is not None:
                    yield Varying(reason, (span.change,))
                    return
                is_refuted = True
        if is_refuted:  # what one group explains, all do, and no better
            return


def _explains(study: Study, span: Span) -> bool:
    return study.can_matter_before_the_model(span.change) and study.explains(span.change)


def _reason(study: Study, span: Span, chars: list[str]) -> Reason | None:
    """Return the reason where other characters bear out the ``span``, which explains the witness."""
    told = [(char, family) for char in chars for family in _families(span) if _is_changed(char, family, span)]
    if not _spares_the_long_known(study, span, chars):
        return None
    around = study.probed((span.change,), study.around())
    likewise = study.probed((span.change,), _likewise(study, span, chars))
    beside = study.probed((span.change,), _beside_long_known(study, span, chars))
    if not around.holds or likewise.variant < likewise.reference or beside.neither > beside.variant + beside.both:
        return None
    said = f"With the {span.words}, the reference gives the very answer."
    proof = (said, *_facts(told), (around + likewise).sentence, *study.proviso)
    return Reason(NAME, span.parameter, proof, study.explains_with(span.change))


def _normalized(study: Study) -> str:
    answer = study.answer(Normalize(study.text))
    return answer.text if isinstance(answer, Text) else ""


def _spans(chars: list[str]) -> Iterator[list[Span]]:
    """Yield spans of versions that say different things of ``chars``: of each group of properties, then of all."""
    single = [span for each in ALL_PROPERTIES for span in _spans_of((each,), chars)]
    yield single
    yield _spans_of(ALL_PROPERTIES, chars)


def _spans_of(properties: tuple[Property, ...], chars: list[str]) -> list[Span]:
    changed = [char for char in chars if any(_has_history(char, each) for each in properties)]
    if not changed or len(changed) > MOST_CHARACTERS:
        return []
    spans = [
        list(versions)
        for _, versions in groupby(VERSIONS, lambda version: [values_of(each, changed, version) for each in properties])
    ]
    return [Span(properties, versions[0], versions[-1]) for versions in spans if len(spans) > 1]


def _has_history(char: str, properties: Property) -> bool:
    """Return whether any version changed ``char`` after the first one."""
    return any(since != VERSIONS[0] for family in FAMILIES[properties] for since, _ in changes_of(family, char))


def _families(span: Span) -> list[str]:
    return list(dict.fromkeys(family for each in span.properties for family in FAMILIES[each]))


def _is_changed(char: str, family: str, span: Span) -> bool:
    return any(version in span.boundaries for version, _ in changes_of(family, char))


# Other characters -----------------------------------------------------------------------------------------------------


def _culprits(span: Span, chars: list[str]) -> Iterator[tuple[str, Property, str]]:
    """Yield the characters that a version at an end of the span changed, with the properties and that version."""
    for char in chars:
        for properties in span.properties:
            for version, _ in changes_of(FAMILIES[properties][0], char):
                if version in span.boundaries:
                    yield char, properties, version


def _likewise(study: Study, span: Span, chars: list[str]) -> Iterator[Observation]:
    for char, properties, version in _culprits(span, chars):
        for question in study.replacing(char, siblings(properties, char, version, MOST_OTHERS)):
            yield question
            # What becomes of a character shows here also where no token does.
            yield from map(Normalize, texts_of(question))


def _beside_long_known(study: Study, span: Span, chars: list[str]) -> Iterator[Observation]:
    """Yield questions about characters beside such as have had their value all along: they are treated as one."""
    for char, properties, version in _culprits(span, chars):
        for known in long_known(properties, char, version, 1):
            others = siblings(properties, char, version, MOST_OTHERS)
            yield from study.replacing(char, [f"{known}{each}" for each in (char, *others)])


def _spares_the_long_known(study: Study, span: Span, chars: list[str]) -> bool:
    """Return whether the implementation treats characters as the baseline does that no version changed.

    They have the value that the characters in question got; the nearest are tried. Where there are none, it is so.
    """
    stands = [
        study.stand(question, (span.change,))
        for char, properties, version in _culprits(span, chars)
        for question in study.replacing(char, long_known(properties, char, version, MOST_OTHERS))
    ]
    return not stands or Stand.BOTH in stands


# Words ----------------------------------------------------------------------------------------------------------------


def _facts(told: list[tuple[str, str]]) -> Iterator[str]:
    for char, family in told:
        steps = [f"{_shown(family, value)} since Unicode {since}" for since, value in changes_of(family, char)]
        before = "" if changes_of(family, char)[0][0] == VERSIONS[0] else f"{_before(family)} before, "
        yield f"{family} of {code_point(char)}: {before}{', '.join(steps).replace(' since Unicode 6.0', '')}."


def _before(family: str) -> str:
    return "unassigned" if value_of(family, "\u0378", VERSIONS[0]) == UNASSIGNED else "none"


def _shown(family: str, value: str) -> str:
    if family == "Lowercase_Mapping" and value:
        return " ".join(f"U+{int(number, 16):04X}" for number in value.split())
    return value or "none"
