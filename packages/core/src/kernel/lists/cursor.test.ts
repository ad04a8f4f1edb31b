/** Cursors are bound to one list of one tenant and have one form. */
import { describe, expect, test } from 'vitest';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { decodeCursor, encodeCursor, staleCursor } from './cursor.js';

const identity = { list: 'credentials', tenantId: 'acme' };
const position = '01934f2a-7c1b-7000-8000-1234567890ab';
const cursor = encodeCursor(identity, position);
const refused = new AgentkeepError('invalid_request', { members: [staleCursor] });

describe('cursors', () => {
  test('encode a position deterministically', () => {
    expect(decodeCursor(identity, cursor)).toBe(position);
    expect(encodeCursor(identity, position)).toBe(cursor);
    expect(cursor).toMatch(/^[\w-]+$/);
  });

  test.each([
    ['another tenant', { ...identity, tenantId: 'other' }],
    ['another list', { ...identity, list: 'accounts' }],
  ])('are refused for %s', (_, foreign) => {
    expect(() => decodeCursor(foreign, cursor)).toThrow(refused);
  });

  test.each([
    ['empty', ''],
    ['garbage', 'invalid'],
    ['padded', `${cursor}=`],
    ['truncated', cursor.slice(0, -1)],
    ['lengthened', `${cursor}A`],
    ['spelled with other characters', cursor.replace(/.$/, '+')],
  ])('are refused when %s', (_, broken) => {
    expect(() => decodeCursor(identity, broken)).toThrow(refused);
  });
});
