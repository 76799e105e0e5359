"""A hub of our own on 127.0.0.1: what `huggingface_hub` asks for a model, answered as the hub does, and its faults."""

from __future__ import annotations

import hashlib
import json
import sys
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from collections.abc import Mapping

FIRST, SECOND = "1" * 40, "2" * 40
"""Commits: revision ``v1`` is the first, ``main`` the second."""

TOKEN = "hf_the-right-one"
WEIGHTS = "model.safetensors"


def document(token: str) -> bytes:
    return json.dumps({"model": {"type": "WordLevel", "vocab": {token: 0}, "unk_token": token}}).encode()


@dataclass
class Repository:
    """Files by commit; ``linked`` ones lie elsewhere, as those in Git LFS do."""

    files: Mapping[str, Mapping[str, bytes]]
    linked: frozenset[str] = frozenset({"spiece.model"})
    is_gated: bool = False
    is_private: bool = False
    truncated: set[str] = field(default_factory=set)
    resumes: bool = False
    stalls: bool = False


def repositories() -> dict[str, Repository]:
    both = {
        FIRST: {"tokenizer.json": document("first"), WEIGHTS: b"weights"},
        SECOND: {
            "README.md": b"#",
            "tokenizer.json": document("second"),
            "tokenizer_config.json": b"{}",
            "spiece.model": b"\n\x0e\n\x05<unk>",
            WEIGHTS: b"weights",
            "onnx/tokenizer.json": b"{}",
        },
    }
    return {
        "org/name": Repository(both),
        "gpt2-mini": Repository(both),
        "legacy": Repository(both),
        "org/gated": Repository(both, is_gated=True),
        "org/private": Repository(both, is_private=True),
        "org/slow": Repository({SECOND: {"vocab.json": b"{}", "merges.txt": b"", "config.json": b"{}"}}),
        "org/diffusion": Repository({SECOND: {"tokenizer/tokenizer.json": b"{}", "model_index.json": b"{}"}}),
        "org/empty": Repository({SECOND: {}}),
        "org/many": Repository({SECOND: {f"{number}.bin": b"" for number in range(20)}}),
        "org/broken": Repository({SECOND: {"tokenizer.json": b"{"}}),
        "org/truncated": Repository(both, truncated={"tokenizer.json"}),
        "org/resumed": Repository(both, truncated={"tokenizer.json"}, resumes=True),
        "org/stalling": Repository(both, stalls=True),
    }


class HubServer(ThreadingHTTPServer):
    """Serves the :func:`repositories`. ``requests`` are the methods and paths asked; ``status`` is answered to all."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.repositories = repositories()
        self.requests: list[tuple[str, str]] = []
        self.status: int | None = None
        self.released = threading.Event()

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Leave it to the client to say that it has hung up, as it does where it does not wait."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    def files_sent(self) -> set[str]:
        return {path.rpartition("/")[2] for method, path in self.requests if method == "GET" and "/api/" not in path}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: HubServer

    def log_message(self, *_: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self.answer()

    def do_GET(self) -> None:
        self.answer()

    def answer(self) -> None:
        path = urlsplit(self.path).path  # a revision may hold slashes, as %2F
        self.server.requests.append((self.command, unquote(path)))
        if self.server.status is not None:
            self.refuse(self.server.status)
        elif path.startswith("/api/models/"):
            name, _, revision = path.removeprefix("/api/models/").partition("/revision/")
            self.info(name, unquote(revision))
        elif path.startswith("/cdn/"):
            self.linked_file(path)
        else:
            name, _, rest = path[1:].partition("/resolve/")
            revision, _, file = rest.partition("/")
            self.file(name, unquote(revision), file)

    # Answers ---------------------------------------------------------------------------------------------------------

    def info(self, name: str, revision: str) -> None:
        repository = self.accessible(name)
        commit = self.commit(repository, revision)
        if repository is None or commit is None:
            return
        files = [{"rfilename": file} for file in repository.files[commit]]
        content = json.dumps({"id": name, "modelId": name, "sha": commit, "siblings": files}).encode()
        self.send(200, content, {"Content-Type": "application/json"})

    def file(self, name: str, revision: str, file: str) -> None:
        repository = self.accessible(name)
        commit = self.commit(repository, revision)
        if repository is None or commit is None:
            return
        if repository.is_gated and not self.is_authorized():
            self.refuse(401, "GatedRepo", "Access to this repository is restricted")
        elif file not in repository.files[commit]:
            self.refuse(404, "EntryNotFound", "Entry not found")
        elif file in repository.linked:
            content = repository.files[commit][file]
            linked = {"X-Linked-Etag": f'"{hashlib.sha256(content).hexdigest()}"', "X-Linked-Size": str(len(content))}
            self.send(302, b"", {"Location": f"/cdn/{name}/{commit}/{file}", "X-Repo-Commit": commit, **linked})
        else:
            self.content(repository, commit, file)

    def linked_file(self, path: str) -> None:
        name, commit, file = path.removeprefix("/cdn/").rsplit("/", 2)
        self.content(self.server.repositories[name], commit, file)

    def content(self, repository: Repository, commit: str, file: str) -> None:
        content = repository.files[commit][file]
        headers = {"ETag": f'"{hashlib.sha1(content).hexdigest()}"', "X-Repo-Commit": commit}
        if self.command == "GET" and repository.stalls:
            self.server.released.wait(10)
        if self.command == "GET" and file in repository.truncated:
            self.truncated(content, headers, resumes=repository.resumes)
        else:
            self.send(200, content, headers)

    def truncated(self, content: bytes, headers: dict[str, str], *, resumes: bool) -> None:
        """Send half of ``content`` and hang up; when asked for the rest, send it, or hang up again."""
        start = int((self.headers["Range"] or "bytes=0-").removeprefix("bytes=").rstrip("-"))
        end = len(content) if start and resumes else max(start, len(content) // 2)
        self.send_response(206 if start else 200)
        for name, value in {**headers, "Content-Length": str(len(content) - start)}.items():
            self.send_header(name, value)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        self.end_headers()
        self.wfile.write(content[start:end])
        self.close_connection = True

    # Access ----------------------------------------------------------------------------------------------------------

    def is_authorized(self) -> bool:
        return self.headers["Authorization"] == f"Bearer {TOKEN}"

    def accessible(self, name: str) -> Repository | None:
        repository = self.server.repositories.get(name)
        given = self.headers["Authorization"]
        if given is not None and not self.is_authorized():
            self.refuse(401, None, "Invalid credentials in Authorization header")
        elif repository is None or (repository.is_private and not self.is_authorized()):
            self.refuse(404 if self.is_authorized() else 401, "RepoNotFound", "Repository not found")
        else:
            return repository
        return None

    def commit(self, repository: Repository | None, revision: str) -> str | None:
        if repository is None:
            return None
        commit = {"v1": FIRST, "refs/pr/1": FIRST, "main": SECOND}.get(revision, revision)
        if commit not in repository.files:
            self.refuse(404, "RevisionNotFound", f"Invalid rev id: {revision}")
            return None
        return commit

    def refuse(self, status: int, code: str | None = None, message: str = "") -> None:
        headers = {"X-Error-Message": message} | ({} if code is None else {"X-Error-Code": code})
        self.send(status, json.dumps({"error": message}).encode(), headers)

    def send(self, status: int, content: bytes, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)
