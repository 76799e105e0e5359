"""Values that pass between the stages: pieces, tokens and encodings. Nothing here knows a component."""
