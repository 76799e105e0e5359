"""Tools to look at tokenizers with."""

from tokenizer_reference.tools.visualizer import Annotation, EncodingVisualizer

__all__ = ["Annotation", "EncodingVisualizer"]
