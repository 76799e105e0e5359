"""Names of the hub: what is fetched for them, from where, and what is said where that fails."""

from __future__ import annotations

import errno
import importlib.metadata
import logging
import os
import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import huggingface_hub
import huggingface_hub.constants as settings
import pytest
from hub_server import FIRST, SECOND, TOKEN, WEIGHTS, HubServer, document
from huggingface_hub.utils import close_session

from tokenizer_adapters.peers.files import SENTENCEPIECE_MODELS
from tokenizer_adapters.transformers import CONFIGURATIONS
from tokenizer_conformance import BadInputError
from tokenizer_conformance.inputs import hub
from tokenizer_conformance.inputs.bundled import bundled_file
from tokenizer_conformance.inputs.hub import BESIDE, HubName, HubSnapshot, hub_name
from tokenizer_conformance.inputs.tokenizer_files import locate, read_tokenizer

if TYPE_CHECKING:
    from collections.abc import Iterator

    Patch = pytest.MonkeyPatch


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def server(hub_server: HubServer, monkeypatch: Patch) -> Iterator[HubServer]:
    """A hub that is asked in place of the real one."""
    monkeypatch.setattr(settings, "HF_HUB_OFFLINE", False)
    ask(hub_server.endpoint, monkeypatch)
    # The client waits between attempts.
    monkeypatch.setattr("huggingface_hub.file_download.time.sleep", lambda _: None)
    yield hub_server
    close_session()


def ask(endpoint: str, monkeypatch: Patch) -> None:
    """Have the hub at ``endpoint`` be asked, as ``HF_ENDPOINT`` has where it is set when the client is imported."""
    template = settings.HUGGINGFACE_CO_URL_TEMPLATE.replace(settings.ENDPOINT, endpoint)
    monkeypatch.setattr(settings, "HUGGINGFACE_CO_URL_TEMPLATE", template)
    monkeypatch.setattr(settings, "ENDPOINT", endpoint)


def refusal(argument: str) -> str:
    with pytest.raises(BadInputError) as caught:
        locate(argument)
    message = str(caught.value)
    assert "\n" not in message
    return message


# Names ---------------------------------------------------------------------------------------------------------------

NAMES: list[tuple[str, HubName | None]] = [
    ("gpt2", HubName("gpt2", "main")),
    ("openai-community/gpt2", HubName("openai-community/gpt2", "main")),
    ("hub:openai-community/gpt2", HubName("openai-community/gpt2", "main")),
    ("a/b@v1.0", HubName("a/b", "v1.0")),
    ("a/b@refs/pr/1", HubName("a/b", "refs/pr/1")),
    (f"a/b@{FIRST}", HubName("a/b", FIRST)),
    ("Qwen/Qwen2.5-0.5B", HubName("Qwen/Qwen2.5-0.5B", "main")),
    ("a/b/c", None),
    ("a/b@", None),
    ("@v1", None),
    ("../b", None),
    ("a b", None),
    ("a/b@v 1", None),
    ("é/b", None),
    ("", None),
    ("hub:", None),
]


@pytest.mark.parametrize(("argument", "name"), NAMES)
def test_what_is_a_name_of_the_hub(argument: str, name: HubName | None) -> None:
    assert hub_name(argument) == name


def test_every_file_that_adapters_look_for_beside_the_tokenizer_is_fetched() -> None:
    assert {*SENTENCEPIECE_MODELS, *CONFIGURATIONS, "tekken.json"} <= set(BESIDE)
    assert not [name for name in BESIDE if name.endswith((".bin", ".safetensors", ".gguf", ".pt", ".h5", ".py"))]


def test_every_vocabulary_file_of_a_class_of_transformers_is_fetched() -> None:
    models = Path(importlib.metadata.distribution("transformers").locate_file("transformers/models"))  # type: ignore[arg-type]
    modules = sorted(models.glob("*/tokenization_*.py"))
    named = {
        name
        for module in modules
        for name in re.findall(r'"\w+_file": "([\w-]+\.[\w.-]+)"', module.read_text(encoding="utf-8"))
    }
    assert len(named) > 20
    assert named <= {"tokenizer.json", *BESIDE}


