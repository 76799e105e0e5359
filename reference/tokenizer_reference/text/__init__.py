"""Text as the pipeline sees it: Unicode tables and rules, aligned strings, patterns."""
