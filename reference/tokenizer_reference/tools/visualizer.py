"""EncodingVisualizer: a text as a strip of coloured tokens, for a notebook or as a page of HTML.

The classes and their arguments are those of ``tokenizers``, the page is our own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from tokenizer_reference.tools.strip import pieces_of
from tokenizer_reference.tools.strip_page import page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tokenizer_reference.pipeline.tokenizer import Tokenizer


@dataclass
class Annotation:
    """A part of a text, ``start`` to ``end`` in code points, end exclusive, and what it is called."""

    start: int
    end: int
    label: str


class EncodingVisualizer:
    """Shows how ``tokenizer`` cuts texts: what stands between tokens, what stands for no text, and annotations.

    With ``default_to_notebook`` the page is shown in the notebook, otherwise it is returned. ``annotation_converter``
    makes an :class:`Annotation` of what is given as one.

    Raises :class:`ImportError` where a notebook is asked for and IPython is not installed.
    """

    unk_token_regex: ClassVar = re.compile("unk|oov", re.IGNORECASE)
    """What the names of unknown tokens contain."""

    def __init__(
        self,
        tokenizer: Tokenizer,
        default_to_notebook: bool = True,
        annotation_converter: Callable[[Any], Annotation] | None = None,
    ) -> None:
        if default_to_notebook:
            _notebook()
        self.tokenizer = tokenizer
        self.default_to_notebook = default_to_notebook
        self.annotation_converter = annotation_converter

    def __call__(
        self, text: str, annotations: Sequence[Any] | None = None, default_to_notebook: bool | None = None
    ) -> str | None:
        """Show ``text`` in the notebook, or return the page.

        ``default_to_notebook`` overrides what the visualizer was told.

        Of annotations that overlap the last one is shown. Raises :class:`IndexError` for one that is not within the
        text, and as :meth:`Tokenizer.encode`.
        """
        in_notebook = self.default_to_notebook if default_to_notebook is None else default_to_notebook
        show = _notebook() if in_notebook else None
        converter = self.annotation_converter
        given = [] if annotations is None else annotations
        converted: list[Annotation] = list(given) if converter is None else [converter(each) for each in given]
        encoding = self.tokenizer.encode(text)
        pieces = pieces_of(text, encoding, converted)
        colours = self.calculate_label_colors(converted)
        html = page(text, encoding, pieces, converted, colours, self.unk_token_regex)
        if show is None:
            return html
        show(html)
        return None

    @staticmethod
    def calculate_label_colors(annotations: Iterable[Annotation]) -> dict[str, str]:
        """Return a colour for each label, as CSS writes it. The same labels always get the same colours.

        >>> EncodingVisualizer.calculate_label_colors([Annotation(0, 1, "b"), Annotation(1, 2, "a")])
        {'a': 'hsl(10, 45%, 55%)', 'b': 'hsl(190, 45%, 55%)'}
        """
        labels = sorted({annotation.label for annotation in annotations})
        return {label: f"hsl({10 + 360 * at // len(labels)}, 45%, 55%)" for at, label in enumerate(labels)}


def _notebook() -> Callable[[str], object]:
    """Return the function that shows a page in a notebook. Raises :class:`ImportError` where there is none."""
    try:
        from IPython.display import HTML, display  # noqa: PLC0415 - only notebooks have it
    except ImportError:
        raise ImportError(
            "IPython is needed to show HTML in a notebook, and is not installed; "
            "with default_to_notebook=False the page is returned instead"
        ) from None
    return lambda html: display(HTML(html))
