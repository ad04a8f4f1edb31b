/** Erasures of encrypted keeps: the key goes too, and with it every copy from before. */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { bytesBelow } from '../../../test/bytes-below.js';
import { newKeys } from '../../../test/key-kit.js';
import type { Agent } from '../../client/agent.js';
import type { Keep } from '../../keep/keep.js';
import { openKeep } from '../../keep/open-keep.js';
import * as operator from '../../operator.js';
import type { EncryptionOptions } from '../../storage/key-files/open-sealed.js';
import { LEDGER_FILE } from '../snapshot/erasure-ledger.js';

const scope = { project_id: 'p', mission_id: null, agent_id: 'a', visibility: 'private' } as const;
const shared = { ...scope, visibility: 'shared' } as const;
const capabilities = ['memory_read' as const, 'memory_write' as const];

const temporary: string[] = [];

afterAll(async () => {
  for (const directory of temporary) await rm(directory, { recursive: true, force: true });
});

async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'agentkeep-erased-keys-'));
  temporary.push(directory);
  return join(directory, 'data');
}

interface World {
  readonly dataDir: string;
  readonly encryption: EncryptionOptions;
  readonly keep: Keep;
  /** Of the administrator. */
  readonly secret: string;
  readonly admin: Agent;
}

async function world(): Promise<World> {
  const dataDir = await newDirectory();
  const encryption = await newKeys();
  const audit = { logPath: join(dataDir, 'audit'), reads: true };
  const keep = await openKeep({ dataDir, encryption, audit });
  const { secret } = await operator.bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  return { dataDir, encryption, keep, secret, admin: await keep.authenticate(secret) };
}

async function agentOf({ keep, admin }: Pick<World, 'keep' | 'admin'>, subject: string) {
  const spec = { subject_id: subject, capabilities, grants: [scope, shared] };
  return keep.authenticate((await admin.credentials.issue(spec)).secret);
}

/** The claims of a certificate. */
function claimsOf(certificate: string | null): Record<string, unknown> {
  const [, payload = ''] = certificate?.split('.') ?? [];
  return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Record<string, unknown>;
}

async function ended({ admin }: World, id: string): Promise<Record<string, unknown>> {
  await expect.poll(async () => (await admin.erasures.get(id)).status).toBe('finished');
  return claimsOf((await admin.erasures.get(id)).certificate);
}

/** Restores a snapshot without the ledger of erasures. */
async function restoredFrom(snapshot: string): Promise<string> {
  const dataDir = await newDirectory();
  await operator.restoreSnapshot({ snapshot, dataDir });
  await rm(join(dataDir, LEDGER_FILE), { force: true });
  return dataDir;
}

/** The digests of what a snapshot restores, by family. */
async function contentOf(dataDir: string): Promise<Map<string, string>> {
  const { families } = await operator.verifyStore({ dataDir });
  return new Map(families.map(({ family, sha256 }) => [family, sha256]));
}

describe('the erasure of a subject', () => {
  test('ENC-14 destroys its key, which the certificate names', async () => {
    const all = await world();
    const { keep, admin, encryption } = all;
    const [ann, bob] = [await agentOf(all, 'ann'), await agentOf(all, 'bob')];
    for (const agent of [ann, bob]) {
      const { subject_id: subject } = (await agent.whoAmI()).spec;
      await agent.memory.in(scope).remember(`canary of ${subject}`, { name: `canary-${subject}` });
    }
    const key = { idempotencyKey: 'first' };
    await ann.memory.in(shared).remember('canary in a shared scope', key);
    const { path } = await operator.createSnapshot(keep);
    const before = await contentOf(await restoredFrom(path));

    const { id } = await admin.erasures.start({ kind: 'subject', subject_id: 'ann' });
    const { destroyed_keys: destroyed } = await ended(all, id);
    expect(destroyed).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/u)]);
    const status = await operator.encryptionKeys.status(encryption);
    expect(status).toMatchObject({ destroyed_keys: 1, tenants_away: 0 });
    // The subject may begin anew, with another key, and its old commands are not repeated.
    await admin.subjects.put('ann', {}, 0);
    const again = await agentOf(all, 'ann');
    await again.memory.in(scope).remember('anew');
    expect(await again.memory.in(scope).recall('anew')).toHaveLength(1);
    const late = again.memory.in(shared).remember('canary in a shared scope', key);
    await expect(late).rejects.toMatchObject({ code: 'command_erased' });
    await keep.close();

    // A snapshot without the ledger is not erased again, and yet it can't be read.
    const restored = await restoredFrom(path);
    expect(await contentOf(restored)).toEqual(before);
    await using opened = await openKeep({ dataDir: restored, encryption });
    const reader = async (subjectId: string) => {
      const made = await operator.agentFor(opened, {
        ...{ tenantId: 'acme', subjectId, scopes: [scope] },
      });
      return made.memory.in(scope);
    };
    const old = (await reader('ann')).recall('canary');
    await expect(old).rejects.toMatchObject({ code: 'key_destroyed' });
    expect(await (await reader('bob')).recall('canary')).toHaveLength(1);
  });

  test('ENC-4, ENC-14 leaves no canary in any file, and no key in the data', async () => {
    const all = await world();
    const ann = await agentOf(all, 'ann');
    await ann.memory.in(scope).remember('canary content', {
      ...{ name: 'canary-name', tags: ['canary-tag'], metadata: { canary: 'canary-metadata' } },
    });
    await operator.createSnapshot(all.keep);
    const { id } = await all.admin.erasures.start({ kind: 'subject', subject_id: 'ann' });
    await ended(all, id);
    await operator.createSnapshot(all.keep);
    const bob = await agentOf(all, 'bob');
    await bob.memory.in(scope).remember('What Bob keeps.');
    const exported: string[] = [];
    const rest = all.admin.exports.texts({ type: 'tenant' });
    for await (const text of rest) exported.push(text);
    expect(exported.join('')).toContain('What Bob keeps.');
    expect(exported.join('')).not.toContain('canary');
    await all.keep.close();
    const { dataDir, encryption } = all;
    expect((await readdir(join(dataDir, 'audit'))).length).toBeGreaterThan(0);
    const found = await operator.verifyErasureOfDirectory({
      ...{ tenantId: 'acme', target: { kind: 'subject', subject_id: 'ann' } },
      ...{ dataDir, encryption },
    });
    expect(found.status).toBe('clean');
    const bytes = await bytesBelow(all.dataDir);
    expect(bytes.length).toBeGreaterThan(10_000);
    expect(bytes).not.toContain('canary');
    const { keysDir } = all.encryption;
    expect((await stat(keysDir)).isDirectory()).toBe(true);
    expect(keysDir.startsWith(all.dataDir)).toBe(false);
    const names = await readdir(all.dataDir, { recursive: true });
    expect(names.filter((name) => /keyring|tenants|root\.key/u.test(name))).toEqual([]);
  });
});

