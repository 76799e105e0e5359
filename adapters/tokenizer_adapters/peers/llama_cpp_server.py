"""llama.cpp's renderer of chat templates: the server of its Python package ``xllamacpp``.

It renders what it is asked at ``/apply-template``, with the template and the special tokens in the file of its
model. So each template is put into a file of its own: one layer of zeros, and the 256 bytes as vocabulary, which no
prompt is tokenized with. A server that adds a BOS itself takes it off the prompt; this file asks for none.

It tells templates the time of the day, and nothing can change that: a template that asks is not given to it. A final
message is the assistant's for it, whoever said it; so only those of the assistant are continued.
"""

from __future__ import annotations

import contextlib
import ctypes
import http.client
import importlib
import json
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.chat import messages_of, tools_of
from tokenizer_adapters.contract import Failed, Rendered, Unsupported

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_adapters.contract import Chat, Outcome
    from tokenizer_adapters.peers.chat_files import ChatFiles

TELLS_THE_TIME = Unsupported("llama-cpp tells templates the time of the day, and this one asks for it")
CLOCK = "strftime_now"
NOT_THE_ASSISTANTS = Unsupported("llama-cpp continues messages of the assistant alone")

WIDTH = 32
"""How many numbers a row of a matrix has; the smallest that its kernels take."""

VECTORS = ("attn_norm", "ffn_norm")
MATRICES = ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")

SECONDS = 3600
"""How long an answer may take here: whoever asks has a limit of their own."""

COMPLAINT = "chat template parsing error: "
"""What the server writes before the reason why it refuses a template."""


def renderer(library: Any, files: ChatFiles) -> Callable[[Chat], Outcome]:
    """Return what renders the templates of ``files``; each gets a server when it is first asked for."""
    servers: dict[str, _Server] = {}

    def chat(asked: Chat) -> Outcome:
        template = files.chosen(asked)
        if isinstance(template, Unsupported):
            return template
        if CLOCK in template:
            return TELLS_THE_TIME
        if template not in servers:
            servers[template] = _Server(library, files, template)
        return servers[template].rendered(asked)

    return chat


class _Server:
    """A server whose model has one template. ``refusal`` says why it did not start."""

    def __init__(self, library: Any, files: ChatFiles, template: str) -> None:
        self._refusal = ""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model.gguf"
            _write_model(path, files, template)
            with _heard(Path(folder) / "log") as said:
                try:
                    self._server = _kept(library.Server(_parameters(library, path)))
                except RuntimeError as error:
                    self._refusal = str(error)
            if self._refusal:
                self._refusal = said.read_text("utf-8", "replace").partition(COMPLAINT)[2].strip() or self._refusal

    def rendered(self, chat: Chat) -> Outcome:
        messages, tools = messages_of(chat), tools_of(chat)
        if self._refusal:
            return Failed("TemplateRefused", self._refusal)
        if chat.continue_final_message and not _is_of_assistant(messages):
            return NOT_THE_ASSISTANTS
        request = {
            "messages": messages,
            **({} if tools is None else {"tools": tools}),
            "add_generation_prompt": chat.add_generation_prompt,
            "continue_final_message": chat.continue_final_message,
        }
        answer = _posted(self._server.listening_address, "/apply-template", request)
        error = answer.get("error")
        return Rendered(answer["prompt"]) if error is None else Failed(str(error["type"]), str(error["message"]))


def _is_of_assistant(messages: list[Any]) -> bool:
    last = messages[-1] if messages else None
    return isinstance(last, dict) and last.get("role") == "assistant"


def _parameters(library: Any, model: Path) -> Any:
    """Return what the server is started with: all as it is by default, but for what costs time."""
    parameters = library.CommonParams()
    parameters.model.path = str(model)
    parameters.n_ctx = 64
    parameters.n_gpu_layers = 0
    parameters.warmup = False
    parameters.ui = False
    parameters.use_jinja = True
    parameters.prefill_assistant = False  # a last message of the assistant is continued where that is asked for
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    return parameters


def _kept(server: Any) -> Any:
    """Return ``server``, which lives as long as this process: one that is ended early may never end (observed)."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(server))
    return server


def _posted(address: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
    """Return what the server at ``address`` answers to ``body``."""
    connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=SECONDS)
    try:
        connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
        answer: dict[str, Any] = json.loads(connection.getresponse().read())
    finally:
        connection.close()
    return answer


@contextlib.contextmanager
def _heard(log: Path) -> Iterator[Path]:
    """Write what the library says on standard error while the block runs into ``log``."""
    ours = os.dup(2)
    with log.open("wb") as file:
        os.dup2(file.fileno(), 2)
        try:
            yield log
        finally:
            os.dup2(ours, 2)
            os.close(ours)


# The model's file -----------------------------------------------------------------------------------------------------


def _write_model(path: Path, files: ChatFiles, template: str) -> None:
    gguf, numpy = importlib.import_module("gguf"), importlib.import_module("numpy")
    bos, eos = (files.tokens.get(role, "") for role in ("bos_token", "eos_token"))
    kinds = gguf.TokenType
    special = list(dict.fromkeys(["<unk>", bos, eos]))  # the library ends where a vocabulary has a token twice
    tokens = [*special, *(f"<0x{byte:02X}>" for byte in range(256))]
    writer = gguf.GGUFWriter(str(path), "llama")
    writer.add_context_length(512)
    writer.add_embedding_length(WIDTH)
    writer.add_feed_forward_length(WIDTH)
    writer.add_block_count(1)
    writer.add_head_count(1)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_scores([0.0] * len(tokens))
    writer.add_token_types([kinds.UNKNOWN, *[kinds.CONTROL] * (len(special) - 1), *[kinds.BYTE] * 256])
    writer.add_bos_token_id(special.index(bos))
    writer.add_eos_token_id(special.index(eos))
    writer.add_add_bos_token(value=False)
    writer.add_add_eos_token(value=False)
    writer.add_chat_template(template)
    for name, shape in _shapes(len(tokens)).items():
        writer.add_tensor(name, numpy.zeros(shape, dtype=numpy.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _shapes(tokens: int) -> dict[str, tuple[int, ...]]:
    return {
        "token_embd.weight": (tokens, WIDTH),
        "output_norm.weight": (WIDTH,),
        "output.weight": (tokens, WIDTH),
        **{f"blk.0.{name}.weight": (WIDTH,) for name in VECTORS},
        **{f"blk.0.{name}.weight": (WIDTH, WIDTH) for name in MATRICES},
    }
