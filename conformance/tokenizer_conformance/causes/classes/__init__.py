"""The classes of reasons, and the experiments that prove them."""