# Fetching ------------------------------------------------------------------------------------------------------------


def test_the_tokenizer_and_what_belongs_to_it_is_fetched_and_no_weights(server: HubServer, hub_cache: Path) -> None:
    found = locate("org/name")
    folder = hub_cache / "models--org--name" / "snapshots" / SECOND
    assert found.snapshot == HubSnapshot("org/name", SECOND, folder)
    assert (found.source.name, found.source.folder) == ("org/name", str(folder))
    assert Path(found.source.file).read_bytes() == document("second")
    assert {file.name for file in folder.iterdir()} == {"tokenizer.json", "tokenizer_config.json", "spiece.model"}
    assert server.files_sent() == {"tokenizer.json", "tokenizer_config.json", "spiece.model"}
    assert WEIGHTS not in server.files_sent()


@pytest.mark.parametrize("revision", ["v1", "refs/pr/1", FIRST])
def test_a_revision_is_fetched(server: HubServer, revision: str) -> None:
    found = locate(f"org/name@{revision}")
    assert found.source.name == f"org/name@{revision}"
    assert found.snapshot is not None
    assert found.snapshot.commit == FIRST
    assert Path(found.source.file).read_bytes() == document("first")
    assert server.files_sent() == {"tokenizer.json"}


def test_what_the_cache_has_is_not_sent_again(server: HubServer) -> None:
    first = locate("org/name")
    server.requests.clear()
    assert locate("org/name") == first
    assert server.files_sent() == set()


def test_a_name_without_owner_and_a_name_that_is_bundled_too(server: HubServer) -> None:
    assert locate("legacy").source.name == "legacy"
    assert locate("gpt2-mini").source.file == str(bundled_file("gpt2-mini"))
    forced = locate("hub:gpt2-mini")
    assert forced.snapshot is not None
    assert forced.source.name == "gpt2-mini"
    assert ("GET", "/api/models/gpt2-mini/revision/main") in server.requests


def test_a_folder_goes_before_the_hub(server: HubServer) -> None:
    folder = Path("org", "name")
    folder.mkdir(parents=True)
    (folder / "tokenizer.json").write_bytes(document("here"))
    assert locate("org/name").snapshot is None
    assert locate("hub:org/name").snapshot is not None
    assert server.requests


@pytest.mark.parametrize("name", ["org/gated", "org/private"])
def test_a_token_opens_what_is_closed(server: HubServer, monkeypatch: Patch, name: str) -> None:
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    assert locate(name).snapshot is not None
    assert server.files_sent()


def test_a_token_in_its_file_is_used(server: HubServer) -> None:
    Path(settings.HF_TOKEN_PATH).write_text(TOKEN)
    assert locate("org/private").snapshot is not None
    assert server.files_sent()


def test_a_download_that_was_broken_off_is_gone_on_with(server: HubServer, monkeypatch: Patch) -> None:
    monkeypatch.setattr(settings, "DOWNLOAD_CHUNK_SIZE", 8)
    assert Path(locate("org/resumed").source.file).read_bytes() == document("second")
    assert server.requests.count(("GET", "/org/resumed/resolve/main/tokenizer.json")) == 2


# Without the hub -----------------------------------------------------------------------------------------------------


def test_offline_the_cache_is_enough(server: HubServer, monkeypatch: Patch) -> None:
    online = locate("org/name")
    server.requests.clear()
    monkeypatch.setattr(settings, "HF_HUB_OFFLINE", True)
    offline = locate("org/name")
    assert offline.source == online.source
    assert offline.snapshot == HubSnapshot("org/name", SECOND, Path(str(online.source.folder)), is_cached=True)
    assert server.requests == []
    assert locate(f"org/name@{SECOND}").source.file == online.source.file


@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_where_the_hub_is_down_the_cache_is_enough(server: HubServer, status: int) -> None:
    online = locate("org/name")
    server.status = status
    cached = locate("org/name")
    assert cached.source == online.source
    assert cached.snapshot is not None
    assert cached.snapshot.is_cached


def test_where_nothing_listens_the_cache_is_enough(server: HubServer, monkeypatch: Patch) -> None:
    online = locate("org/name")
    ask("http://127.0.0.1:1", monkeypatch)
    server.requests.clear()
    assert locate("org/name").source == online.source
    assert server.requests == []


