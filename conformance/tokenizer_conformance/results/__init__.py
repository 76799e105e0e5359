"""What results are shown as: a page and its parts, HTML, plots, and the files that CI systems read."""
