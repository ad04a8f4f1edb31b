/** An older state of a store is clean before its first answer. */
import { continueErasures } from '../erasure/erasure-worker.js';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Keep } from '../../keep/keep.js';
import { openKeep } from '../../keep/open-keep.js';
import {
  agentFor,
  bootstrapMaster,
  bootstrapTenant,
  createSnapshot,
  restoreSnapshot,
  runtimeOf,
} from '../../operator.js';
import { LEDGER_FILE } from './erasure-ledger.js';
import { eventually } from '@agentkeep/testkit/eventually';

const own = { project_id: 'p', agent_id: 'a', visibility: 'private' } as const;
const shared = { project_id: 'p', agent_id: 'a', visibility: 'shared' } as const;

let home: string;
let dataDir: string;
let keep: Keep;
let admin: string;
let master: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentkeep-ledger-'));
  dataDir = join(home, 'data');
  keep = await openKeep({ dataDir });
  admin = (await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' })).secret;
  await bootstrapTenant(keep, { tenantId: 'globex', subjectId: 'ops' });
  master = (await bootstrapMaster(keep, 'root')).secret;
});

afterEach(async () => {
  await keep.close();
  await rm(home, { recursive: true });
});

function agentOf(subjectId: string, tenantId = 'acme') {
  return agentFor(keep, { tenantId, subjectId, scopes: [own, shared] });
}

async function write(subjectId: string, tenantId?: string): Promise<void> {
  const agent = await agentOf(subjectId, tenantId);
  for (const scope of [own, shared]) await agent.memory.in(scope).remember(`tea of ${subjectId}`);
}

/** Asks now and then, since reads of LMDB are answered at once and would hold a processor. */
async function until(isDone: () => Promise<boolean>): Promise<void> {
  await eventually(async () => {
    if (!(await isDone())) throw new Error('The erasure does not end.');
  });
}

/** Erases a subject, a scope and a tenant. */
async function eraseAll(): Promise<void> {
  const { erasures } = await keep.authenticate(admin);
  for (const target of [
    { kind: 'subject', subject_id: 'ann' },
    { kind: 'scope', scope: { ...shared, mission_id: null }, subject_id: null },
  ] as const) {
    const { id } = await erasures.start(target);
    await until(async () => (await erasures.get(id)).status === 'finished');
  }
  const { tenants } = await keep.administer(master);
  const { id } = await tenants.erase('globex');
  await until(async () => (await tenants.erasure(id)).status === 'finished');
}

/** What is visible at once when the keep has opened. */
async function seen() {
  const { access } = await keep.authenticate(admin);
  const scopes: string[] = [];
  for await (const { scope, subject_id, records } of access.scopes()) {
    scopes.push(`${scope.visibility} ${subject_id ?? ''} ${records}`);
  }
  const { tenants } = await keep.administer(master);
  const ids: string[] = [];
  for await (const { tenant_id } of tenants.list()) ids.push(tenant_id);
  return { scopes: scopes.toSorted(), tenants: ids };
}

function withChangedBit(text: string): Buffer {
  const changed = Buffer.from(text);
  const at = text.indexOf('targetDigest') + 20;
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
}

const clean = { scopes: ['private bob 1'], tenants: ['acme'] };

test('ERA-C12 a restored snapshot is erased again before anything is answered', async () => {
  await write('ann');
  await write('bob');
  await write('carl', 'globex');
  const { path: snapshot } = await createSnapshot(keep);
  await eraseAll();
  expect(await seen()).toEqual(clean);
  const ledger = await readFile(join(dataDir, LEDGER_FILE), 'utf8');
  for (const name of ['ann', 'globex', '"p"']) expect(ledger).not.toContain(`"${name}"`);
  expect(ledger.trim().split('\n')).toHaveLength(3);
  await keep.close();

  const elsewhere = join(home, 'elsewhere');
  await restoreSnapshot({ snapshot, dataDir: elsewhere });
  await restoreSnapshot({ snapshot, dataDir, force: true });
  for (const directory of [dataDir, elsewhere]) {
    keep = await openKeep({ dataDir: directory });
    expect(await seen()).toEqual(clean);
    const { erasures } = await keep.authenticate(admin);
    for await (const { status, certificate } of erasures.list()) {
      expect({ status, isSigned: certificate !== null }).toEqual({
        status: 'finished',
        isSigned: true,
      });
    }
    await keep.close();
  }
  // What is written under the same id afterwards stays, also over the next start.
  keep = await openKeep({ dataDir });
  await expect(write('ann')).rejects.toMatchObject({ code: 'subject_erased' });
  await (await keep.authenticate(admin)).subjects.put('ann', {}, 0);
  await write('ann');
  await keep.close();
  keep = await openKeep({ dataDir });
  expect((await seen()).scopes).toEqual(['private ann 1', 'private bob 1', 'shared  1']);
});

test('ERA-C33 a snapshot that never had the subject refuses its id again', async () => {
  const { path: snapshot } = await createSnapshot(keep);
  await write('ann');
  await eraseAll();
  const ledger = await readFile(join(dataDir, LEDGER_FILE), 'utf8');
  expect(ledger).not.toContain('"ann"');
  await keep.close();

  const elsewhere = join(home, 'elsewhere');
  await restoreSnapshot({ snapshot, dataDir: elsewhere });
  await restoreSnapshot({ snapshot, dataDir, force: true });
  for (const directory of [dataDir, elsewhere]) {
    // Also over a further start.
    for (let start = 0; start < 2; start += 1) {
      keep = await openKeep({ dataDir: directory });
      await expect(write('ann')).rejects.toMatchObject({ code: 'subject_erased' });
      await write('bob');
      if (start === 0) await keep.close();
    }
    const { subjects } = await keep.authenticate(admin);
    await subjects.put('ann', {}, 0);
    await write('ann');
    await keep.close();
    keep = await openKeep({ dataDir: directory });
    await write('ann');
    await keep.close();
  }
  keep = await openKeep({ dataDir });
});

