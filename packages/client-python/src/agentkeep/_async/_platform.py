"""What asynchronous clients are made of."""

from __future__ import annotations

import asyncio

import httpx

HttpClient = httpx.AsyncClient
HttpTransport = httpx.AsyncBaseTransport
Lock = asyncio.Lock


async def pause(seconds: float) -> None:
    """Waits for a while."""
    await asyncio.sleep(seconds)
