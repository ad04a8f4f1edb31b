/** What has to hold at the end of a random history of capabilities. */
import { runtimeOf, verifyErasureOfStore, verifyStore } from '@agentkeep/core/operator';
import { type Entry, writeStoreDirectory } from '@agentkeep/core/store';
import { eventually } from '@agentkeep/testkit/eventually';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { textsIn } from '../branches/harness.js';
import { textsLeftIn } from '../erasure/search-kit.js';
import { contentOf, countedIn, exported, imported, ofTenant } from '../exports/export-fixture.js';
import { result } from '../harness/answer.js';
import { scope } from '../harness/documents.js';
import { tenant } from '../harness/fixture.js';
import { idsOf } from '../review/harness.js';
import { entriesIn, type HistoryWorld, places, textsOf, version } from './history-world.js';

const history = { with_history: true };

/** Checks that everything that was acknowledged is there, and nothing else. */
async function checkMemory(w: HistoryWorld): Promise<void> {
  for (const name of ['shared', 'own', 'doomed'] as const) {
    expect([name, await textsIn(w.alice, places[name])]).toEqual([name, textsOf(w[name])]);
  }
  for (const { where, view } of w.branches) {
    expect(await textsIn(w.alice, where)).toEqual(textsOf(view));
  }
  expect((await idsOf(w.alice, { limit: 100 })).toSorted()).toEqual(
    [...w.waiting.keys()].toSorted(),
  );
  for (const { caller, texts } of w.persons) {
    expect(await textsIn(caller, scope)).toEqual(texts.slice(0, 1));
  }
}

/** Returns what can be asked about the memory of the tenant, as text. */
async function answers({ t, alice }: HistoryWorld): Promise<string> {
  const parameters = { ...version, limit: 100 };
  const pages: unknown[] = [await exported(t.admin, ofTenant, history)];
  for (const state of ['proposed', 'merged', 'rejected']) {
    const asked = { parameters: { ...parameters, state } };
    pages.push(result(await alice.call('listMemoryProposals', asked)));
  }
  pages.push(result(await alice.call('listMemoryBranches', { parameters })));
  pages.push(result(await alice.changes({ limit: 256, proposals: 'include' })));
  pages.push(result(await t.admin.call('listScopes', { parameters })));
  return JSON.stringify(pages);
}

/** Checks that no answer and no entry has a text that was taken away. */
async function checkGone(w: HistoryWorld): Promise<void> {
  await runtimeOf(w.t.keep).audit.flush();
  const text = await answers(w);
  expect(w.gone.filter((each) => text.includes(each))).toEqual([]);
  expect(await textsLeftIn(w.t, w.gone)).toEqual([]);
  const { encryption } = w;
  if (encryption !== undefined) {
    const kept = [w.shared, w.own, w.doomed].flatMap(textsOf);
    expect(await textsLeftIn(w.t, kept)).toEqual([]);
  }
  for (const subject_id of w.erased) {
    const target = { kind: 'subject', subject_id } as const;
    const asked = { tenantId: 'acme', target, encryption };
    const { status, families } = await verifyErasureOfStore(w.t.store, asked);
    expect([status, families.filter(({ left }) => left > 0)]).toEqual(['clean', []]);
  }
}

/** Checks that the quota has counted what a walk finds. */
async function checkQuota({ t, master, hasQuota }: HistoryWorld): Promise<void> {
  if (!hasQuota) return;
  const span = { from: Buffer.from('acme\0'), to: Buffer.from('acme\x01') };
  await eventually(async () => {
    const entries = await t.store.read((tx) => Array.from(tx.range(span), () => null).length);
    const { use } = result(await master.quotaOf('acme'));
    expect(use).toMatchObject({ entries, is_complete: true });
  });
}

/** Checks that the store verifies as it is now, and as it was in between. */
async function checkStore({ t, copy }: HistoryWorld): Promise<void> {
  const parent = await mkdtemp(join(tmpdir(), 'agentkeep-history-'));
  const copies = [await t.store.read(entriesIn), ...(copy === undefined ? [] : [copy])];
  for (const [at, entries] of copies.entries()) {
    const dataDir = join(parent, String(at));
    await writeStoreDirectory(dataDir, pagesOf(entries));
    expect((await verifyStore({ dataDir })).status).toBe('verified');
  }
  await rm(parent, { recursive: true });
}

async function* pagesOf(entries: readonly Entry[]): AsyncGenerator<readonly Entry[]> {
  yield await Promise.resolve(entries);
}

/** Checks that an export comes back from another installation as the same lines. */
async function checkExport({ t }: HistoryWorld): Promise<void> {
  const text = await exported(t.admin, ofTenant, history);
  await using other = await tenant(t.driver);
  other.clock.advance(t.clock.now() - other.clock.now());
  const { refused, stored, problems } = await imported(other.admin, text);
  expect([refused, stored, problems]).toEqual([0, countedIn(text), []]);
  expect(contentOf(await exported(other.admin, ofTenant, history))).toEqual(contentOf(text));
}

/** Checks all of it. */
export async function checkHistory(w: HistoryWorld): Promise<void> {
  await checkMemory(w);
  for (const check of w.checks) await check();
  await checkGone(w);
  await checkQuota(w);
  await checkStore(w);
  await checkExport(w);
}
