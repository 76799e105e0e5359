"""Texts that are elsewhere are those of the same files here; faults of servers are told, and never waited for."""

from __future__ import annotations

import contextlib
import http.server
import importlib
import json
import os
import pickle
import re
import shutil
import socket
import subprocess
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_conformance import BadInputError
from tokenizer_conformance.inputs import remote
from tokenizer_conformance.inputs.partitions import partitions_of, read_partition
from tokenizer_conformance.inputs.remote import Url, is_url
from tokenizer_conformance.inputs.sources import sources_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tokenizer_conformance.inputs.sources import NamedSource

fsspec = importlib.import_module("fsspec")

LINES = [f"line {number} あ" for number in range(2000)]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("remote") / "corpus"
    (folder / "en").mkdir(parents=True)
    (folder / ".hidden").mkdir()
    (folder / ".hidden" / "a.txt").write_text("hidden\n")
    (folder / "a.txt").write_text("".join(f"{line}\n" for line in LINES), "utf-8")
    (folder / "README.md").write_text("read me\n")
    (folder / "en" / "b.jsonl").write_text("".join(f"{json.dumps({'text': line})}\n" for line in LINES))
    arrow, parquet, ipc = (importlib.import_module(f"pyarrow{name}") for name in ("", ".parquet", ".ipc"))
    table = arrow.table({"text": LINES})
    parquet.write_table(table, folder / "en" / "c.parquet", row_group_size=300)
    for name, writer in (("d.arrow", ipc.new_file), ("e.arrow", ipc.new_stream)):
        with writer(folder / "en" / name, table.schema) as file:
            file.write_table(table, max_chunksize=300)
    return folder


@pytest.fixture
def memory(corpus: Path) -> Iterator[str]:
    system = fsspec.filesystem("memory")
    system.put(f"{corpus}/", "/there/", recursive=True)
    yield "memory://there"
    system.rm("/there", recursive=True)


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "PAUSE_SECONDS", 0.001)


def inputs(source: NamedSource) -> list[tuple[str, str, str]]:
    return [(each.id, each.category, each.text) for each in source]


def refusal_of(word: str) -> str:
    (source,) = sources_of([word])
    with pytest.raises(BadInputError) as caught:
        list(source)
    return str(caught.value)


class AnsweredError(Exception):
    """A server answers with something else than a file."""

    def __init__(self, status: int) -> None:
        super().__init__()
        self.status = status


def test_a_question_is_put_again_where_another_answer_may_come() -> None:
    def attempts(status: int) -> int:
        put: list[int] = []

        def ask() -> None:
            put.append(status)
            raise AnsweredError(status)

        with pytest.raises(OSError, match=f"the server answers {status}"):
            remote.asked(ask)
        return len(put)

    assert {status for status in range(400, 500) if attempts(status) != 1} == {408, 429}
    assert [attempts(status) for status in (399, 408, 429, 500, 503)] == [4] * 5


@pytest.mark.parametrize("of", ["folder", "folder/", "pattern", "files"])
def test_files_elsewhere_are_what_they_are_here(corpus: Path, memory: str, of: str) -> None:
    words = {
        "folder": lambda at: [at],
        "folder/": lambda at: [f"{at}/"],
        "pattern": lambda at: [f"{at}/**/*.*"],
        "files": lambda at: [f"{at}/a.txt", f"{at}/en/b.jsonl", f"{at}/en/c.parquet"],
    }[of]
    here, there = sources_of(words(str(corpus))), sources_of(words(memory))
    if of == "pattern":  # what is hidden matches there
        there = [each for each in there if "hidden" not in each.name]
        here = [each for each in here if "hidden" not in each.name]
    assert [each.name for each in there] == [each.name for each in here]
    assert len(here) >= 3
    for one, other in zip(here, there, strict=True):
        assert inputs(one) == inputs(other)
        assert {each.options[1].replace(memory, str(corpus)) for each in there} == {each.options[1] for each in here}


