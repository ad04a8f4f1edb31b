/**
 * An id or a text of one tenant in an answer to another is a mismatch.
 */
import { expect, test } from 'vitest';
import { Isolation, markOf } from './isolation.js';
import { INSTALLATION } from '../models/world.js';

const ID = '01900000-0000-7000-8000-00000000000a';
const MASTER = '01900000-0000-7000-8000-00000000000b';

const isMaster = (id: string): boolean => id === MASTER;

test('an id belongs to the authority that saw it first', () => {
  const isolation = new Isolation(isMaster);
  isolation.check('issue', 'tenant-a', { credential: { id: ID } });
  isolation.check('list', 'tenant-a', [ID]);
  expect(() => isolation.check('list', 'tenant-b', { items: [{ by: `user:${ID}` }] })).toThrow(
    `list shows ${ID} of tenant-a to tenant-b`,
  );
});

test('a marked text belongs to its authority', () => {
  const isolation = new Isolation(isMaster);
  const answer = { text: `${markOf('tenant-a')} 1` };
  isolation.check('query', 'tenant-a', answer);
  isolation.check('query', INSTALLATION, answer);
  expect(() => isolation.check('query', 'tenant-b', answer)).toThrow('a text of tenant-a');
});

test('the installation sees all, and tenants see its ids', () => {
  const isolation = new Isolation(isMaster);
  isolation.check('register', INSTALLATION, { id: ID });
  isolation.check('list', 'tenant-a', { id: ID, created_by: MASTER });
  isolation.check('list', 'tenant-b', { created_by: MASTER });
  isolation.check('list', INSTALLATION, { id: ID });
});
