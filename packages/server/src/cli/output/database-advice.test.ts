/** Which databases are warned about at the start. */
import { expect, test } from 'vitest';
import { databaseAdvice } from './database-advice.js';

test.each([
  ['postgres://keep@db.internal/keep', {}, true],
  ['postgres://keep@10.0.0.7:5432/keep', {}, true],
  ['postgres://keep@[2001:db8::1]/keep', {}, true],
  ['postgres://keep@db.internal/keep?sslmode=require', {}, true],
  ['postgres://keep@db.internal/keep?sslmode=disable', { PGSSLMODE: 'verify-full' }, true],
  ['postgresql:///keep', { PGHOST: 'db.internal' }, true],
  ['postgres://keep@localhost/keep?host=db.internal', {}, true],
  ['postgres://keep@db.internal/keep?sslmode=verify-full', {}, false],
  ['postgres://keep@db.internal/keep', { PGSSLMODE: 'verify-full' }, false],
  ['postgres://keep@localhost/keep', {}, false],
  ['postgres://keep@127.0.0.1/keep', {}, false],
  ['postgres://keep@[::1]/keep', {}, false],
  ['postgres://%2Fvar%2Frun%2Fpostgresql/keep', {}, false],
  ['postgres:///keep?host=/var/run', {}, false],
])('OPR-86 %s with %j: %s', (url, variables, isWarned) => {
  const advice = databaseAdvice(url, variables);
  expect(advice?.includes('sslmode=verify-full') ?? false).toBe(isWarned);
});