@pytest.mark.parametrize("name", ["a.txt", "en/b.jsonl", "en/c.parquet", "en/d.arrow", "en/e.arrow"])
def test_partitions_are_read_by_ranges(corpus: Path, memory: str, name: str) -> None:
    (here,), (there,) = sources_of([corpus / name]), sources_of([f"{memory}/{name}"])
    for size in (1000, 10_000, 1 << 20):
        found = partitions_of(there, size=size)
        if name != "en/e.arrow":  # a stream elsewhere is not cut
            assert found.partitions == partitions_of(here, size=size).partitions
        assert (found.sha256 == partitions_of(here).sha256) == (name in {"a.txt", "en/b.jsonl"})
        parts = [list(read_partition(*pickle.loads(pickle.dumps((there, each))))) for each in found.partitions]
        assert [each for part in parts for each in part] == list(here)


def test_of_a_partition_no_more_is_asked_for_than_is_needed(memory: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fsspec.filesystem("memory").pipe("/there/large.txt", b"0123456789\n" * 1_000_000)
    (source,) = sources_of([f"{memory}/large.txt"])
    partition = partitions_of(source, size=2 << 20).partitions[2]
    asked: list[tuple[int, int]] = []
    read = fsspec.implementations.memory.MemoryFileSystem.cat_file
    monkeypatch.setattr(
        "fsspec.implementations.memory.MemoryFileSystem.cat_file",
        lambda self, path, start, end: asked.append((start, end)) or read(self, path, start, end),
    )
    assert len(list(read_partition(source, partition))) == partition.count
    assert asked == [(partition.place.start, partition.place.start + remote.AT_ONCE)]


@pytest.mark.parametrize("word", ["memory://there/none.txt", "memory://nowhere/", "memory://there/*.csv"])
@pytest.mark.usefixtures("memory")
def test_what_is_not_there_is_refused(word: str) -> None:
    nothing = "as a pattern it matches nothing there" if "*" in word else "nothing is there"
    assert refusal_of(word) == f"inputs file {word!r}: {nothing}, or nothing that your credentials may see"


def test_words_that_are_urls() -> None:
    assert all(map(is_url, ("s3://a/b", "hf://datasets/a", "simplecache::https://a/b", "HTTPS://a/b")))
    assert not any(map(is_url, ("C:\\a", "C://a", "datasets:a:b", "a.txt", "x/y://z", "a::b")))
    assert Url("https://example.org/a/b.jsonl?download=true").name == "b.jsonl"


def test_what_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_: str) -> None:
        raise ImportError("Install s3fs to access S3")

    monkeypatch.setattr("fsspec.core.url_to_fs", missing)
    assert "pip install 'tokenizer-conformance[s3]'" in refusal_of("s3://bucket/a.txt")
    assert refusal_of("other://bucket/a.txt").endswith("Install s3fs to access S3")


def test_a_checkpoint_elsewhere_is_no_corpus(memory: str) -> None:
    fsspec.filesystem("memory").pipe("/there/tokenizer.json", b"{}")
    assert "Is a directory" in refusal_of(memory)


def test_an_unknown_protocol_is_refused() -> None:
    assert "Protocol not known: foo" in refusal_of("foo://bucket/a.txt")


# A web server --------------------------------------------------------------------------------------------------------


