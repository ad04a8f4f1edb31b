/** An encrypted keep on PostgreSQL: what a dump shows, and an erasure beside another server. */
import { mkdtemp, rm } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKeep } from '@agentkeep/core';
import { bootstrapTenant, encryptionKeys } from '@agentkeep/core/operator';
import { eventually } from '@agentkeep/testkit/eventually';
import { findPostgres } from '@agentkeep/testkit/find-postgres';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { postgresStore } from '../src/index.js';
import { newDatabaseUrl, rowsIn } from './fixture.js';

const own = { project_id: 'p', agent_id: 'a', visibility: 'private' } as const;

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentkeep-postgres-keys-'));
});

afterEach(() => rm(home, { recursive: true, force: true }));

/** A dump of a database, with bytes in hexadecimal; all its rows where there is no `pg_dump`. */
async function dumpOf(url: string): Promise<string> {
  const program = join(findPostgres() ?? '', 'pg_dump');
  if (existsSync(program)) return execFileSync(program, [url], { encoding: 'utf8' });
  const rows = await rowsIn(
    url,
    "SELECT encode(key, 'hex') || encode(value, 'hex') AS row FROM agentkeep",
  );
  return rows.map(({ row }) => String(row)).join('\n');
}

test('ENC-4, ENC-14 a dump shows no canary, and erasures reach the other server', async () => {
  const url = await newDatabaseUrl();
  const encryption = { keysDir: join(home, 'keys'), rootKey: { file: join(home, 'root.key') } };
  await encryptionKeys.make(encryption);
  const open = () => openKeep({ store: postgresStore({ url }), encryption });
  await using one = await open();
  await using other = await open();
  const { secret } = await bootstrapTenant(one, { tenantId: 'acme', subjectId: 'ops' });
  const admin = await one.authenticate(secret);
  const spec = { subject_id: 'ann', capabilities: ['memory_read', 'memory_write'] as const };
  const issue = () =>
    admin.credentials.issue({ ...spec, capabilities: [...spec.capabilities], grants: [own] });
  const issued = await issue();
  for (const keep of [one, other]) {
    const { memory } = await keep.authenticate(issued.secret);
    await memory.in(own).remember('canary-text', { tags: ['canary-tag'] });
  }
  const dump = await dumpOf(url);
  expect(dump).toContain(Buffer.from('acme').toString('hex'));
  for (const text of ['canary', Buffer.from('canary').toString('hex')]) {
    expect(dump).not.toContain(text);
  }
  const { id } = await admin.erasures.start({ kind: 'subject', subject_id: 'ann' });
  await eventually(async () => {
    expect((await admin.erasures.get(id)).status).toBe('finished');
  });
  expect(await encryptionKeys.status(encryption)).toMatchObject({ destroyed_keys: 1 });
  await admin.subjects.put('ann', {}, 0);
  // The other server seals with the next key.
  const again = (await other.authenticate((await issue()).secret)).memory.in(own);
  await again.remember('anew');
  const seen = (await one.authenticate((await issue()).secret)).memory.in(own);
  expect(await seen.recall('anew')).toHaveLength(1);
});
