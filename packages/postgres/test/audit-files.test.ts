/**
 * Audit files of keeps on PostgreSQL: the lines of a file are in chain order, and every event is in
 * the file of the server that recorded it.
 */
import { type Agent, openKeep, type Keep, type ScopeInput } from '@agentkeep/core';
import { bootstrapTenant, verifyAudit } from '@agentkeep/core/operator';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { postgresStore, type PostgresStoreOptions } from '../src/index.js';
import { newTables } from './fixture.js';

const SCOPE: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'private' };
const RECORD = {
  episode_type: 'Observation',
  content: { primary: 'note' },
  event_time_millis: 0,
} as const;
const CALLERS = 16;
const ROUNDS = 12;

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentkeep-audit-order-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

/** Opens a keep with its own audit files. */
function openServer(options: PostgresStoreOptions, name: string): Promise<Keep> {
  const store = postgresStore(options);
  return openKeep({ store, audit: { logPath: join(home, name), maxFileSize: 65_536 } });
}

/** Runs many callers of one tenant. Some events are stored with their change, others in groups. */
async function work(keep: Keep, secret: string, server: string): Promise<void> {
  const admin = await keep.authenticate(secret);
  const issue = (name: string) =>
    admin.credentials.issue({
      subject_id: name,
      capabilities: ['memory_read', 'memory_write'],
      grants: [SCOPE],
    });
  const caller = async (name: string): Promise<void> => {
    const agent: Agent = await keep.authenticate((await issue(name)).secret);
    for (let round = 0; round < ROUNDS; round += 1) {
      if (round % 3 === 0) await issue(`${name}-${String(round)}`);
      const idempotencyKey = `${name}-${String(round)}`;
      await agent.memory.in(SCOPE).create(RECORD, { idempotencyKey });
    }
  };
  await Promise.all(
    Array.from({ length: CALLERS }, (_, index) => caller(`${server}-${String(index)}`)),
  );
}

/** Returns the ids of the tenant's events in the files of a server, in order of files and lines. */
async function idsInFiles(name: string): Promise<string[]> {
  const directory = join(home, name);
  const names = (await readdir(directory)).toSorted((a, b) => orderOf(a) - orderOf(b));
  const texts = await Promise.all(names.map((file) => readFile(join(directory, file), 'utf8')));
  return texts
    .flatMap((text) => text.split('\n').slice(0, -1))
    .map((line) => JSON.parse(line) as { event_id: string; tenant_id: string | null })
    .filter(({ tenant_id }) => tenant_id === 'acme')
    .map(({ event_id }) => event_id);
}

/** Orders by second, then number: `audit_20300101_000000_1.jsonl` comes after the one without. */
function orderOf(file: string): number {
  const [, day, time, number] = /^audit_(\d+)_(\d+)(?:_(\d+))?\.jsonl$/.exec(file) ?? [];
  return Number(`${day ?? ''}${time ?? ''}`) + Number(number ?? 0) / 1_000;
}

/** Returns the ids of the tenant's chain, oldest first. */
async function idsInChain(keep: Keep, secret: string): Promise<string[]> {
  const admin = await keep.authenticate(secret);
  const ids: string[] = [];
  for await (const { event_id } of admin.audit.query()) ids.push(event_id);
  expect(await verifyAudit(keep)).toMatchObject({ status: 'verified' });
  return ids.reverse();
}

describe.each(['advisory', 'rows'] as const)('with %s locks', (locks) => {
  test('the lines of a single server are exactly the chain', async () => {
    const options = newTables({ locks });
    const keep = await openServer(options, 'one');
    const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
    await work(keep, secret, 'one');
    const chain = await idsInChain(keep, secret);
    await keep.close();
    expect(chain.length).toBeGreaterThan(CALLERS * ROUNDS);
    expect(await idsInFiles('one')).toEqual(chain);
  });

  test('each of two servers writes its share of the chain, in chain order', async () => {
    const options = newTables({ locks });
    const [one, other] = [await openServer(options, 'one'), await openServer(options, 'other')];
    const { secret } = await bootstrapTenant(one, { tenantId: 'acme', subjectId: 'ops' });
    await Promise.all([work(one, secret, 'one'), work(other, secret, 'other')]);
    await one.close();
    const chain = await idsInChain(other, secret);
    await other.close();
    const shares = [await idsInFiles('one'), await idsInFiles('other')];
    for (const share of shares) {
      const written = new Set(share);
      expect(share).toEqual(chain.filter((id) => written.has(id)));
      expect(share.length).toBeGreaterThan(CALLERS);
    }
    expect(shares.flat().toSorted()).toEqual(chain.toSorted());
  });
});