test('ENC-14 the erasure of a shared scope destroys its key, that of a private one none', async () => {
  const all = await world();
  const [ann, bob] = [await agentOf(all, 'ann'), await agentOf(all, 'bob')];
  await ann.memory.in(shared).remember('of all');
  await ann.memory.in(scope).remember('of ann');
  await bob.memory.in(scope).remember('of bob');
  const everyone = { kind: 'scope', scope: shared, subject_id: null } as const;
  const first = await ended(all, (await all.admin.erasures.start(everyone)).id);
  expect(first['destroyed_keys']).toHaveLength(1);
  const one = { kind: 'scope', scope, subject_id: 'ann' } as const;
  const second = await ended(all, (await all.admin.erasures.start(one)).id);
  expect(second['destroyed_keys']).toEqual([]);
  expect(await bob.memory.in(scope).recall('of bob')).toHaveLength(1);
  await all.keep.close();
});

test('ENC-14 the erasure of a tenant destroys its keys, and it can be registered again', async () => {
  const all = await world();
  const { keep, encryption } = all;
  const ann = await agentOf(all, 'ann');
  await ann.memory.in(scope).remember('canary');
  const { secret } = await operator.bootstrapMaster(keep, 'root');
  const master = await keep.administer(secret);
  const { path } = await operator.createSnapshot(keep);
  const { id } = await master.tenants.erase('acme');
  await expect.poll(async () => (await master.tenants.erasure(id)).status).toBe('finished');
  const claims = claimsOf((await master.tenants.erasure(id)).certificate);
  expect(claims['destroyed_keys']).toHaveLength(1);
  const made = await operator.bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const admin = await keep.authenticate(made.secret);
  const again = await agentOf({ keep, admin }, 'ann');
  await again.memory.in(scope).remember('anew');
  expect(await again.memory.in(scope).recall('anew')).toHaveLength(1);
  await keep.close();

  const restored = await restoredFrom(path);
  await using opened = await openKeep({ dataDir: restored, encryption });
  const old = operator.agentFor(opened, { tenantId: 'acme', subjectId: 'ops' });
  await expect(old).rejects.toMatchObject({ code: 'key_destroyed' });
});

test('ERA-C20 a restore is refused while a ledger lacks what only an encrypted store has', async () => {
  const all = await world();
  const { dataDir, encryption } = all;
  const ann = await agentOf(all, 'ann');
  await ann.memory.in(scope).remember('canary');
  const { path: snapshot } = await operator.createSnapshot(all.keep);
  const { id } = await all.admin.erasures.start({ kind: 'subject', subject_id: 'ann' });
  await ended(all, id);
  await all.keep.close();
  await rm(join(dataDir, LEDGER_FILE));
  const elsewhere = await newDirectory();
  for (const directory of [elsewhere, dataDir]) {
    const restoring = operator.restoreSnapshot({ snapshot, dataDir: directory, force: true });
    await expect(restoring).rejects.toMatchObject({ code: 'storage_inconsistency' });
  }
  await (await openKeep({ dataDir, encryption })).close();
  await operator.restoreSnapshot({ snapshot, dataDir, force: true });
  await using restored = await openKeep({ dataDir, encryption });
  await (await restored.authenticate(all.secret)).subjects.put('ann', {}, 0);
  const agent = await operator.agentFor(restored, {
    ...{ tenantId: 'acme', subjectId: 'ann', scopes: [scope] },
  });
  expect(await agent.memory.in(scope).recall('canary')).toEqual([]);
});
