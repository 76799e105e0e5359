"""llama.cpp's C interface (``llama.h``), which the library inside the Python package ``xllamacpp`` exports.

A model is loaded for its vocabulary alone: of a file of any size only the key-value pairs are read. Its parameters are
passed by value, in a layout that changes between releases, and nothing tells which one a library has. So the defaults
are asked for first, and unless each of them is as expected nothing is loaded.

Nothing here keeps llama.cpp from ending the process: it does so over an id that no token has.
"""

from __future__ import annotations

import ctypes
import os
import re
import weakref
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from tokenizer_adapters.contract import UnavailableError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

POINTER, INT, FLAG, TEXT = ctypes.c_void_p, ctypes.c_int32, ctypes.c_bool, ctypes.c_char_p

LARGEST_ID = (1 << 31) - 1
ERROR, CONTINUED = 4, 5
"""Levels of its log: an error, and more of the message before."""

SPEAKER = re.compile(r"^(?:\w+: )+(?:error loading model: )?(?:error loading model vocabulary: )?")
"""What stands before the reason in a line of its log: the functions that say it."""

CONTROL = 1 << 3
UNUSED = 1 << 1
"""Attributes of tokens (``llama_token_attr``)."""


LAYOUT: tuple[tuple[str, Any, Any], ...] = (
    ("devices", POINTER, None),
    ("tensor_buft_overrides", POINTER, None),
    ("n_gpu_layers", INT, -1),
    ("split_mode", INT, 1),
    ("load_mode", INT, -1),
    ("lazy_mode", INT, 1),
    ("main_gpu", INT, 0),
    ("tensor_split", POINTER, None),
    ("progress_callback", POINTER, None),
    ("progress_callback_user_data", POINTER, None),
    ("kv_overrides", POINTER, None),
    ("vocab_only", FLAG, False),
    ("check_tensors", FLAG, False),
    ("use_extra_bufts", FLAG, True),
    ("no_host", FLAG, False),
    ("no_alloc", FLAG, False),
    ("load_mtp", FLAG, False),
)
"""The members of ``llama_model_params`` in October 2026, with what ``llama_model_default_params`` gives for each."""


class Parameters(ctypes.Structure):
    """``llama_model_params``."""

    _fields_: ClassVar = [(name, type_) for name, type_, _ in LAYOUT]


class Room(ctypes.Structure):
    """The same with room behind it, so that members which a release has added come back as they were given."""

    _fields_: ClassVar = [("known", Parameters), ("more", ctypes.c_uint8 * 1024)]


SIGNATURES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "llama_backend_init": (None, ()),
    "llama_model_default_params": (Room, ()),
    "llama_model_load_from_file": (POINTER, (TEXT, Room)),
    "llama_model_free": (None, (POINTER,)),
    "llama_model_get_vocab": (POINTER, (POINTER,)),
    "llama_tokenize": (INT, (POINTER, TEXT, INT, ctypes.POINTER(INT), INT, FLAG, FLAG)),
    "llama_detokenize": (INT, (POINTER, ctypes.POINTER(INT), INT, POINTER, INT, FLAG, FLAG)),
    "llama_token_to_piece": (INT, (POINTER, INT, POINTER, INT, INT, FLAG)),
    "llama_vocab_n_tokens": (INT, (POINTER,)),
    "llama_vocab_type": (INT, (POINTER,)),
    "llama_vocab_get_text": (TEXT, (POINTER, INT)),
    "llama_vocab_get_attr": (INT, (POINTER, INT)),
    "llama_vocab_bos": (INT, (POINTER,)),
    "llama_vocab_eos": (INT, (POINTER,)),
}
"""What is called, with what it returns and takes."""

Log = ctypes.CFUNCTYPE(None, ctypes.c_int, TEXT, POINTER)


class RefusedError(Exception):
    """llama.cpp does not load a file. The message has its own words."""


class Library(Protocol):
    """The exported functions; ``log`` has the errors that ``listener`` has heard since it was last cleared."""

    log: list[str]
    listener: Any

    def __getattr__(self, name: str) -> Any:
        """Return the function ``name``."""


@cache
def library(path: str) -> Library:
    """Load the library at ``path``.

    Raises :class:`UnavailableError` where it is of a release whose parameters are not known.
    """
    os.environ.setdefault("GGML_NO_BACKTRACE", "1")  # where it ends the process, it would start a debugger before
    loaded: Any = ctypes.CDLL(path)
    for name, (result, arguments) in SIGNATURES.items():
        function = getattr(loaded, name, None)
        if function is None:
            raise UnavailableError(f"this release of xllamacpp does not export {name}, which llama-cpp calls; {OTHER}")
        function.restype, function.argtypes = result, arguments
    loaded.log = []
    loaded.listener = Log(lambda level, text, _: _listen(loaded.log, level, text))
    loaded.llama_backend_init()
    known: Library = loaded
    return known


