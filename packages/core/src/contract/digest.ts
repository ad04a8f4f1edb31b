/**
 * SHA-256 and HMAC-SHA-256 for the whole project: portable code from `@noble/hashes`, and Node's
 * own where available, because it is two to fifteen times faster. Both give the same bytes.
 */
import type * as NodeCrypto from 'node:crypto';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 as portableSha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/** How a digest is written as text; base64url without padding (RFC 4648, section 5). */
type DigestEncoding = 'hex' | 'base64url';

/** A digest that takes its input in parts. Text counts as UTF-8. */
interface Sha256Stream {
  update(data: string | Uint8Array): Sha256Stream;
  /** Ends the stream; no call may follow. */
  digest(): Uint8Array;
  /** Ends the stream and returns its digest as text. */
  digestText(encoding: DigestEncoding): string;
}

/** One implementation of all digests. Text counts as UTF-8. */
export interface Digests {
  /** 32 bytes that the caller owns. */
  readonly sha256: (data: string | Uint8Array) => Uint8Array;
  readonly sha256Text: (data: string | Uint8Array, encoding: DigestEncoding) => string;
  readonly sha256Stream: () => Sha256Stream;
  /** Returns the HMAC of one key (RFC 2104), for many inputs. */
  readonly hmacSha256: (key: string | Uint8Array) => KeyedHmac;
}

/** An HMAC-SHA-256 as text. */
export type KeyedHmac = (data: string | Uint8Array, encoding: DigestEncoding) => string;

/** Digests that run in every JavaScript runtime. */
export const portableDigests: Digests = {
  sha256: (data) => portableSha256(bytesOf(data)),
  sha256Text: (data, encoding) => textOf(portableSha256(bytesOf(data)), encoding),
  sha256Stream: () => {
    const hash = portableSha256.create();
    const stream: Sha256Stream = {
      update(data) {
        hash.update(bytesOf(data));
        return stream;
      },
      digest: () => hash.digest(),
      digestText: (encoding) => textOf(hash.digest(), encoding),
    };
    return stream;
  },
  hmacSha256: (key) => (data, encoding) =>
    textOf(hmac(portableSha256, bytesOf(key), bytesOf(data)), encoding),
};

/** The part of `process` that a browser lacks. */
interface Host {
  readonly getBuiltinModule?: (id: 'node:crypto') => typeof NodeCrypto;
}

/** Digests by Node's `crypto` module. */
export function nodeDigests({ hash, createHash }: typeof NodeCrypto): Digests {
  // Node takes twice the time to make a buffer.
  const sha256 = (data: string | Uint8Array): Uint8Array =>
    ownBytesOf(hash('sha256', data, 'binary'));
  return {
    sha256,
    sha256Text: (data, encoding) => hash('sha256', data, encoding),
    sha256Stream: () => {
      const hash = createHash('sha256');
      const stream: Sha256Stream = {
        update(data) {
          hash.update(data);
          return stream;
        },
        digest: () => hash.digest(),
        digestText: (encoding) => hash.digest(encoding),
      };
      return stream;
    },
    hmacSha256: (key) => {
      // Two plain digests take half the time of an object of `createHmac`.
      const block = hmacBlock(key, sha256);
      const inner = block.map((byte) => byte ^ 0x36);
      const outer = block.map((byte) => byte ^ 0x5c);
      return (data, encoding) => {
        const digest = sha256(joined(inner, bytesOf(data)));
        return hash('sha256', joined(outer, digest), encoding);
      };
    },
  };
}

// Looked up, not imported, so that a browser can load this module.
const host = (globalThis as { readonly process?: Host }).process;
const node = host?.getBuiltinModule?.('node:crypto');
const digests = node === undefined ? portableDigests : nodeDigests(node);

/** The SHA-256 digest in 32 bytes that the caller owns. */
export const sha256 = digests.sha256;

/** The SHA-256 digest as text. */
export const sha256Text = digests.sha256Text;

/** A SHA-256 digest of an input that arrives in parts. */
export const sha256Stream = digests.sha256Stream;

/** Returns the HMAC-SHA-256 of one key, for many inputs. */
export const hmacSha256 = digests.hmacSha256;

/** Returns the bytes of a text of one character per byte, in memory of their own. */
function ownBytesOf(text: string): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(text.length);
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
  return bytes;
}

const encoder = new TextEncoder();

function bytesOf(data: string | Uint8Array): Uint8Array {
  return typeof data === 'string' ? encoder.encode(data) : data;
}

const BLOCK_BYTES = 64;

/** Returns a key as HMAC uses it: filled up with zeros, and hashed first if it is longer. */
function hmacBlock(
  key: string | Uint8Array,
  digestOf: (long: Uint8Array) => Uint8Array,
): Uint8Array {
  const bytes = bytesOf(key);
  const block = new Uint8Array(BLOCK_BYTES);
  block.set(bytes.length > BLOCK_BYTES ? digestOf(bytes) : bytes);
  return block;
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

function textOf(bytes: Uint8Array, encoding: DigestEncoding): string {
  if (encoding === 'hex') return bytesToHex(bytes);
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
