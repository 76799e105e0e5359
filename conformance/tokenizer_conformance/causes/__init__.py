"""Why two implementations differ: witnesses, experiments on them, and what they come to."""
