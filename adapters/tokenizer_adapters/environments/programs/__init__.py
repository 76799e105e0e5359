"""Programs that the Python of an environment runs by their path, in isolation: ``python -I PROGRAM ARGUMENTS``.

That environment does not have this package, so they import nothing of it. Each prints one line of JSON at its end.
"""
