"""Tests of the asynchronous client. Those of ``_sync`` are generated from them."""
