"""``tokconf audit loader``: what a loader, such as AutoTokenizer, makes of a tokenizer.json.

Both documents are written by one implementation first, so that other forms of the same are no difference. Each replaced
component is put into the user's document alone, and the baseline is asked about both, with no loader in the loop. The
loader is asked last: it answers so, in a third way, or as the file does.
"""
