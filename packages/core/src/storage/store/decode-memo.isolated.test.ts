/**
 * The memo decodes once, follows changes of the stored bytes, and stays within its memory bound.
 */
import { expect, test, vi } from 'vitest';
import { memoryKept } from '@agentkeep/testkit/memory-kept';
import { DecodeMemo, MEMO_BYTES_MAX } from './decode-memo.js';

const keyOf = (number: number): Buffer => Buffer.from(`key ${number}`.padEnd(60, '.'));
const sealedOf = (number: number): Buffer => Buffer.from(`"${number}"`.padEnd(100));
const decoderOf = (sealed: Buffer) => (): unknown => JSON.parse(sealed.toString());

test('bytes are decoded again only after they change', () => {
  const memo = new DecodeMemo<unknown>();
  const decode = vi.fn((text: string): unknown => text);
  const ask = (text: string): unknown =>
    memo.decode(keyOf(1), Buffer.from(text), () => decode(text));
  expect([ask('a'), ask('a'), ask('b'), ask('a')]).toEqual(['a', 'a', 'b', 'a']);
  expect(decode).toHaveBeenCalledTimes(3);
});

test('bytes on loan may change after they are decoded', () => {
  const memo = new DecodeMemo<unknown>();
  const loan = Buffer.from('"a"');
  expect(memo.decode(keyOf(1), loan, decoderOf(loan))).toBe('a');
  loan.write('"b"');
  expect(memo.decode(keyOf(1), loan, decoderOf(loan))).toBe('b');
});

test('the oldest entries are evicted beyond the bound', () => {
  const memo = new DecodeMemo<unknown>();
  const large = Buffer.alloc(MEMO_BYTES_MAX / 16 - 1_000);
  const decode = vi.fn(() => 0);
  for (let number = 0; number < 9; number += 1) memo.decode(keyOf(number), large, decode);
  memo.decode(keyOf(8), large, decode);
  expect(decode).toHaveBeenCalledTimes(9);
  memo.decode(keyOf(0), large, decode);
  expect(decode).toHaveBeenCalledTimes(10);
});

test('the bound limits memory, however small the values are', () => {
  const memo = new DecodeMemo<unknown>();
  const kept = memoryKept(() => {
    for (let number = 0; number < 60_000; number += 1) {
      const sealed = sealedOf(number);
      memo.decode(keyOf(number), sealed, decoderOf(sealed));
      // Other small buffers share the same memory blocks.
      if (number % 2 === 0) Buffer.allocUnsafe(4_000);
    }
  });
  expect(memo).toBeDefined();
  expect(kept).toBeGreaterThan(MEMO_BYTES_MAX / 8);
  expect(kept).toBeLessThan(1.25 * MEMO_BYTES_MAX);
});
