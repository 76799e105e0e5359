"""Chat templates: what an engine makes of a conversation before it tokenizes anything.

A template is a text in Jinja that stands beside tokenizer.json. The contract is that of ``transformers`` 5.23, as
observed: which template is taken (``template_files``, ``template``), what messages look like when it sees them
(``conversation``), which extensions it may use (``environment``), and what other renderers do differently (``rules``).

Grammar and filters are those of the library Jinja, here and in ``transformers``: about them the two cannot disagree,
and agreement says nothing. Renderers with grammars of their own (minijinja, the one in JavaScript) can.
"""

from tokenizer_reference.chat.errors import NoChatTemplateError, TemplateLimitError, TemplateRefusedError
from tokenizer_reference.chat.rules import CHANGES, CONTRACT, Change, RenderingRules, Undefined
from tokenizer_reference.chat.sandbox import Limits, Sandbox
from tokenizer_reference.chat.template import ChatTemplate
from tokenizer_reference.chat.template_files import special_tokens_of, templates_of

__all__ = [
    "CHANGES",
    "CONTRACT",
    "Change",
    "ChatTemplate",
    "Limits",
    "NoChatTemplateError",
    "RenderingRules",
    "Sandbox",
    "TemplateLimitError",
    "TemplateRefusedError",
    "Undefined",
    "special_tokens_of",
    "templates_of",
]
