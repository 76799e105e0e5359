"""``tokconf audit loader``: what a loader makes of a tokenizer.json, component by component, with what shows it."""
