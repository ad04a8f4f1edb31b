"""Proves a key with each request (RFC 9449, DPoP), in place of a secret."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import time
from typing import Any, Callable, Dict, Generator, Mapping, Optional, Tuple

import httpx

from .retry import wrong_option


def _base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def _bytes_of(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class CallerKey(httpx.Auth):
    """A private key, and the token that names its credential.

    A request is signed again if the server asks for its nonce; then nothing was done yet.
    """

    def __init__(self, key: Mapping[str, Any]) -> None:
        token = key.get("token") if isinstance(key, Mapping) else None
        private = key.get("private_key") if isinstance(key, Mapping) else None
        if not isinstance(token, str) or not isinstance(private, Mapping):
            raise wrong_option("key", "a token and a private_key, which is a JWK")
        self._token = token
        self._header, self._sign = _signer(private)
        self._nonce: Optional[str] = None

    def auth_flow(
        self, request: httpx.Request
    ) -> Generator[httpx.Request, httpx.Response, None]:
        """Proves the key, with the nonce that the server gave."""
        # A token of a subject is bound to the same key.
        bearer = request.headers.get("Authorization", f"Bearer {self._token}")
        token = bearer[len("Bearer ") :]
        self._prove(request, token)
        response = yield request
        nonce = response.headers.get("DPoP-Nonce")
        if nonce is not None:
            self._nonce = nonce
            self._prove(request, token)
            yield request

    def _prove(self, request: httpx.Request, token: str) -> None:
        claims: Dict[str, Any] = {
            "jti": secrets.token_urlsafe(16),
            "htm": request.method,
            "htu": str(request.url.copy_with(query=None, fragment=None)),
            "iat": int(time.time()),
            "ath": _base64url(hashlib.sha256(token.encode("ascii")).digest()),
        }
        if self._nonce is not None:
            claims["nonce"] = self._nonce
        parts = (self._header, claims)
        signed = ".".join(_base64url(json.dumps(part).encode("utf-8")) for part in parts)
        proof = f"{signed}.{_base64url(self._sign(signed.encode('ascii')))}"
        request.headers["Authorization"] = f"DPoP {token}"
        request.headers["DPoP"] = proof


def _signer(private: Mapping[str, Any]) -> Tuple[Dict[str, Any], Callable[[bytes], bytes]]:
    try:
        from cryptography.hazmat.primitives.asymmetric import ec, ed25519
        from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
        from cryptography.hazmat.primitives.hashes import SHA256
    except ImportError as error:
        raise wrong_option("key", "used with the extra: pip install agentkeep[keys]") from error
    names = ("kty", "crv", "x", "y") if private.get("kty") == "EC" else ("kty", "crv", "x")
    header: Dict[str, Any] = {"typ": "dpop+jwt", "jwk": {name: private[name] for name in names}}
    if private.get("crv") == "Ed25519":
        key = ed25519.Ed25519PrivateKey.from_private_bytes(_bytes_of(private["d"]))
        return {**header, "alg": "Ed25519"}, key.sign
    if private.get("crv") != "P-256":
        raise wrong_option("key", "a key of Ed25519 or P-256")
    number = int.from_bytes(_bytes_of(private["d"]), "big")
    curve_key = ec.derive_private_key(number, ec.SECP256R1())

    def sign(data: bytes) -> bytes:
        r, s = decode_dss_signature(curve_key.sign(data, ec.ECDSA(SHA256())))
        return r.to_bytes(32, "big") + s.to_bytes(32, "big")

    return {**header, "alg": "ES256"}, sign
