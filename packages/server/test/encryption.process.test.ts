/** What callers over HTTP see of keys that are destroyed or away. */
import { createHash } from 'node:crypto';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@agentkeep/client';
import { type Keep, openKeep, type ScopeInput } from '@agentkeep/core';
import { bootstrapTenant, type EncryptionOptions, encryptionKeys } from '@agentkeep/core/operator';
import { eventually } from '@agentkeep/testkit/eventually';
import { holding } from '@agentkeep/testkit/held-answers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createServer } from '../src/index.js';

const own: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'private' };

let home: string;
let encryption: EncryptionOptions;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentkeep-served-keys-'));
  encryption = { keysDir: join(home, 'keys'), rootKey: { file: join(home, 'root.key') } };
  await encryptionKeys.make(encryption);
});

afterEach(() => rm(home, { recursive: true, force: true }));

const open = (): Promise<Keep> => openKeep({ dataDir: join(home, 'data'), encryption });

/** The status of the last answer. */
let lastStatus = 0;

/** The memory of an agent, over HTTP. */
function memoryOver(keep: Keep, secret: string) {
  const request = holding(createServer(keep).request);
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await request(input, init);
    lastStatus = response.status;
    return response;
  };
  return connect({ url: 'http://localhost', secret, fetch }).memory.in(own);
}

async function agentSecret(keep: Keep, tenantId: string, subjects: readonly string[]) {
  const { secret } = await bootstrapTenant(keep, { tenantId, subjectId: 'ops' });
  const admin = await keep.authenticate(secret);
  const capabilities = ['memory_read', 'memory_write'] as const;
  const issued = subjects.map((subject_id) =>
    admin.credentials.issue({ subject_id, capabilities: [...capabilities], grants: [own] }),
  );
  return (await Promise.all(issued)).map((each) => each.secret);
}

// ENC-C1
test('ENC-9, ENC-10 a subject whose key is destroyed is 410, and others are served', async () => {
  await using keep = await open();
  const [ann = '', bob = ''] = await agentSecret(keep, 'acme', ['ann', 'bob']);
  for (const secret of [ann, bob]) await memoryOver(keep, secret).remember('tea');
  await encryptionKeys.destroy({ ...encryption, tenantId: 'acme', subjectId: 'ann' });
  await eventually(async () => {
    const recalled = memoryOver(keep, ann).recall('tea');
    await expect(recalled).rejects.toMatchObject({ code: 'key_destroyed' });
    expect(lastStatus).toBe(410);
  });
  expect(await memoryOver(keep, bob).recall('tea')).toHaveLength(1);
});

// ENC-C2
test('ENC-8 a tenant whose key is away is 503, and served again once it is back', async () => {
  let keep = await open();
  const [acme = ''] = await agentSecret(keep, 'acme', ['ann']);
  const [globex = ''] = await agentSecret(keep, 'globex', ['ann']);
  for (const secret of [acme, globex]) await memoryOver(keep, secret).remember('tea');
  await keep.close();
  const digest = createHash('sha256').update('globex').digest('hex');
  const file = join(encryption.keysDir, 'tenants', `${digest}.json`);
  await rename(file, `${file}.away`);
  keep = await open();
  try {
    const recalled = memoryOver(keep, globex).recall('tea');
    await expect(recalled).rejects.toMatchObject({ code: 'key_unavailable' });
    expect(lastStatus).toBe(503);
    expect(await memoryOver(keep, acme).recall('tea')).toHaveLength(1);
    await rename(`${file}.away`, file);
    await eventually(async () => {
      expect(await memoryOver(keep, globex).recall('tea')).toHaveLength(1);
    });
  } finally {
    await keep.close();
  }
});

test('AUD-104 the audit log of an encrypted store is verified, also after a subject is gone', async () => {
  await using keep = await open();
  const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const admin = await keep.authenticate(secret);
  await admin.credentials.issue({
    subject_id: 'ann',
    capabilities: ['memory_read'],
    grants: [own],
  });
  const before = await admin.audit.verify();
  expect(before).toMatchObject({ status: 'verified', tenant_id: 'acme' });
  await encryptionKeys.destroy({ ...encryption, tenantId: 'acme', subjectId: 'ann' });
  expect(await admin.audit.verify()).toMatchObject({ status: 'verified' });
});

// ENC-C3
test('ENC-3 a keep with another root key, or without keys, does not start', async () => {
  await (await open()).close();
  const dataDir = join(home, 'data');
  await expect(openKeep({ dataDir })).rejects.toMatchObject({ code: 'keys_unusable' });
  const rootKey = { file: join(home, 'other.key') };
  const others = { keysDir: join(home, 'others'), rootKey };
  await encryptionKeys.make(others);
  const mixed = openKeep({ dataDir, encryption: { ...encryption, rootKey } });
  await expect(mixed).rejects.toThrow('The root key does not open the keys');
  await expect(openKeep({ dataDir, encryption: others })).rejects.toThrow('other keys');
});
