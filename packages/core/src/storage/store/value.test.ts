/** Values that are damaged, misplaced or of an unknown layout are never decoded. */
import { describe, expect, test } from 'vitest';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { fieldsLayout, number, text } from './fields.js';
import { openValue, sealValue } from './value.js';

const layout = fieldsLayout(1, { name: text, count: number });
const key = Buffer.from('key');
const inconsistent = new AgentkeepError('storage_inconsistency');

describe('sealValue and openValue', () => {
  test('return the value that was stored', () => {
    const value = { name: 'Ωmega', count: 3 };
    expect(openValue(layout, key, sealValue(layout, key, value))).toEqual(value);
  });

  test('refuse every single flipped bit', () => {
    const sealed = sealValue(layout, key, { name: 'n', count: 1 });
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const damaged = Buffer.from(sealed);
      damaged[bit >> 3]! ^= 1 << (bit & 7);
      expect(() => openValue(layout, key, damaged)).toThrow(inconsistent);
    }
  });

  test('refuse a value that is stored under another key', () => {
    const sealed = sealValue(layout, key, { name: 'n', count: 1 });
    expect(() => openValue(layout, Buffer.from('other'), sealed)).toThrow(inconsistent);
  });

  test('refuse unknown layout versions and truncated values', () => {
    const newer = { ...layout, version: 2 };
    const sealed = sealValue(newer, key, { name: 'n', count: 1 });
    expect(() => openValue(layout, key, sealed)).toThrow(inconsistent);
    for (let size = 0; size < sealed.length; size++) {
      expect(() => openValue(newer, key, sealed.subarray(0, size))).toThrow(inconsistent);
    }
  });
});
