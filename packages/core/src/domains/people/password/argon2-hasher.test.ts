/** Argon2id hashing and its limits on concurrency. */
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { PasswordWork } from '../../../kernel/ports/password-hasher.js';
import { type Argon2, argon2Hasher, type Argon2HasherOptions } from './argon2-hasher.js';

const PASSWORD = 'Correct-horse-1';
const SALT = 'c29tZXNhbHQxMjM0NTY3OA';
const DIGEST = 'RVlNm9Vy6tVbCgGUOd0Os4nJLh9gYlxgCp0Bk8iQ1nA';
const STORED = `$argon2id$v=19$m=19456,t=2,p=1$${SALT}$${DIGEST}`;

/** A hash function that finishes when the test says so. */
function slowArgon2() {
  const begun: string[] = [];
  const open = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();
  const work = (name: string): Promise<void> =>
    new Promise((resolve, reject) => {
      begun.push(name);
      open.set(name, { resolve, reject });
    });
  const settle = async (name: string, error?: Error): Promise<void> => {
    const { resolve, reject } = open.get(name) ?? {};
    open.delete(name);
    if (error === undefined) resolve?.();
    else reject?.(error);
    await setImmediate();
  };
  const argon2: Argon2 = {
    hash: async (password) => {
      await work(password);
      return STORED;
    },
    verify: async (_, password) => {
      await work(password);
      return true;
    },
  };
  return { argon2, begun, settle, atWork: () => open.size };
}

function hasherOf(options: Argon2HasherOptions) {
  return argon2Hasher({ workersMax: 2, waitingMax: 2, ...options });
}

const login = (authority: string): PasswordWork => ({ authority, purpose: 'login' });
const change = (authority: string): PasswordWork => ({ authority, purpose: 'change' });

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: unknown) => (error as AgentkeepError).code,
  );

test('USR-40 a password verifies against its hash, and no other password does', async () => {
  const hasher = argon2Hasher();
  const [stored, again] = await Promise.all([hasher.hash(PASSWORD), hasher.hash(PASSWORD)]);
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[^$]{22}\$[^$]{43}$/);
  expect(again).not.toBe(stored);
  expect(await hasher.verify(stored, PASSWORD)).toBe(true);
  expect(await hasher.verify(stored, `${PASSWORD} `)).toBe(false);
  expect(await hasher.verify(again, PASSWORD)).toBe(true);
});

test('USR-37 passwords that look alike but have different bytes differ', async () => {
  const hasher = argon2Hasher();
  const stored = await hasher.hash('Caf\u00E9-caf\u00E9-1A');
  expect(await hasher.verify(stored, 'Cafe\u0301-cafe\u0301-1A')).toBe(false);
});

test('CON-95 without a stored hash the same work returns false', async () => {
  expect(await argon2Hasher().verify(undefined, PASSWORD)).toBe(false);
  const seen: string[] = [];
  const argon2: Argon2 = {
    hash: () => Promise.resolve(STORED),
    verify: (stored) => {
      seen.push(stored);
      return Promise.resolve(true);
    },
  };
  expect(await hasherOf({ argon2 }).verify(undefined, PASSWORD)).toBe(false);
  expect(await hasherOf({ argon2 }).verify(STORED, PASSWORD)).toBe(true);
  expect(seen).toHaveLength(2);
  const [dummy, real] = seen.map((each) => each.split('$').slice(0, 4).join('$'));
  expect(dummy).toBe(real);
  expect(seen[0]).toHaveLength(STORED.length);
});

test.each([
  ['nothing', ''],
  ['no PHC string', 'secret'],
  ['another variant', STORED.replace('argon2id', 'argon2i')],
  ['another version', STORED.replace('v=19', 'v=16')],
  ['no version', STORED.replace('v=19$', '')],
  ['less memory', STORED.replace('m=19456', 'm=19455')],
  ['more passes', STORED.replace('t=2', 't=3')],
  ['more lanes', STORED.replace('p=1', 'p=2')],
  ['a further parameter', STORED.replace('p=1', 'p=1,keyid=AA')],
  ['a shorter salt', STORED.replace(SALT, SALT.slice(2))],
  ['a shorter digest', STORED.slice(0, -2)],
  ['a non-canonical salt', STORED.replace(SALT, `${SALT.slice(0, -1)}B`)],
  ['padding', `${STORED}=`],
  ['a further line', `${STORED}\n`],
])('a stored hash with %s is an inconsistency, without any work', async (_, stored) => {
  const { argon2, begun } = slowArgon2();
  expect(await codeOf(hasherOf({ argon2 }).verify(stored, PASSWORD))).toBe('storage_inconsistency');
  expect(begun).toEqual([]);
});

