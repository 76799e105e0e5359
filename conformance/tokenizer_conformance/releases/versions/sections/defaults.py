"""The Python API of a release: its classes, their signatures, and what objects are that are made without arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from tokenizer_adapters.environments.asking import Asks, asked, module_of
from tokenizer_adapters.environments.faults import EnvironmentFaultError, WordError
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.releases.versions.facts import Fact, NoFactsError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.releases.versions.facts import Release

MODULES = frozenset({"tokenizers", "transformers"})
"""The modules whose API is known."""

SECONDS = 180.0


class Defaults:
    """The API of ``tokenizers``, of ``transformers`` that of its base classes; each fact is a name and its words."""

    name: ClassVar[str] = "defaults"
    title: ClassVar[str] = "the Python API and its default values"

    def facts(self, release: Release, tokenizers: Sequence[TokenizerFile]) -> Mapping[str, Fact]:  # noqa: ARG002
        """Return what the Python of the release says of its API.

        Raises :class:`NoFactsError` where it crashes or hangs, and for other packages.
        """
        STATUS.begin(release.word, "asking for its API")
        try:
            module = module_of(release.word)
            if module not in MODULES:
                raise NoFactsError(
                    f"the API of {module} is not asked for, only that of {' and '.join(sorted(MODULES))}"
                )
            answer = asked(release.word, Asks.INTERFACE, [module], SECONDS)
        except (WordError, EnvironmentFaultError) as error:
            raise NoFactsError(str(error)) from error
        return {name: Fact(words) for name, words in answer.items()}
