"""The plots of what was measured, in a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.sinks import write_atomically
from tokenizer_conformance.command_io.standard_streams import reason_of
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.research.metrics.events import Measured
from tokenizer_conformance.research.metrics.plots import plot_names, plots_of
from tokenizer_conformance.results.plots.drawing import FORMATS, drawn, is_plot
from tokenizer_conformance.results.plots.library import require_matplotlib

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tokenizer_conformance.research.metrics.events import MetricsEvent


class PlotFolder:
    """Draws plots into ``folder`` at the end, each whole or not at all.

    Building raises :class:`BadInputError` where they cannot be drawn or put there, or would replace what is no plot of
    ours, unless ``force``.
    """

    def __init__(self, folder: Path, *, force: bool = False) -> None:
        self._folder = folder
        require_matplotlib()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for path in _every_path(folder):
                if path.exists() and not force and not is_plot(path.read_bytes()):
                    raise BadInputError(
                        f"--plots would replace {str(path)!r}, which is no plot of tokconf; give another folder, or "
                        "--force"
                    )
        except OSError as error:
            raise BadInputError(f"cannot write plots to {str(folder)!r}: {reason_of(error)}") from error

    def handle(self, event: MetricsEvent) -> None:
        """Draw what was measured. Raises ``OSError``."""
        if not isinstance(event, Measured):
            return
        for name, plot in plots_of(event.results):
            for form in FORMATS:
                write_atomically(self._folder / f"{name}.{form}", drawn(plot, form))


def _every_path(folder: Path) -> Iterator[Path]:
    return (folder / f"{name}.{form}" for name in plot_names() for form in FORMATS)
