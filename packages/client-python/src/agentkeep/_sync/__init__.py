"""Synchronous clients, generated from those of ``_async``."""