class Server(http.server.ThreadingHTTPServer):
    """A server of files with ranges; ``faults`` takes place of the answers to GET, one each, as long as there are."""

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.folder = folder
        self.faults: list[Callable[[Handler], None]] = []
        self.with_ranges = True
        self.served = 0
        self.waiting = threading.Event()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing."""


class Handler(http.server.BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"
    wbufsize = -1

    def do_HEAD(self) -> None:
        self.answer(with_body=False)

    def do_GET(self) -> None:
        self.server.served += 1
        if self.server.faults:
            self.server.faults.pop(0)(self)
        else:
            self.answer(with_body=True)

    def answer(self, *, with_body: bool) -> None:
        path = self.server.folder / self.path.lstrip("/")
        if not path.is_file():
            self.send_error(404)
            return
        content = path.read_bytes()
        whole = len(content)
        asked = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        if asked and self.server.with_ranges:
            start, end = int(asked[1]), min(int(asked[2]) + 1, whole)
            content = content[start:end]
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{end - 1}/{whole}")
        else:
            self.send_response(200)
        if self.server.with_ranges:
            self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if with_body:
            self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def fails(self: Handler) -> None:
    self.send_error(500)


def is_busy(self: Handler) -> None:
    self.send_error(503)


def asks_for_patience(self: Handler) -> None:
    self.send_error(429)


def has_waited_enough(self: Handler) -> None:
    self.send_error(408)


def is_refused(self: Handler) -> None:
    self.send_error(403)


def cuts(self: Handler) -> None:
    self.send_response(206)
    self.send_header("Content-Length", "100000")
    self.end_headers()
    self.wfile.write(b"line")
    self.wfile.flush()
    self.connection.shutdown(socket.SHUT_RDWR)
    self.close_connection = True


def gives_less(self: Handler) -> None:
    self.send_response(206)
    self.send_header("Content-Length", "4")
    self.end_headers()
    self.wfile.write(b"line")


def hangs(self: Handler) -> None:
    self.server.waiting.wait(60)
    self.close_connection = True


@pytest.fixture
def server(corpus: Path) -> Iterator[Server]:
    pytest.importorskip("aiohttp", reason="http:// is read by aiohttp, of the extra 'http'")
    with Server(corpus) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.waiting.set()
        server.shutdown()
        thread.join()
    fsspec.implementations.http.HTTPFileSystem.clear_instance_cache()


def at(server: Server, name: str) -> NamedSource:
    (source,) = sources_of([f"http://127.0.0.1:{server.server_address[1]}/{name}"])
    return source


@pytest.mark.long_but(1)
@pytest.mark.parametrize("name", ["a.txt", "en/b.jsonl", "en/c.parquet", "en/d.arrow"])
def test_a_web_server_is_read_by_ranges(corpus: Path, server: Server, name: str) -> None:
    (here,), there = sources_of([corpus / name]), at(server, name)
    assert there.name == here.name
    assert inputs(there) == inputs(here)
    parts = partitions_of(there, size=5000).partitions
    assert [each for part in parts for each in read_partition(there, part)] == list(here)


TOO_OFTEN = [asks_for_patience, has_waited_enough]


@pytest.mark.parametrize("faults", [[fails], [is_busy, cuts], [gives_less, fails, cuts], TOO_OFTEN])
def test_faults_of_a_server_are_passed_over(server: Server, faults: list[Callable[[Handler], None]]) -> None:
    server.faults = list(faults)
    assert [each.text for each in at(server, "a.txt")] == LINES
    assert server.faults == []


@pytest.mark.parametrize(
    ("fault", "words", "asked"),
    [
        (fails, "the server answers 500 Internal Server Error (the last of 4 attempts)", 4),
        (is_refused, "the server answers 403 Forbidden", 1),
        (cuts, "(the last of 4 attempts)", 4),
        (gives_less, "4 bytes came in place of ", 4),
    ],
)
def test_faults_that_stay_are_told(server: Server, fault: Callable[[Handler], None], words: str, asked: int) -> None:
    server.faults = [fault] * 20
    source = at(server, "a.txt")
    with pytest.raises(BadInputError) as caught:
        list(source)
    assert str(caught.value).startswith(f"inputs file {source.word!r}: ")
    assert words in str(caught.value)
    assert server.served == asked


def test_a_server_that_does_not_answer_is_not_waited_for(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "ANSWER_SECONDS", 0.2)
    server.faults = [hangs] * 20
    with pytest.raises(BadInputError, match=r"there was no answer in time \(the last of 4 attempts\)"):
        list(at(server, "a.txt"))


def test_a_server_without_ranges_is_told(corpus: Path, server: Server) -> None:
    (corpus / "large.txt").write_bytes(b"a\n" * remote.AT_ONCE)
    server.with_ranges = False
    with pytest.raises(BadInputError, match="the server gives no parts of files; download it first"):
        list(at(server, "large.txt"))
    (corpus / "large.txt").unlink()


def test_a_server_that_is_not_there_is_told() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        word = f"http://127.0.0.1:{unused.getsockname()[1]}/a.txt"
    said = refusal_of(word)
    assert "Cannot connect to host" in said
    assert said.endswith("(the last of 4 attempts)")


def test_trouble_with_a_listing_is_told_and_not_met_again(memory: str, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def fails(*arguments: Any, **named: Any) -> None:
        calls.append((arguments, named))
        raise OSError("slow down")

    with monkeypatch.context() as patch:
        for method in ("find", "info"):
            patch.setattr(f"fsspec.implementations.memory.MemoryFileSystem.{method}", fails)
        assert refusal_of(memory) == f"inputs file {memory!r}: slow down (the last of 4 attempts)"
    assert len(calls) == remote.ATTEMPTS


def test_a_missing_page_is_told(server: Server) -> None:
    with pytest.raises(BadInputError, match="nothing is there"):
        list(at(server, "none.txt"))
    assert server.served <= 1


def test_a_file_that_changes_between_two_readings_is_refused(corpus: Path, server: Server) -> None:
    changing = corpus / "changing.txt"
    changing.write_bytes(b"a\nb\n" * 1000)
    source = at(server, "changing.txt")
    parts = partitions_of(source, size=100).partitions
    changing.write_bytes(b"a\nc\n" * 1000)
    with pytest.raises(BadInputError, match="has changed while it was used"):
        list(read_partition(source, parts[3]))
    changing.unlink()


# S3 ------------------------------------------------------------------------------------------------------------------


@pytest.fixture
def s3(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Give the address of a bucket with the corpus, on a server of this machine; credentials are in the environment."""
    program = os.environ.get("MOTO_SERVER") or shutil.which("moto_server")
    if program is None:
        pytest.skip("an object store is played by moto_server, of moto[server]; MOTO_SERVER may name it")
    s3fs = pytest.importorskip("s3fs", reason="s3:// is read by s3fs, of the extra 's3'")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    names = {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}", "AWS_DEFAULT_REGION": "us-east-1"}
    for name, value in {**names, "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret"}.items():
        monkeypatch.setenv(name, value)
    without_ours = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    with subprocess.Popen([program, "-p", str(port)], stderr=subprocess.DEVNULL, env=without_ours) as process:
        try:
            wait_for(port)
            store = s3fs.S3FileSystem(skip_instance_cache=True)
            store.mkdir("bucket")
            store.put(f"{corpus}/", "bucket/there/", recursive=True)
            yield "s3://bucket/there"
        finally:
            process.terminate()
            s3fs.S3FileSystem.clear_instance_cache()


def wait_for(port: int) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.1)
    pytest.fail("moto_server does not start")


@pytest.mark.long
def test_an_object_store_is_read_as_the_files_are_here(corpus: Path, s3: str) -> None:
    here, there = sources_of([str(corpus)]), sources_of([s3])
    assert [each.name for each in there] == [each.name for each in here]
    for one, other in zip(here, there, strict=True):
        assert inputs(one) == inputs(other)
        parts = partitions_of(other, size=10_000).partitions
        assert [each for part in parts for each in read_partition(other, part)] == list(one)
    assert [each.name for each in sources_of([f"{s3}/**/*.parquet"])] == ["en/c.parquet"]
    assert "nothing is there" in refusal_of("s3://bucket/none.txt")
    assert "nothing is there" in refusal_of("s3://nowhere/folder/")
