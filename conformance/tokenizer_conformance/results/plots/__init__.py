"""Plots, drawn by ``matplotlib`` where that is installed."""
