"""Tests of the synchronous client, generated from those of ``_async``."""
