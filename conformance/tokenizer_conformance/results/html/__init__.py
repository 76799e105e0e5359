"""A page as one HTML file: a template with automatic escaping, and what its script shows when it is asked for.

The text of a record reaches the page in two ways only: through the template, which escapes it, and through data that
the script puts into the page as text, never as markup. The page's Content-Security-Policy allows the one script and the
one style sheet that are in it, and nothing from anywhere else.
"""
