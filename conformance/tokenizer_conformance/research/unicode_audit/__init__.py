"""``tokconf audit unicode``: which version of Unicode explains what is done with characters.

Behaviours (a table) lead to probes, these to sweeps, these to sightings. Rules of a kind, with each version of Unicode,
explain what was seen. What a stage does not show is read from ids of documents made for it.
"""
