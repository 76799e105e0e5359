"""``tokconf diff`` between two records: what is new, fixed, changed, the same, and what cannot be told.

Each kind of record is read (:mod:`read_record`) as *outcomes* with keys; what becomes of them from one record to the
other is found without knowing the kind (:mod:`changes`). Nothing is new that was not compared then, nothing fixed that
was not compared now.
"""
