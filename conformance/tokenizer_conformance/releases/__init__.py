"""The second use: what changed from one release to another? Snapshots, diffs, versions, known changes, loaders."""
