"""What results are: records, pages and their parts, HTML, plots, and the files that CI systems read."""