OTHER = "install another one with: pip install 'xllamacpp>=2026.10'"


def _listen(log: list[str], level: int, text: bytes) -> None:
    if level == ERROR or (level == CONTINUED and log):
        log.append(text.decode("utf-8", "replace"))


def parameters(of: Library) -> Room:
    """Return the parameters that load a vocabulary alone.

    Raises :class:`UnavailableError` where the defaults show that this release has others.
    """
    found: Room = of.llama_model_default_params()
    wrong = next((name for name, _, value in LAYOUT if getattr(found.known, name) != value), None)
    if wrong is not None:
        raise UnavailableError(
            f"this release of xllamacpp has other parameters of models than llama-cpp knows ({wrong}); {OTHER}"
        )
    found.known.vocab_only = True
    return found


class Vocabulary:
    """The vocabulary of the GGUF ``file``, loaded by the library ``of``.

    Raises :class:`RefusedError`, and :class:`UnavailableError` as :func:`parameters` does.
    """

    def __init__(self, of: Library, file: str) -> None:
        self._library = of
        of.log.clear()
        of.llama_log_set(of.listener, None)  # a server that was started since has set another
        model = of.llama_model_load_from_file(file.encode(), parameters(of))
        if not model:
            raise RefusedError(_reason(of.log))
        weakref.finalize(self, of.llama_model_free, model)
        self._vocabulary = of.llama_model_get_vocab(model)

    def tokenize(self, text: str, *, special: bool) -> list[int]:
        """Return the ids of ``text``, with what it adds around a text if ``special``; its special tokens are found."""
        content = text.encode()
        room = len(content) + 8
        while True:
            ids = (INT * room)()
            count = self._library.llama_tokenize(self._vocabulary, content, len(content), ids, room, special, True)
            if count >= 0:
                return ids[:count]
            room = -count

    def detokenize(self, ids: Sequence[int], *, special: bool) -> bytes:
        """Return the text of ``ids``; control and unknown tokens are left out unless ``special``."""
        given = (INT * len(ids))(*ids)
        return _filled(
            16 * len(ids) + 64,
            lambda text, room: self._library.llama_detokenize(
                self._vocabulary, given, len(ids), text, room, False, special
            ),
        )

    def pieces(self, ids: Sequence[int], *, special: bool) -> bytes:
        """Return the text of each of ``ids``, one after the other; tokens are left out as by :meth:`detokenize`."""
        return b"".join(self._piece(id_, special) for id_ in ids)

    def _piece(self, id_: int, special: bool) -> bytes:
        return _filled(
            64,
            lambda text, room: self._library.llama_token_to_piece(self._vocabulary, id_, text, room, 0, special),
        )

    @property
    def type(self) -> int:
        """The kind of the vocabulary (``llama_vocab_type``)."""
        found: int = self._library.llama_vocab_type(self._vocabulary)
        return found

    def tokens(self) -> list[tuple[str, int]]:
        """Return the text and the attributes of each token, by id."""
        count = self._library.llama_vocab_n_tokens(self._vocabulary)
        return [(self.token(id_), self._library.llama_vocab_get_attr(self._vocabulary, id_)) for id_ in range(count)]

    def token(self, id_: int) -> str:
        """Return the text of the token ``id_``."""
        text: bytes = self._library.llama_vocab_get_text(self._vocabulary, id_)
        return text.decode("utf-8", "replace")

    def end(self, role: str) -> str:
        """Return the text of the token that it has for ``role`` ("bos" or "eos"), empty where it has none."""
        id_ = getattr(self._library, f"llama_vocab_{role}")(self._vocabulary)
        return "" if id_ < 0 else self.token(id_)


def _filled(room: int, fill: Callable[[int, int], int]) -> bytes:
    """Return what ``fill`` writes to an address that has ``room``; where it needs more, it says how much."""
    while True:
        text = ctypes.create_string_buffer(room)
        count = fill(ctypes.addressof(text), room)
        if count >= 0:
            return text.raw[:count]
        room = -count


def _reason(log: list[str]) -> str:
    """Return the first error in ``log`` without the names of functions."""
    lines = "".join(log).splitlines()
    return SPEAKER.sub("", lines[0]) if lines else "it gives no reason"
