"""The adapter of ``minijinja``, the template engine in Rust that servers of models have, through its Python package.

The engine is set up as templates expect it: line breaks after blocks and white space before them are dropped, and there
are the functions ``raise_exception`` and ``strftime_now``. All else is its own: grammar, filters, ``tojson``, what
values print as. Messages are given as they come. It has no tokenizer, and knows nothing of a final message to continue.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from tokenizer_adapters.chat import NOW, messages_of, tools_of
from tokenizer_adapters.contract import Field, Rendered, Stage, Unsupported
from tokenizer_adapters.peers.chat_files import chat_files
from tokenizer_adapters.peers.package import Calls, Package, PeerImplementation

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Chat, Outcome, TokenizerSource

NO_TOKENIZER = "renders chat templates, and has no tokenizer"
NO_CONTINUATION = Unsupported("minijinja does not know how a final message is continued")

FUEL = 20_000_000
"""How many steps of its machine one template may take; it counts loops, and ends them."""


class TemplateError(Exception):
    """What a template raises."""


def raise_exception(message: str) -> None:
    """Raise what a template wants to be raised."""
    raise TemplateError(message)


class MinijinjaImplementation(PeerImplementation):
    """``minijinja``: the text of prompts."""

    package: ClassVar[Package] = Package(
        name="minijinja",
        distribution="minijinja",
        module="minijinja",
        language="Rust",
        home_page="https://github.com/mitsuhiko/minijinja",
        stages=frozenset({Stage.CHAT}),
        fields=frozenset({Field.TEXT}),
    )

    def calls(self, module: Any, source: TokenizerSource) -> Calls:
        """Read the templates of ``source``; each is compiled when it is asked for."""
        found = chat_files(source)
        environment = module.Environment(trim_blocks=True, lstrip_blocks=True, debug=False, fuel=FUEL)
        environment.add_global("raise_exception", raise_exception)
        environment.add_global("strftime_now", NOW.strftime)

        def chat(asked: Chat) -> Outcome:
            template = found.chosen(asked)
            if isinstance(template, Unsupported):
                return template
            if asked.continue_final_message:
                return NO_CONTINUATION
            variables = {"tools": tools_of(asked), "add_generation_prompt": asked.add_generation_prompt}
            return Rendered(
                environment.render_str(template, "chat", **found.tokens, messages=messages_of(asked), **variables)
            )

        return Calls(files=found.files, encode=NO_TOKENIZER, chat=chat)