def test_another_revision_is_not_taken_for_the_one_in_the_cache(server: HubServer, monkeypatch: Patch) -> None:
    locate("org/name")
    assert server.requests
    monkeypatch.setattr(settings, "HF_HUB_OFFLINE", True)
    assert "the cache" in refusal("org/name@v1")


# Refusals ------------------------------------------------------------------------------------------------------------

HERE = "; and here is no file or folder of that name"

LACKS = f"the repository has no tokenizer.json at commit {SECOND}"

UNKNOWN = "no such repository, or a private one; check the spelling (OWNER/NAME), and for a private one set HF_TOKEN"

REFUSED = {
    "org/missing": f"{UNKNOWN}{HERE}",
    "org/private": f"{UNKNOWN}{HERE}",
    "org/gated": "the repository is gated: accept its terms on its page, and set HF_TOKEN to a token of that account",
    "org/name@v9": "'org/name' has no revision 'v9'; give a branch, a tag or a whole commit",
    "org/na--me": "that is no name of a repository; it is OWNER/NAME, with @REVISION where wanted; and here is no file "
    "or folder of that name",
    "org/slow": f"{LACKS} but vocab.json, merges.txt: convert it with transformers, "
    "AutoTokenizer.from_pretrained('org/slow').save_pretrained('folder'), and give the folder",
    "org/diffusion": f"{LACKS} but tokenizer/tokenizer.json: download that folder, and give it",
    "org/empty": f"{LACKS}; it has no files",
    "org/many": f"{LACKS}; it has 0.bin, 1.bin, 2.bin, 3.bin, 4.bin, 5.bin, 6.bin, 7.bin and 12 more",
}


@pytest.mark.parametrize(("argument", "reason"), REFUSED.items())
def test_what_is_not_to_be_had_is_refused(server: HubServer, argument: str, reason: str) -> None:
    assert refusal(argument) == f"tokenizer {argument!r} of the hub: {reason}"
    assert server.files_sent() == set()


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (400, "the hub answers with status 400; check the name, or give a folder"),
        (403, "the token gives no access to it; set HF_TOKEN to one that does"),
        (429, "the hub says that too much was asked of it; wait, or set HF_TOKEN"),
    ],
)
def test_a_status_is_put_into_words(server: HubServer, status: int, reason: str) -> None:
    server.status = status
    assert refusal("hub:org/name") == f"tokenizer 'org/name' of the hub: {reason}"


def test_a_bundled_name_that_may_be_meant_is_given(server: HubServer) -> None:
    assert refusal("gpt-mini").startswith("is the bundled 'gpt2-mini' meant? ")
    assert server.requests


def test_a_token_that_is_not_accepted(server: HubServer, monkeypatch: Patch) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_the-wrong-one")
    message = refusal("org/name")
    assert "the hub does not accept the token; set HF_TOKEN to a valid one" in message
    assert server.requests


def test_a_token_that_no_header_can_carry_is_not_shown(server: HubServer, monkeypatch: Patch) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_secret\x01value")
    message = refusal("org/name")
    assert "hf_secret" not in message
    assert server.files_sent() == set()


def test_offline_what_the_cache_lacks_is_refused(hub_cache: Path) -> None:
    assert refusal("hub:org/name") == (
        f"tokenizer 'org/name' of the hub: HF_HUB_OFFLINE is set, and the cache {str(hub_cache)!r} does not hold it; "
        "unset HF_HUB_OFFLINE, or give a folder with a tokenizer.json"
    )


def test_without_a_network_what_the_cache_lacks_is_refused(
    server: HubServer, hub_cache: Path, monkeypatch: Patch
) -> None:
    ask("http://127.0.0.1:1", monkeypatch)
    message = refusal("hub:org/name")
    assert message.startswith("tokenizer 'org/name' of the hub: 127.0.0.1 cannot be reached (ConnectError")
    assert message.endswith(
        f", and the cache {str(hub_cache)!r} does not hold it; check the network, or give a folder with a "
        "tokenizer.json (HF_HUB_OFFLINE=1 asks the cache alone)"
    )
    assert server.requests == []


