"""Why a conversation has no text: there is no template, it was refused, or a limit was reached."""

from __future__ import annotations

from tokenizer_reference.errors import TokenizerReferenceError


class NoChatTemplateError(TokenizerReferenceError, LookupError):
    """A tokenizer has no chat template, or none of the name that was asked for."""


class TemplateRefusedError(TokenizerReferenceError):
    """A template, or what is done with messages before it sees them, refuses a conversation.

    ``kind`` is the class of the error, ``message`` says what is wrong.
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


class TemplateLimitError(TemplateRefusedError):
    """A template was stopped: it took too long, too much memory, or wrote too much. ``message`` says which limit."""

    def __init__(self, message: str) -> None:
        super().__init__("TemplateLimitError", message)
