"""The toy as releases that load and save it in another way each; the first is what the others are compared with."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from fake_implementations import Generous, Toy, ToySubject

from tokenizer_adapters.contract import CannotLoadError, DecodeStream, Unsupported

if TYPE_CHECKING:
    from tokenizer_adapters.contract import ImplementationInfo, TokenizerSource


class SavingSubject(ToySubject):
    document: ClassVar[dict[str, Any]] = {"model": {"type": "Toy", "dropout": None}, "decoder": {"type": "Join"}}

    def saved(self) -> str:
        return json.dumps(self.document)


class Saving(Toy):
    """Writes what it has loaded."""

    name = "saving"
    subject = SavingSubject


class SavesOtherwise(Toy):
    """Leaves the decoder out, and has another dropout."""

    name = "saving"

    class subject(SavingSubject):  # noqa: N801 - as the attribute is called
        document: ClassVar[dict[str, Any]] = {"model": {"type": "Toy", "dropout": 0.1}, "decoder": None}


class SavesAll(Toy):
    """Saves eighty places."""

    name = "saving"

    class subject(SavingSubject):  # noqa: N801
        def saved(self) -> str:
            return json.dumps(self.eighty(0))

        @staticmethod
        def eighty(changed: int) -> dict[str, list[bool]]:
            places = [number < changed for number in range(80)]
            return {"first": places[:40], "second": places[40:]}


class SavesAllOtherwise(SavesAll):
    """Of the eighty places 62 are others."""

    class subject(SavesAll.subject):  # noqa: N801
        def saved(self) -> str:
            return json.dumps(self.eighty(62))


class OtherVocabulary(Toy):
    """Gives the last token another id."""

    name = "saving"

    class subject(SavingSubject):  # noqa: N801
        def vocabulary(self) -> Any:
            vocabulary = super().vocabulary()
            assert isinstance(vocabulary, dict)
            return vocabulary | {" ": 1000}


class Refusing(Saving):
    """Loads nothing any more."""

    def load(self, source: TokenizerSource) -> ToySubject:
        raise CannotLoadError(f"saving cannot load {source.name}: \x1b[31m::error::no \u202e<img src=x>")


class LaterVersion(SavesOtherwise):
    """The same under a later version."""

    @property
    def info(self) -> ImplementationInfo:
        return replace(super().info, version="2.0")


class UnderAnotherName(SavesOtherwise):
    """The same as an implementation of its own."""

    name = "saving-otherwise"


class CannotSave(Toy):
    """Raises an error where it is to save, as it did not before."""

    name = "saving"

    class subject(SavingSubject):  # noqa: N801
        def saved(self) -> str:
            raise RuntimeError("no place to save to")


class NoVocabulary(Toy):
    """Raises an error where it is asked for its vocabulary, as it did not before."""

    name = "saving"

    class subject(SavingSubject):  # noqa: N801
        def vocabulary(self) -> Any:
            raise RuntimeError("no vocabulary")


class Streaming(Generous):
    """Decodes ids one by one, too."""

    name = "saving"

    class subject(Generous.subject, SavingSubject):  # noqa: N801
        pass


class NoStreams(Streaming):
    """Decodes no ids one by one any more."""

    class subject(Streaming.subject):  # noqa: N801
        def observe(self, observation: Any) -> Any:
            return Unsupported("no streams") if isinstance(observation, DecodeStream) else super().observe(observation)
