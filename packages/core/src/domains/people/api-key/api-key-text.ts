/**
 * The text of API keys: `ak_live_`, 32 random base62 characters, and the CRC-32 of these 40
 * characters as 6 base62 digits, so that a mistyped key is refused without a look-up
 * (docs/contract/api-keys.md#key-7).
 */
import { sha256 } from '../../../contract/digest.js';
import { crc32 } from 'node:zlib';
import type { Entropy } from '../../../kernel/ports/entropy.js';
import { API_KEY_START } from './api-key-start.js';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARS = 32;
const CHECKSUM_CHARS = 6;
const COVERED_CHARS = API_KEY_START.length + RANDOM_CHARS;
const PREFIX_CHARS = 12;
const FORM = /^ak_live_[0-9A-Za-z]{38}$/;

/** The greatest multiple of 62 below 256. Bytes from here on would bias some characters. */
const UNBIASED_BYTES = 248;

/** Enough bytes that a second draw is rare, although some are skipped. */
const DRAWN_BYTES = 40;

/** Generates an API key. Each random character is equally likely. */
export function newApiKey(entropy: Entropy): string {
  let covered: string = API_KEY_START;
  while (covered.length < COVERED_CHARS) {
    for (const byte of entropy.bytes(DRAWN_BYTES)) {
      if (byte < UNBIASED_BYTES) covered += BASE62.charAt(byte % BASE62.length);
      if (covered.length === COVERED_CHARS) break;
    }
  }
  return covered + checksumOf(covered);
}

/** Returns whether a text has the form of an API key with a valid checksum. */
export function isApiKey(text: string): boolean {
  return FORM.test(text) && text.slice(COVERED_CHARS) === checksumOf(text.slice(0, COVERED_CHARS));
}

/** Returns the SHA-256 of a key, which is stored instead. Keys are random, so no salt is needed. */
export function digestOfApiKey(key: string): Uint8Array {
  return sha256(key);
}

/** Returns the first 12 characters of a key, which lists show to distinguish keys. */
export function prefixOfApiKey(key: string): string {
  return key.slice(0, PREFIX_CHARS);
}

function checksumOf(covered: string): string {
  let rest = crc32(covered);
  let digits = '';
  for (let digit = 0; digit < CHECKSUM_CHARS; digit++) {
    digits = BASE62.charAt(rest % BASE62.length) + digits;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
}
