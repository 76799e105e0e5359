"""A bug report for the maintainers of an implementation: one difference, and what shows it without this project."""
