"""Two answers to one question: asking for them, comparing them, laying the blame, and making a case small."""
