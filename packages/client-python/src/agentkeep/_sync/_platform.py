"""What synchronous clients are made of."""

from __future__ import annotations

import threading
import time

import httpx

HttpClient = httpx.Client
HttpTransport = httpx.BaseTransport
Lock = threading.Lock


def pause(seconds: float) -> None:
    """Waits for a while."""
    time.sleep(seconds)