test('ERA-C33 also beside ids that the restored store has refused since', async () => {
  const { path: snapshot } = await createSnapshot(keep);
  await write('ann');
  await eraseAll();
  await keep.close();
  // Elsewhere, without the ledger, another subject is erased under a key of that store.
  const elsewhere = join(home, 'elsewhere');
  await restoreSnapshot({ snapshot, dataDir: elsewhere });
  await rm(join(elsewhere, LEDGER_FILE), { force: true });
  keep = await openKeep({ dataDir: elsewhere });
  await write('bob');
  const { erasures } = await keep.authenticate(admin);
  const { id } = await erasures.start({ kind: 'subject', subject_id: 'bob' });
  await until(async () => (await erasures.get(id)).status === 'finished');
  const { path: later } = await createSnapshot(keep);
  await keep.close();
  await restoreSnapshot({ snapshot: later, dataDir, force: true });
  keep = await openKeep({ dataDir });
  for (const name of ['ann', 'bob']) {
    await expect(write(name)).rejects.toMatchObject({ code: 'subject_erased' });
  }
});

test('ERA-C20 a ledger that was lost or emptied is made again from the store', async () => {
  await write('ann');
  await write('carl', 'globex');
  const { path: snapshot } = await createSnapshot(keep);
  await eraseAll();
  await keep.close();
  const path = join(dataDir, LEDGER_FILE);
  const before = await readFile(path, 'utf8');
  for (const lose of [() => rm(path), () => writeFile(path, '')]) {
    await lose();
    keep = await openKeep({ dataDir });
    await keep.close();
    const lines = (await readFile(path, 'utf8')).trim().split('\n');
    expect(lines).toHaveLength(before.trim().split('\n').length);
  }
  await restoreSnapshot({ snapshot, dataDir, force: true });
  keep = await openKeep({ dataDir });
  expect((await seen()).scopes).toEqual([]);
  expect((await seen()).tenants).toEqual(['acme']);
});

test('ERA-C20 with one changed bit, or without a line, it is refused', async () => {
  await eraseAll();
  await keep.close();
  const path = join(dataDir, LEDGER_FILE);
  const text = await readFile(path, 'utf8');
  const flipped = withChangedBit(text);
  const without = text.split('\n').slice(1).join('\n');
  for (const damaged of [flipped, without]) {
    await writeFile(path, damaged);
    await expect(openKeep({ dataDir })).rejects.toMatchObject({ code: 'storage_inconsistency' });
  }
  await writeFile(path, text);
  keep = await openKeep({ dataDir });
});

test('ERA-23 with a damaged ledger nothing is served', async () => {
  await eraseAll();
  await keep.close();
  await appendFile(join(dataDir, LEDGER_FILE), '{"id":');
  await expect(openKeep({ dataDir })).rejects.toMatchObject({ code: 'storage_inconsistency' });
});

/** Loses, or changes, a ledger. */
const losses: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  removed: (path) => rm(path),
  emptied: (path) => writeFile(path, ''),
  'without its last line': async (path) => {
    const lines = (await readFile(path, 'utf8')).trim().split('\n');
    await writeFile(path, lines.slice(0, -1).join('\n') + '\n');
  },
};

test.each(Object.entries(losses))(
  'ERA-C20 a restore at once completes a ledger that was %s',
  async (_name, lose) => {
    await write('ann');
    await write('bob');
    await write('carl', 'globex');
    const { path: snapshot } = await createSnapshot(keep);
    await eraseAll();
    await keep.close();
    await lose(join(dataDir, LEDGER_FILE));
    const elsewhere = join(home, 'elsewhere');
    await restoreSnapshot({ snapshot, dataDir: elsewhere });
    await restoreSnapshot({ snapshot, dataDir, force: true });
    for (const directory of [elsewhere, dataDir]) {
      keep = await openKeep({ dataDir: directory });
      expect(await seen()).toEqual(clean);
      await keep.close();
    }
  },
);

test('ERA-C20 a restore with a changed bit in the ledger changes nothing', async () => {
  await write('ann');
  const { path: snapshot } = await createSnapshot(keep);
  await eraseAll();
  await keep.close();
  const path = join(dataDir, LEDGER_FILE);
  const text = await readFile(path, 'utf8');
  await writeFile(path, withChangedBit(text));
  for (const directory of [dataDir, join(home, 'elsewhere')]) {
    const restoring = restoreSnapshot({ snapshot, dataDir: directory, force: true });
    await expect(restoring).rejects.toMatchObject({ code: 'storage_inconsistency' });
  }
  await writeFile(path, text);
  keep = await openKeep({ dataDir });
  expect((await seen()).scopes).toEqual([]);
});

test('ERA-23 a ledger that is lost while a server runs is put back', async () => {
  await eraseAll();
  const path = join(dataDir, LEDGER_FILE);
  const text = await readFile(path, 'utf8');
  await rm(path);
  continueErasures.of(runtimeOf(keep))();
  await until(async () => (await readFile(path, 'utf8').catch(() => '')) === text);
});
