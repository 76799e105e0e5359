"""The measured figures of the documents: where each stands, what it has to be equal to, and what is no such figure."""
