/** Tests the lines that samples make. */
import { describe, expect, test } from 'vitest';
import type { Sample } from './samples.js';
import { levels, rates } from './series.js';

const sampleAt = (atMs: number, answerMs: number | undefined): Sample => ({
  ...{ atMs, state: 'ready', answerMs, stats: undefined, readings: undefined },
});

describe('the lines of samples', () => {
  const samples = [
    ...[sampleAt(0, 10), sampleAt(5_000, 20), sampleAt(7_000, 20)],
    ...[sampleAt(9_000, 3), sampleAt(11_000, undefined), sampleAt(13_000, 7)],
  ];

  test('a rate is by second, and has gaps where a count began anew or is not known', () => {
    const found = rates(samples, ({ answerMs }) => answerMs).map(({ value }) => value);
    expect(found).toEqual([undefined, 2, 0, undefined, undefined, undefined]);
  });

  test('a level is what each sample says', () => {
    const found = levels(samples, ({ answerMs }) => answerMs);
    expect(found.map(({ value }) => value)).toEqual([10, 20, 20, 3, undefined, 7]);
    expect(found.at(-1)?.atMs).toBe(13_000);
  });
});
