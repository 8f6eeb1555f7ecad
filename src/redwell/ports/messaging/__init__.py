"""Queues, events and who is registered for them."""
