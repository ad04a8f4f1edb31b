/** The memo of texts is bounded, and keeps what is used. */
import { expect, test } from 'vitest';
import { RecentTexts } from './recent-texts.js';

test('a text that is used stays, and the others go', () => {
  const memo = new RecentTexts<number>(4);
  memo.remember('used', 0);
  for (let index = 1; index <= 100; index += 1) {
    memo.remember(String(index), index);
    expect(memo.find('used')).toBe(0);
    expect(memo.size).toBeLessThanOrEqual(8);
  }
  expect(memo.find('1')).toBeUndefined();
  expect(memo.find('100')).toBe(100);
});
