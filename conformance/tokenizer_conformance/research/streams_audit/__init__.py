"""``tokconf audit streams``: the texts of a stream, joined, are the text of all its ids decoded at once.

That is asked of each implementation alone. ``drawing`` draws streams as engines have them: ids of texts, of the whole
vocabulary and of single bytes, special tokens among them, after prompts, in steps of any size. ``law`` says what must
hold, and where it cannot: some decoders change with further ids what earlier ones gave. ``reasons`` says why it does
not hold, with proof.
"""
