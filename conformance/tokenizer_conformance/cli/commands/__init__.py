"""What each command takes and says of itself; what carries it out stands beside this folder, and is imported then."""
