"""``tokconf audit conversion``: what a file of another format says of a tokenizer, beside its tokenizer.json.

A file of another format (GGUF, a SentencePiece model, ranks) does not say all that a tokenizer.json says, and says it
in other words. So it is read *into* the tokenizer.json: all that it says is put in the place of what stands there, and
the rest stays (:class:`.overlay.Overlay`). A faithful conversion gives the same document. What is another in it is told
as by an audit of loaders: part by part, with the smallest text that shows this part alone.
"""
