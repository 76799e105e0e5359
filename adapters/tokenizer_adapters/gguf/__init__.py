"""The tokenizer inside a GGUF file, the format of llama.cpp: what it says, and what a conversion should have written.

A GGUF file begins with key-value pairs, and the tensors come after them: so all that is said about a tokenizer is read
without any weights (:mod:`.metadata`, :mod:`.vocabulary`). The format is described in ``docs/gguf.md`` of the project
ggml, the keys of tokenizers in ``gguf-py`` of llama.cpp.
"""
