"""Classes of reasons: what each means, and the experiments that prove that a difference is in it."""
