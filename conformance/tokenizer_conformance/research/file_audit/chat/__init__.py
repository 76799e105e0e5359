"""What the chat template of a checkpoint does to conversations, looked into with conversations that show it.

The template is rendered by the reference; the baseline makes ids of what comes of it. A finding has the messages that
show it. Nothing is said of a template that was not seen in a prompt of it.
"""