def test_a_download_that_is_cut_off_again_and_again_is_refused(server: HubServer, hub_cache: Path) -> None:
    message = refusal("hub:org/truncated")
    assert message.startswith("tokenizer 'org/truncated' of the hub: the download of 'tokenizer.json' was broken off (")
    assert message.endswith("); run the command again, or download the repository and give its folder")
    assert not list(hub_cache.glob("models--org--truncated/snapshots/*/tokenizer.json"))
    assert len(server.requests) > 3, "it was tried more than once"


def test_a_hub_that_says_nothing_is_not_waited_for(server: HubServer, monkeypatch: Patch) -> None:
    monkeypatch.setattr(settings, "HF_HUB_ETAG_TIMEOUT", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        ask(f"http://127.0.0.1:{silent.getsockname()[1]}", monkeypatch)
        assert "127.0.0.1 cannot be reached (ReadTimeout" in refusal("hub:org/name")
    assert server.requests == []


def test_a_hub_that_falls_silent_is_not_waited_for(server: HubServer, monkeypatch: Patch) -> None:
    monkeypatch.setattr(settings, "HF_HUB_DOWNLOAD_TIMEOUT", 0.05)
    message = refusal("hub:org/stalling")
    assert "the download of 'tokenizer.json' was broken off (" in message
    assert "imed" in message
    assert server.requests


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.EACCES, "cannot be written: Permission denied; set HF_HOME to a folder that can"),
        (errno.EROFS, "cannot be written: Read-only file system; set HF_HOME to a folder that can"),
        (
            errno.ENOSPC,
            "cannot be written: No space left on device; make room, or set HF_HOME to another place",
        ),
    ],
)
def test_a_cache_that_cannot_be_written_is_named(
    server: HubServer, hub_cache: Path, monkeypatch: Patch, number: int, words: str
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(huggingface_hub.HfApi, "hf_hub_download", refuse)
    assert refusal("hub:org/name") == f"tokenizer 'org/name' of the hub: the cache {str(hub_cache)!r} {words}"
    assert server.requests


def test_a_cache_where_no_folder_can_be(server: HubServer, monkeypatch: Patch) -> None:
    Path("file").touch()
    monkeypatch.setattr(settings, "HF_HUB_CACHE", "file")
    message = refusal("hub:org/name")
    assert "the cache 'file' cannot be written: " in message
    assert message.endswith("set HF_HOME to a folder that can")
    assert server.requests


def test_a_tokenizer_of_the_hub_that_is_none_is_refused_as_any_file(server: HubServer) -> None:
    found = locate("org/broken")
    with pytest.raises(BadInputError, match="is not JSON"):
        read_tokenizer(found.source, found.snapshot)
    assert server.files_sent() == {"tokenizer.json"}


# The client ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("module", ["huggingface_hub", "huggingface_hub.errors"])
def test_without_the_client_the_message_says_what_to_install(monkeypatch: Patch, module: str) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    message = refusal("hub:org/name")
    assert message.startswith("tokenizer 'org/name' of the hub: huggingface_hub is ")
    assert message.endswith(f"; pip install '{hub.REQUIRED}', or give a folder")


def test_a_client_that_is_too_old_is_named(monkeypatch: Patch) -> None:
    monkeypatch.delattr("huggingface_hub.errors.DisabledRepoError")
    assert "huggingface_hub is too old or broken (" in refusal("hub:org/name")


def test_the_client_is_imported_for_a_name_of_the_hub_only() -> None:
    script = (
        "import sys; from tokenizer_conformance import find_tokenizer; find_tokenizer('gpt2-mini'); "
        "sys.exit('huggingface_hub' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], check=False, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("watched", [False, True])
def test_the_client_logs_nothing_meanwhile_where_nobody_watches(watched: bool, monkeypatch: Patch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: watched)
    logger = logging.getLogger("huggingface_hub")
    monkeypatch.setattr(logger, "level", logging.INFO)
    with hub.quiet_hub():
        assert logger.isEnabledFor(logging.CRITICAL) is watched
    assert logger.level == logging.INFO
    with pytest.raises(BadInputError), hub.quiet_hub():
        raise BadInputError("it failed")
    assert logger.level == logging.INFO
