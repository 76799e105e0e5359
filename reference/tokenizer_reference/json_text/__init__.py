"""JSON: its documents as the target reads and writes them, and values that name their place when they are refused."""
