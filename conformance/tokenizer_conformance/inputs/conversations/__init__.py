"""Conversations: what a chat template is given, built in, drawn, and from files of users."""
