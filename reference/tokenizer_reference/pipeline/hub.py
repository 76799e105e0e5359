"""tokenizer.json by name: of a folder, or of a repository on the Hugging Face hub."""

from __future__ import annotations

from pathlib import Path

FILE_NAME = "tokenizer.json"


def find_tokenizer_json(identifier: str, revision: str, token: str | None) -> Path:
    """Return the path of the tokenizer.json of a folder, or else of a repository on the hub.

    A repository is asked for with ``huggingface_hub``, which looks into its cache, downloads what is not there, and has
    settings of its own (``HF_HOME``, ``HF_HUB_OFFLINE``, …). What it raises says what went wrong and is passed on.

    Raises :class:`ModuleNotFoundError` where ``huggingface_hub`` is needed and not installed.
    """
    file = Path(identifier, FILE_NAME)
    if file.is_file():
        return file
    try:
        # Only this function needs it, and importing it takes longer than the whole of this package.
        from huggingface_hub import hf_hub_download  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"{identifier!r} is no folder with a {FILE_NAME}, and to get it from the Hugging Face hub "
            "huggingface_hub is needed: pip install huggingface_hub",
            name=error.name,
        ) from None
    try:
        return Path(hf_hub_download(repo_id=identifier, filename=FILE_NAME, revision=revision, token=token))
    except Exception as error:
        error.add_note(f"{identifier!r} is no folder with a {FILE_NAME} either.")
        raise
