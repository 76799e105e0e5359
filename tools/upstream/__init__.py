"""What runs the tests of `tokenizers` itself on another package: where they come from, and what they meet there."""
