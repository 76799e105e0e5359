"""What a command has checked, as values that depend on no command, and the files in which CI systems read them."""
