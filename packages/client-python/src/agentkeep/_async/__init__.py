"""Asynchronous clients. Those of ``_sync`` are generated from them."""
