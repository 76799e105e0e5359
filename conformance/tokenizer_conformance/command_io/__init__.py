"""What every command shares: reports and records, progress, interrupts, and the conclusion with its exit status."""
