/** API keys against a known key, and the distribution of their characters. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { systemEntropy } from '../../../kernel/ports/entropy.js';
import { digestOfApiKey, isApiKey, newApiKey, prefixOfApiKey } from './api-key-text.js';
import { looksLikeApiKey } from './api-key-start.js';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** CRC-32 of IEEE 802.3, a bit at a time. */
function slowCrc32(text: string): number {
  let crc = 0xffff_ffff;
  for (const byte of Buffer.from(text, 'latin1')) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb8_8320 : crc >>> 1;
  }
  return ~crc >>> 0;
}

/** Six base62 digits, by division of the whole by each power. */
function slowDigits(value: number): string {
  const powers = [5, 4, 3, 2, 1, 0].map((power) => 62 ** power);
  return powers.map((power) => alphabet[Math.floor(value / power) % 62]).join('');
}

const random = 'Ab3xAb3xAb3xAb3xAb3xAb3xAb3xAb3x';
const known = `ak_live_${random}${slowDigits(slowCrc32(`ak_live_${random}`))}`;

describe('a key', () => {
  test('ends with a checksum that an independent implementation confirms', () => {
    expect(slowCrc32('123456789')).toBe(0xcbf4_3926);
    expect(isApiKey(known)).toBe(true);
    expect(known).toMatch(/^ak_live_[0-9A-Za-z]{38}$/);
    expect(prefixOfApiKey(known)).toBe('ak_live_Ab3x');
    const digest = createHash('sha256').update(Buffer.from(known, 'latin1')).digest();
    expect(digestOfApiKey(known)).toEqual(digest);
  });

  test('pads its checksum with zeros', () => {
    // The greatest CRC-32 takes all six digits, and its first is at most 4.
    expect(slowDigits(0xffff_ffff)).toBe('4gfFC3');
    let padded: string | undefined;
    while (padded === undefined) {
      const key = newApiKey(systemEntropy);
      if (key.charAt(40) === '0') padded = key;
    }
    expect(padded.slice(40)).toBe(slowDigits(slowCrc32(padded.slice(0, 40))));
  });

  test('uses the bytes of the entropy and skips those that would bias a character', () => {
    let at = 247;
    const entropy = { bytes: (length: number) => Uint8Array.from({ length }, () => at++) };
    // Bytes run 247 to 255 and on from 0: 247 counts as 61, 248 to 255 not at all.
    expect(newApiKey(entropy).slice(8, 40)).toBe('z0123456789ABCDEFGHIJKLMNOPQRSTU');
  });

  test.each([
    '',
    'ak_live_',
    known.slice(0, -1),
    `${known}0`,
    `${known}\n`,
    ` ${known}`,
    known.replace('live', 'test'),
    known.toUpperCase(),
    known.replace('Ab3x', 'Ab3-'),
    known.replace('Ab3x', 'Ab3é'),
    `ak_live_${random}000000`,
  ])('is not %j', (text) => {
    expect(isApiKey(text)).toBe(false);
  });

  test('is recognised by its prefix', () => {
    expect(looksLikeApiKey(known.slice(0, -1))).toBe(true);
    expect(looksLikeApiKey('ak1_00')).toBe(false);
  });
});

test('every character is equally likely', () => {
  const keys = 4_000;
  const counts = new Map<string, number>();
  for (let index = 0; index < keys; index += 1) {
    for (const char of newApiKey(systemEntropy).slice(8, 40)) {
      counts.set(char, (counts.get(char) ?? 0) + 1);
    }
  }
  expect(counts.size).toBe(62);
  const mean = (keys * 32) / 62;
  const chiSquare = [...counts.values()].reduce((sum, n) => sum + (n - mean) ** 2 / mean, 0);
  // 61 degrees of freedom: exceeded about once in 100 million runs. A plain modulo gives 840.
  expect(chiSquare).toBeLessThan(150);
});
