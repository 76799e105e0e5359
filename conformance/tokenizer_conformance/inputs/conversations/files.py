"""Conversations in files of users: JSON Lines, one conversation a line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.conversations.builtin import DrawnConversations, builtin_conversations
from tokenizer_conformance.inputs.conversations.conversation import NoConversationError, conversation_in, input_of
from tokenizer_conformance.inputs.given_files import files_of, words_by_name
from tokenizer_conformance.inputs.json_lines import JsonLinesTable
from tokenizer_conformance.inputs.opening import title_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokenizer_conformance.inputs.asked import AskedInput
    from tokenizer_conformance.inputs.remote import Location
    from tokenizer_conformance.inputs.text import Input


@dataclass(frozen=True, slots=True)
class ConversationFile:
    """The JSON Lines file that ``word`` names on a command line; ids are ``name:12``, with the number of the line.

    Iterating reads it anew, and raises :class:`BadInputError`, which names the line, for what is no conversation.
    """

    word: str
    name: str
    place: Location

    def __iter__(self) -> Iterator[AskedInput]:
        path, is_empty = self.place, True
        for number, value in JsonLinesTable(path, self.name).rows(""):
            is_empty = False
            try:
                yield input_of(f"{self.name}:{number}", self.name, conversation_in(value))
            except NoConversationError as error:
                raise BadInputError(f"{title_of(path)}, line {number} is no conversation: {error}") from error
        if is_empty:
            raise BadInputError(f"{title_of(path)} is empty: there is no conversation in it")

    @property
    def options(self) -> tuple[str, ...]:
        """The words of a command line that give this file."""
        return ("--inputs", self.word)


def conversation_files(words: Sequence[str]) -> list[ConversationFile]:
    """Return the files that ``words`` name, once each, by their names, or by their paths where names collide."""
    files = list({str(each.place): each for word in words for each in files_of(word)}.values())
    of_name = words_by_name(files)
    return [ConversationFile(each.word, each.name_among(of_name[each.name]), each.place) for each in files]


BUILT_IN = "built-in conversations"
DRAWN = "drawn conversations"


def all_conversations(
    given: Sequence[ConversationFile], count: int, seed: int, *, builtin: bool
) -> list[tuple[str, Iterable[Input]]]:
    """Return where conversations come from, each source with its name: built-in ones, ``given`` files, drawn ones."""
    sources: list[tuple[str, Iterable[Input]]] = [(BUILT_IN, builtin_conversations())] if builtin else []
    sources += [(each.word, each) for each in given]
    return [*sources, *([(DRAWN, DrawnConversations(count, seed))] if count else [])]
