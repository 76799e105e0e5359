"""The adapter of the streamers of ``transformers``, which give out whole words.

``TextStreamer`` and ``TextIteratorStreamer`` have one rule for what is given out, and differ in where it goes. The ids
of a prompt are put in first, and skipped; without a prompt none is. What ``end`` gives belongs to the last step.
"""

from __future__ import annotations

import importlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from tokenizer_adapters.contract import Chunks, DecodeStream, Field, Stage
from tokenizer_adapters.peers.transformers4 import AnyRelease
from tokenizer_adapters.transformers import TransformersSubject

if TYPE_CHECKING:
    from tokenizer_adapters.contract import ImplementationInfo, Outcome, PlainObservation


class StreamerSubject(TransformersSubject):
    """A tokenizer that ``transformers`` has loaded, with a streamer around it."""

    def _answer_with(self, tokenizer: Any, observation: PlainObservation) -> Outcome:
        if isinstance(observation, DecodeStream):
            return _streamed(tokenizer, observation)
        return super()._answer_with(tokenizer, observation)


def _streamed(tokenizer: Any, observation: DecodeStream) -> Chunks:
    array = importlib.import_module("numpy").array
    given: list[str] = []
    streamer = importlib.import_module("transformers.generation.streamers").TextStreamer(
        tokenizer, skip_prompt=bool(observation.prompt), skip_special_tokens=observation.skip_special_tokens
    )
    streamer.on_finalized_text = lambda text, stream_end=False: given.append(text)  # noqa: ARG005 - the library's name
    if observation.prompt:
        streamer.put(array(observation.prompt))
    for step in observation.steps:
        streamer.put(array(step))
    if not given:
        return Chunks(())
    streamer.end()
    last = given.pop()
    return Chunks((*(text or None for text in given[:-1]), given[-1] + last or None))


class TransformersStreamerImplementation(AnyRelease):
    """``transformers`` in whatever version is installed where this runs, through ``TextStreamer``."""

    name: ClassVar[str] = "transformers-streamer"

    @property
    def info(self) -> ImplementationInfo:
        """Return the description: ids are decoded, and nothing else is asked of a streamer."""
        return replace(super().info, stages=frozenset({Stage.DECODE}), fields=frozenset({Field.TEXT}))

    def subject_class(self) -> type[TransformersSubject]:
        """Return the class of what is loaded."""
        return StreamerSubject
