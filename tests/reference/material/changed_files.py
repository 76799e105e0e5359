"""Changed tokenizer.json files in groups: every change of every component, and changes of a whole file."""

from __future__ import annotations

import random
from itertools import chain, islice
from typing import TYPE_CHECKING

from mutations import Mutation, mutations, nested_mutations, notation_mutations, random_mutation, text_mutations

from tokenizer_conformance.inputs.random_tokenizers import complete_documents
from tokenizer_conformance.inputs.random_tokenizers.complete_documents import COMPLETE_DOCUMENTS, WHOLE, focus

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

SEQUENCES = {
    "normalizer": ("normalizers", complete_documents.NORMALIZERS),
    "pre_tokenizer": ("pretokenizers", complete_documents.PRE_TOKENIZERS),
    "post_processor": ("processors", complete_documents.PROCESSORS),
    "decoder": ("decoders", complete_documents.DECODERS),
}

SEED = 20240607
RANDOM_FILES = 100_000


def _of_parts(change: Callable[..., Iterable[Mutation]]) -> Iterator[Mutation]:
    for name, document in COMPLETE_DOCUMENTS.items():
        for mutation in change(document, (focus(name),)):
            yield Mutation(f"{name}, {mutation.name}", mutation.content, mutation.place)


def _nested() -> Iterator[Mutation]:
    for key, (items, parts) in SEQUENCES.items():
        for part in parts:
            yield from nested_mutations(key, part, "Sequence", items)


def _several_at_random() -> Iterator[Mutation]:
    documents = [*COMPLETE_DOCUMENTS.values(), WHOLE]
    source = random.Random(SEED)
    for _ in range(RANDOM_FILES):
        yield random_mutation(source, source.choice(documents), source.randint(2, 4))


GROUPS: dict[str, Callable[[], Iterator[Mutation]]] = {
    "one change of a part": lambda: _of_parts(mutations),
    "one change of a whole file": lambda: mutations(WHOLE),
    "damaged text": lambda: chain.from_iterable(map(text_mutations, (WHOLE, *COMPLETE_DOCUMENTS.values()))),
    "odd notation in a part": lambda: _of_parts(notation_mutations),
    "odd notation in a whole file": lambda: notation_mutations(WHOLE),
    "sequences in each other": _nested,
    "several changes": _several_at_random,
}

AT_LEAST = {
    "one change of a part": 44_000,
    "one change of a whole file": 6_000,
    "damaged text": 62_000,
    "odd notation in a part": 127_000,
    "odd notation in a whole file": 19_000,
    "sequences in each other": 690,
    "several changes": RANDOM_FILES,
}
"""Changed files of each group."""

SAMPLED = {
    "one change of a part": 59,
    "one change of a whole file": 89,
    "damaged text": 479,
    "odd notation in a part": 809,
    "odd notation in a whole file": 227,
    "sequences in each other": 59,
}
"""Of which groups the default run takes a sample: each so manieth."""

AT_LEAST_SAMPLED = 1_100
"""Changed files in the default run."""


def sample() -> list[Mutation]:
    """Return the sample of the default run."""
    return [mutation for name, each in SAMPLED.items() for mutation in islice(GROUPS[name](), None, None, each)]
