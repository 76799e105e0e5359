"""``tokconf run``: implementations compared on tokenizers and texts, stage by stage."""
