/** Times of fields and addresses (docs/contract/console.md#csl-44). */
import { describe, expect, test } from 'vitest';
import { millisOfTime } from './local-time.js';

describe('CSL-44 a time of a field or an address', () => {
  test('without a zone is in that of the browser', () => {
    expect(millisOfTime('2035-02-28T09:30')).toBe(new Date(2035, 1, 28, 9, 30).getTime());
    const precise = new Date(2035, 1, 28, 9, 30, 5, 70).getTime();
    expect(millisOfTime('2035-02-28T09:30:05.07')).toBe(precise);
    expect(millisOfTime('0099-01-01T00:00')).toBe(new Date(99, 0, 1).setFullYear(99));
  });

  test('with a zone is the same everywhere', () => {
    const millis = Date.UTC(2036, 1, 29, 7, 30, 5);
    for (const text of [
      '2036-02-29T07:30:05Z',
      '2036-02-29T07:30:05.000Z',
      '2036-02-29T09:00:05+01:30',
      '2036-02-28T23:30:05-08:00',
    ]) {
      expect(millisOfTime(text), text).toBe(millis);
    }
  });

  test('is nothing else', () => {
    for (const text of [
      ...[
        '',
        'Chapter 5',
        '2035',
        '2035-02-01',
        '1 May 2035',
        '2035-2-1T00:00',
        ' 2035-02-01T00:00',
      ],
      ...['2035-02-31T00:00', '2035-02-29T00:00', '2035-13-01T00:00', '2035-00-10T00:00'],
      ...['2035-01-01T24:00', '2035-01-01T10:60', '2035-01-01T10:00:60', '2035-01-01 10:00'],
      ...['2035-01-01T10:00+24:00', '2035-01-01T10:00+0100', '+012035-01-01T10:00', '2e3'],
    ]) {
      expect(millisOfTime(text), text).toBeUndefined();
    }
  });
});
