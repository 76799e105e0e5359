"""Python imports this as it starts where the folder is on ``PYTHONPATH``: every process records the lines it runs."""

import os

from power.line_recorder import start
from power.process_lines import FOLDER

if os.environ.get(FOLDER):
    start()
