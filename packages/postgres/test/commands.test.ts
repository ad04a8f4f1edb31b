/**
 * The commands of `agentkeep` over a database: they bootstrap, copy both ways, and show no
 * password.
 */
import { CONTRACT_DOCUMENT_VERSION, openKeep } from '@agentkeep/core';
import { runCommand } from '@agentkeep/testkit/agentkeep-process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { postgresStore } from '../src/index.js';
import { newDatabaseUrl } from './fixture.js';

const parents: string[] = [];

afterAll(async () => {
  for (const parent of parents) await rm(parent, { recursive: true, force: true });
});

async function newParent(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'agentkeep-commands-'));
  parents.push(parent);
  return parent;
}

const SCOPE = { project_id: 'p', agent_id: 'a', visibility: 'private' } as const;

/** Returns a database with one tenant and a few records, and the secret of their author. */
async function filledDatabase(): Promise<{ url: string; secret: string }> {
  const url = await newDatabaseUrl();
  const made = await runCommand(['bootstrap-tenant', 'acme', 'ops', '--store-url', url]);
  expect(made.error).toBe('');
  const { secret } = JSON.parse(made.out) as { secret: string };
  await using keep = await openKeep({ store: postgresStore({ url }) });
  const admin = await keep.authenticate(secret);
  const agent = await admin.credentials.issue({
    subject_id: 'alice',
    capabilities: ['memory_read', 'memory_write'],
    grants: [SCOPE],
  });
  const alice = await keep.authenticate(agent.secret);
  for (let index = 0; index < 5; index += 1) {
    const record = { episode_type: 'Observation', content: { primary: `note ${String(index)}` } };
    await alice.memory.in(SCOPE).create({ ...record, event_time_millis: 0 } as never, {
      idempotencyKey: `k${String(index)}`,
    });
  }
  return { url, secret: agent.secret };
}

describe('commands over a database', () => {
  test('copy it into a directory and back without loss', async () => {
    const { url, secret } = await filledDatabase();
    const directory = join(await newParent(), 'copy');
    const other = await newDatabaseUrl();
    const out = await runCommand(['copy-store', '--from', url, '--to', directory, '--json']);
    expect(out).toMatchObject({ status: 0, error: '' });
    const back = await runCommand(['copy-store', '--from', directory, '--to', other, '--json']);
    expect(back).toEqual(out);
    await using keep = await openKeep({ store: postgresStore({ url: other }) });
    const alice = await keep.authenticate(secret);
    const texts: string[] = [];
    for await (const record of alice.memory.in(SCOPE).query())
      texts.push(record.payload.content.primary);
    expect(texts).toHaveLength(5);
  });

  test('refuse to overwrite a store, and to copy from a missing one', async () => {
    const { url } = await filledDatabase();
    const directory = join(await newParent(), 'absent');
    const taken = await runCommand(['copy-store', '--from', url, '--to', url]);
    expect(taken.status).toBe(1);
    expect(taken.error).toContain('is not empty');
    const absent = await runCommand([
      'copy-store',
      '--from',
      directory,
      '--to',
      await newDatabaseUrl(),
    ]);
    expect(absent.status).toBe(1);
    expect(await runCommand(['copy-store', '--from', url])).toMatchObject({ status: 1, out: '' });
  });

  test('verify its audit log, and write a snapshot into the data directory', async () => {
    const { url } = await filledDatabase();
    const verified = await runCommand(['verify-audit', '--store-url', url, '--json']);
    expect(JSON.parse(verified.out)).toMatchObject({ broken_at: null });
    const dataDir = await newParent();
    const made = await runCommand([
      'snapshot',
      '--store-url',
      url,
      '--data-dir',
      dataDir,
      '--json',
    ]);
    expect(made.error).toBe('');
    const { path } = JSON.parse(made.out) as { path: string };
    const restored = await runCommand(['verify-store', '--data-dir', path, '--json']);
    expect(restored).toMatchObject({ status: 0, error: '' });
  });

  test('OPR-162 doctor says the level and the version of every server', async () => {
    const url = await newDatabaseUrl();
    await using first = await openKeep({ store: postgresStore({ url }) });
    await using second = await openKeep({ store: postgresStore({ url }) });
    const words = ['doctor', '--store-url', url, '--data-dir', await newParent(), '--port', '0'];
    const { findings } = JSON.parse((await runCommand([...words, '--json'])).out) as {
      readonly findings: readonly { readonly check: string; readonly found: string }[];
    };
    const about = (check: string) =>
      findings.filter((each) => each.check === check).map(({ found }) => found);
    expect(about('level')).toEqual([expect.stringContaining('has feature level 1')]);
    const line = `Server of version ${CONTRACT_DOCUMENT_VERSION}: levels 1 to 1.`;
    expect(about('servers')).toEqual([line, line]);
    expect([first.isClosing, second.isClosing]).toEqual([false, false]);
  });

  test('never show the password of a url', async () => {
    const url = 'postgres://keeper:open%20sesame@127.0.0.1:1/none';
    const config = await runCommand(['serve', '--store-url', url, '--print-config']);
    expect(config.out).toContain('postgres://keeper:[redacted]@127.0.0.1:1/none');
    const failed = await runCommand(['bootstrap-tenant', 'acme', 'ops'], {
      AGENTKEEP_STORE_URL: url,
    });
    expect(failed.status).toBe(1);
    const refused = await runCommand(['serve', '--store-url', 'mysql://keeper:sesame@h/d']);
    expect(refused.error).toContain('Allowed: a URL that starts with postgres://');
    expect(config.out + failed.error + refused.error).not.toContain('sesame');
  });
});
