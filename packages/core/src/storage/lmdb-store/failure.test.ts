/** What failures of the system say about a data directory. */
import { constants } from 'node:os';
import { expect, test } from 'vitest';
import { fileFailure } from './failure.js';

test('a directory that the system keeps from being written says so', () => {
  const { EACCES, EROFS } = constants.errno;
  for (const [code, name] of [
    [EACCES, 'EACCES'],
    [EROFS, 'EROFS'],
    ['EROFS', 'EROFS'],
  ]) {
    const cause = Object.assign(new Error('Attempting to setup locks'), { code });
    const { message } = fileFailure(cause);
    expect(message).toContain(`The data directory can't be written (${name}).`);
    expect(message).not.toContain('Retry');
  }
});