test('USR-41 two run at a time, the others follow in order', async () => {
  const { argon2, begun, settle, atWork } = slowArgon2();
  const hasher = hasherOf({ argon2 });
  const done: string[] = [];
  const work = ['a', 'b', 'c', 'd'].map(async (name) => {
    if (name === 'c') await hasher.hash(name, change('acme'));
    else await hasher.verify(STORED, name);
    done.push(name);
  });
  await setImmediate();
  expect(begun).toEqual(['a', 'b']);
  await settle('b');
  expect(begun).toEqual(['a', 'b', 'c']);
  expect(atWork()).toBe(2);
  await settle('c');
  await settle('d');
  await settle('a');
  await Promise.all(work);
  expect(done).toEqual(['b', 'c', 'd', 'a']);
});

test('USR-41 a full queue refuses at once and accepts again later', async () => {
  const { argon2, begun, settle } = slowArgon2();
  const hasher = hasherOf({ argon2 });
  const work = ['a', 'b', 'c', 'd'].map((name) => hasher.verify(STORED, name));
  expect(await codeOf(hasher.verify(STORED, 'e'))).toBe('login_busy');
  expect(await codeOf(hasher.verify(undefined, 'f'))).toBe('login_busy');
  await settle('a');
  work.push(hasher.verify(STORED, 'g'));
  expect(await codeOf(hasher.verify(STORED, 'h'))).toBe('login_busy');
  for (const name of ['b', 'c', 'd', 'g']) await settle(name);
  await Promise.all(work);
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'g']);
});

test('USR-51 new passwords leave one worker, and a queue, to logins', async () => {
  const { argon2, begun, settle, atWork } = slowArgon2();
  const hasher = hasherOf({ argon2 });
  const work: Promise<unknown>[] = ['a', 'b', 'c'].map((name) => hasher.hash(name, change('acme')));
  expect(await codeOf(hasher.hash('d', change('acme')))).toBe('login_busy');
  expect(begun).toEqual(['a']);
  work.push(hasher.verify(STORED, 'e', login('acme')), hasher.verify(STORED, 'f', login('acme')));
  await setImmediate();
  expect(begun).toEqual(['a', 'e']);
  await settle('e');
  expect(begun).toEqual(['a', 'e', 'f']);
  await settle('f');
  expect(atWork()).toBe(1);
  for (const name of ['a', 'b', 'c']) await settle(name);
  await Promise.all(work);
});

test('authorities take turns', async () => {
  const { argon2, begun, settle } = slowArgon2();
  const hasher = hasherOf({ argon2, workersMax: 1, waitingMax: 9 });
  const names = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'];
  const work = names.map((name) => hasher.verify(STORED, name, login(name.charAt(0))));
  await setImmediate();
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']) await settle(name);
  await Promise.all(work);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

test('USR-51 in a full queue the authority with the most in it gives way', async () => {
  const { argon2, begun, settle } = slowArgon2();
  const hasher = hasherOf({ argon2, workersMax: 1, waitingMax: 3 });
  const check = (name: string) => codeOf(hasher.verify(STORED, name, login(name.charAt(0))));
  const [first, a1, a2, a3] = ['a0', 'a1', 'a2', 'a3'].map(check);
  const b1 = check('b1');
  expect(await a3).toBe('login_busy');
  // Two and one wait: another one would only change places.
  expect(await check('b2')).toBe('login_busy');
  const c1 = check('c1');
  expect(await a2).toBe('login_busy');
  for (const name of ['a0', 'a1', 'b1', 'c1']) await settle(name);
  expect(await Promise.all([first, a1, b1, c1])).toEqual(['none', 'none', 'none', 'none']);
  expect(begun).toEqual(['a0', 'a1', 'b1', 'c1']);
});

test('a failure frees its worker and affects no other call', async () => {
  const { argon2, begun, settle } = slowArgon2();
  const hasher = hasherOf({ argon2 });
  const [failing, ...work] = ['a', 'b', 'c'].map((name) => hasher.verify(STORED, name));
  const failed = expect(failing).rejects.toThrow('out of memory');
  await setImmediate();
  await settle('a', new Error('out of memory'));
  await failed;
  expect(begun).toEqual(['a', 'b', 'c']);
  await settle('b');
  await settle('c');
  expect(await Promise.all(work)).toEqual([true, true]);
  const later = ['d', 'e', 'f'].map((name) => hasher.verify(STORED, name));
  await setImmediate();
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'e']);
  for (const name of ['d', 'e', 'f']) await settle(name);
  await Promise.all(later);
});
