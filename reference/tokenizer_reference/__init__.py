"""The executable specification of ``tokenizers`` 0.23.3: every component of tokenizer.json in plain Python.

The public API is that of ``tokenizers``; this package uses none of its code, and answers do not depend on the host's
Unicode tables.
"""

from tokenizer_reference import decoders, models, normalizers, pre_tokenizers, processors
from tokenizer_reference.added_tokens import AddedToken
from tokenizer_reference.encoding import Encoding
from tokenizer_reference.pre_tokenized_string import PreTokenizedString
from tokenizer_reference.text.normalized_string import NormalizedString
from tokenizer_reference.text.regex import Regex
from tokenizer_reference.token import Token
from tokenizer_reference.tokenizer import Tokenizer

__version__ = "0.23.3"
"""The version of ``tokenizers`` whose behaviour this is."""

__all__ = [
    "AddedToken",
    "Encoding",
    "NormalizedString",
    "PreTokenizedString",
    "Regex",
    "Token",
    "Tokenizer",
    "__version__",
    "decoders",
    "models",
    "normalizers",
    "pre_tokenizers",
    "processors",
]
