/** Which states of the ledger of erasures a target keeps. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MemoryObjects, MemoryTarget } from '../../../../test/replica-kit.js';
import { ErasureLedger } from '../../snapshot/erasure-ledger.js';
import type { StoredErasure } from '../../stored/erasure-store.js';
import { type StoredTarget, targetDigest } from '../../stored/target.js';
import { fetchLedgers, shipLedger } from './ship-ledger.js';

let home: string;
let shared: MemoryObjects;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentkeep-ledgers-'));
  shared = new MemoryObjects();
});

afterEach(() => rm(home, { recursive: true }));

function erasureOf(id: string, kind: 'subject' | 'tenant' = 'subject'): StoredErasure {
  const target: StoredTarget =
    kind === 'tenant' ? { kind, tenant_id: 'acme' } : { kind, subject_id: `person ${id}` };
  const digest = targetDigest('a2V5', 'acme', target);
  return {
    ...{ id, tenantId: 'acme', kind, target, targetKey: 'a2V5', targetDigest: digest },
    ...{ pseudonym: null, requestedBy: 'ops', requestedAtMillis: kind === 'tenant' ? 9 : 5 },
    ...{ keys: null, names: [], step: 0, from: null, counts: {}, keysDigest: '', dependents: 0 },
    ...{ finishedAtMillis: 6, certificate: null, refusedIds: [] },
  };
}

async function shipped(directory: string, ...added: StoredErasure[]): Promise<void> {
  const ledger = new ErasureLedger(join(home, directory));
  await ledger.open();
  await ledger.add(added);
  await shipLedger(new MemoryTarget(shared), join(home, directory));
}

/** Returns what a restore finds. */
async function idsIn(directory: string): Promise<string[]> {
  await fetchLedgers(new MemoryTarget(shared), join(home, directory));
  const ledger = new ErasureLedger(join(home, directory));
  await ledger.open();
  return [...ledger.ids].sort();
}

test('REP-59 one state stays, because each later one has all of it', async () => {
  for (const id of ['a', 'b', 'c']) await shipped('data', erasureOf(id));
  expect(shared.objects.size).toBe(1);
  expect(await idsIn('restored')).toEqual(['a', 'b', 'c']);
});

test('REP-59 the state of another directory stays until a later one has all of it', async () => {
  await shipped('data', erasureOf('a'));
  await shipped('other', erasureOf('b'));
  expect(shared.objects.size).toBe(2);
  await shipped('data', erasureOf('c'));
  expect(shared.objects.size).toBe(2);
  expect(await idsIn('restored')).toEqual(['a', 'b', 'c']);
  await shipped('data', erasureOf('b'));
  expect(shared.objects.size).toBe(1);
  expect(await idsIn('again')).toEqual(['a', 'b', 'c']);
});

test('REP-59 the erasure of a tenant stands for those in it', async () => {
  await shipped('data', erasureOf('a'));
  await shipped('data', erasureOf('t', 'tenant'));
  expect(shared.objects.size).toBe(1);
  expect(await idsIn('restored')).toEqual(['t']);
});

test('REP-59 a state that was changed stays, and a restore refuses it', async () => {
  await shipped('data', erasureOf('a'));
  const [name] = [...shared.objects.keys()];
  shared.objects.set(name ?? '', Buffer.from('changed'));
  await shipped('data', erasureOf('b'));
  expect(shared.objects.size).toBe(2);
  await expect(idsIn('restored')).rejects.toMatchObject({ code: 'replica_damaged' });
});
