"""``tokconf run``: implementations compared on tokenizers and texts, stage by stage.

``compared.py`` says the result of an input. Who compares is this process or, with ``--jobs``, several (``workers.py``,
``worker.py``); their results are taken in the order of the inputs, so all that is counted, told and
recorded is that of one process.

What differs is asked about again before it is believed (``sides.py``); a second answer that is another one makes it
*unstable*. **Blame** is the first stage at which an input differs; later differences of that input are its
consequences. A **finding** gathers differences of one kind, with an example made small as long as it shows the same
and no earlier stage explains it (``shrinking.py``). Verdicts are counted apart, and conformity is earned:
``concluding.py`` compares what was answered with what an implementation says it shows of the tokenizer and with what
the user requires. Words, batches and ids one by one are *extra* questions, counted apart (``tally.py``), since no
implementation has to answer them.

``known.py`` tells known differences and their consequences apart before anything is counted; ``stale.py`` says what a
run has compared. Every few seconds the engine emits a checkpoint; ``recorded_run.py`` reads a record back, and
``--resume`` goes on from there. A part (``plan.py``) is a stretch of the row of work; records of parts are merged
as a stream of events, so every report of a run is one of a merged run.
"""
