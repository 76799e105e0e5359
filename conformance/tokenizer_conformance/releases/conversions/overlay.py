"""A tokenizer.json in which is put what a file of another format says; and the small changes that this takes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.comparison.component_differences import MEMBERS
from tokenizer_conformance.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tokenizer_conformance.comparison.component_differences import Component
    from tokenizer_conformance.comparison.reduction import Json


class ConversionError(BadInputError):
    """Two files cannot be compared: they are not of one model, or one is of a kind that is not known."""


@dataclass(slots=True, kw_only=True)
class Overlay:
    """What a file says, put into the ``document`` of a tokenizer.json.

    ``notes`` say by component what stands in the file. ``losses`` are parts that no file of this format can say, each
    with the reason, and that are left out of the document, as readers of the file do. ``compared`` are the
    components about which it says something, and of which that was put in; the others stay as they are. ``unsaid``
    says what more was not compared.
    """

    document: Json
    notes: dict[Component, list[str]] = field(default_factory=dict)
    losses: dict[str, str] = field(default_factory=dict)
    compared: set[Component] = field(default_factory=set)
    unsaid: list[str] = field(default_factory=list)

    def note(self, component: Component, words: str) -> None:
        """Say ``words`` of what the file has in the place of ``component``."""
        self.notes.setdefault(component, []).append(words)

    @property
    def model(self) -> Json:
        """The model of the document."""
        model: Json = self.document["model"]
        return model

    def change_model(self, **options: Any) -> None:
        """Put these ``options`` into the model."""
        self.document = {**self.document, "model": {**self.model, **options}}

    def change(self, **sections: Any) -> None:
        """Put these ``sections`` into the document."""
        self.document = {**self.document, **sections}


@dataclass(frozen=True, slots=True)
class Ids:
    """The tokens of a document by id: those of its ``model``, and the ``added`` ones with their flags by content."""

    model: Mapping[int, str]
    added: Mapping[str, Json]

    @property
    def all(self) -> dict[int, str]:
        """Every token by its id; an added one goes before one of the model."""
        return {**self.model, **{int(token["id"]): content for content, token in self.added.items()}}


def ids_of(document: Json) -> Ids:
    """Return the tokens of ``document`` by id."""
    vocabulary = document["model"].get("vocab") or {}
    model = (
        {int(id_): token for token, id_ in vocabulary.items()}
        if isinstance(vocabulary, dict)
        else {place: str(entry[0]) for place, entry in enumerate(vocabulary)}
    )
    return Ids(model, {str(token["content"]): token for token in document.get("added_tokens") or ()})


def mapped(component: Any, change: Callable[[Json], Json | None]) -> Any:
    """Return ``component`` with each member of its sequences changed; one for which ``change`` is ``None`` is gone.

    >>> mapped({"type": "Sequence", "normalizers": [{"type": "NFC"}]}, lambda each: None)
    """
    if not isinstance(component, dict):
        return component
    name = next((name for name in MEMBERS if isinstance(component.get(name), list)), None)
    if name is None:
        return change(component)
    members = [changed for each in component[name] if (changed := mapped(each, change)) is not None]
    return {**component, name: members} if members else None


def members_of(component: Any) -> list[Json]:
    """Return the parts of ``component`` that are no sequences, in their order."""
    found: list[Json] = []

    def kept(each: Json) -> Json:
        found.append(each)
        return each

    mapped(component, kept)
    return found


def around(processor: Any) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Return the ids that a post-processor puts before and after a single text; ``None`` where that cannot be told."""
    before: tuple[int, ...] = ()
    after: tuple[int, ...] = ()
    for each in members_of(processor):
        match each.get("type"):
            case "ByteLevel":
                continue
            case "RobertaProcessing" | "BertProcessing":
                before, after = (int(each["cls"][1]),), (int(each["sep"][1]),)
            case "TemplateProcessing":
                found = _of_template(each)
                if found is None:
                    return None
                before, after = found
            case _:
                return None
    return before, after


def _of_template(template: Json) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    sides: tuple[list[int], list[int]] = ([], [])
    place = 0
    for piece in template["single"]:
        if "Sequence" in piece:
            place += 1
            continue
        if place > 1:
            return None
        token = template["special_tokens"].get(piece["SpecialToken"]["id"])
        if token is None:
            return None
        sides[place].extend(map(int, token["ids"]))
    return (tuple(sides[0]), tuple(sides[1])) if place == 1 else None


def template_around(before: tuple[int, ...], after: tuple[int, ...], tokens: Mapping[int, str]) -> Json | None:
    """Return the post-processor that puts these ids around a text, and around each text of a pair."""
    if not before and not after:
        return None

    def piece(id_: int, type_id: int) -> Json:
        return {"SpecialToken": {"id": tokens.get(id_, str(id_)), "type_id": type_id}}

    def text(name: str, type_id: int) -> list[Json]:
        around = [piece(id_, type_id) for id_ in before], [piece(id_, type_id) for id_ in after]
        return [*around[0], {"Sequence": {"id": name, "type_id": type_id}}, *around[1]]

    named = {tokens.get(id_, str(id_)): id_ for id_ in (*before, *after)}
    return {
        "type": "TemplateProcessing",
        "single": text("A", 0),
        "pair": [*text("A", 0), *text("B", 1)],
        "special_tokens": {token: {"id": token, "ids": [id_], "tokens": [token]} for token, id_ in named.items()},
    }
