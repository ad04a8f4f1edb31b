/**
 * An id or a text of one tenant in an answer to another is told.
 */
import { expect, test } from 'vitest';
import { Isolation, markOf } from './isolation.js';
import { INSTALLATION } from '../models/world.js';

const ID = '01900000-0000-7000-8000-00000000000a';
const MASTER = '01900000-0000-7000-8000-00000000000b';

const isMaster = (id: string): boolean => id === MASTER;

test('an id is of whoever was told of it first', () => {
  const isolation = new Isolation(isMaster);
  isolation.check('issue', 'tenant-a', { credential: { id: ID } });
  isolation.check('list', 'tenant-a', [ID]);
  expect(() => isolation.check('list', 'tenant-b', { items: [{ by: `user:${ID}` }] })).toThrow(
    `list shows ${ID} of tenant-a to tenant-b`,
  );
});

test('a text gives away whose it is', () => {
  const isolation = new Isolation(isMaster);
  const answer = { text: `${markOf('tenant-a')} 1` };
  isolation.check('query', 'tenant-a', answer);
  isolation.check('query', INSTALLATION, answer);
  expect(() => isolation.check('query', 'tenant-b', answer)).toThrow('a text of tenant-a');
});

test('the installation sees all, and tenants see who of the installation acted', () => {
  const isolation = new Isolation(isMaster);
  isolation.check('register', INSTALLATION, { id: ID });
  isolation.check('list', 'tenant-a', { id: ID, created_by: MASTER });
  isolation.check('list', 'tenant-b', { created_by: MASTER });
  isolation.check('list', INSTALLATION, { id: ID });
});
