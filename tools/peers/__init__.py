"""The implementations that are compared: what is said of each (``NAME.toml``), its findings asked again, its page."""
