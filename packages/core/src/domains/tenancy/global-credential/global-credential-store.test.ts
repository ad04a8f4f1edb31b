/** Inconsistent credentials of the installation and oversized pages are refused. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { globalCapabilities } from '../../../kernel/access/capability.js';
import { runtimeOf } from '../../../keep/keep.js';
import { openKeep } from '../../../keep/open-keep.js';
import { putMarker } from '../../../kernel/installation/marker-store.js';
import { bootstrapMaster } from '../../../operator.js';
import { operations } from '../../../domains.js';
import { HISTORY_EVENTS_MAX } from '../../../contract/limits.js';
import { embeddedInput } from '../../../kernel/input/input.js';
import type { Store } from '../../../storage/store/store.js';
import {
  findGlobalCredential,
  insertGlobalCredential,
  globalCredentialsAfter,
  showGlobalCredential,
  type StoredGlobalCredential,
  updateGlobalCredential,
} from './global-credential-store.js';
import { testStore } from '@agentkeep/testkit/test-store';

const ID = '01934f2a-7c1b-7000-8000-000000000001';
const OTHER_ID = '01934f2a-7c1b-7000-8000-000000000002';
const master: StoredGlobalCredential = {
  id: ID,
  isMaster: true,
  spec: { subject_id: 'root', capabilities: [...globalCapabilities], expires_at_millis: null },
  revision: 1,
  verifier: 'v',
  revokedAtMillis: null,
  previous: null,
};
const event = { revision: 1, action: 'bootstrapped', actor_id: ID, at_millis: 1 } as const;
const damaged: unknown = expect.objectContaining({ code: 'storage_inconsistency' });

describe('the master', () => {
  let store: Store;
  beforeEach(() => {
    store = testStore();
  });
  afterEach(() => store.close());

  const stored = (credential: StoredGlobalCredential, mark?: string) =>
    store.transact((tx) => {
      insertGlobalCredential(tx, credential, event);
      if (mark !== undefined) putMarker(tx, 'master', mark);
    });

  test('is found as it was created, and shown as a copy', async () => {
    await stored(master);
    const shown = await store.read((tx) => showGlobalCredential(tx, master));
    shown.spec.capabilities.pop();
    expect(await store.read((tx) => findGlobalCredential(tx, ID))).toEqual(master);
  });

  test.each([
    ['is marked, but another one', master, OTHER_ID],
    ['has the mark without the flag', { ...master, isMaster: false }, ID],
    [
      'lacks a capability',
      { ...master, spec: { ...master.spec, capabilities: ['tenant_create' as const] } },
      undefined,
    ],
  ])('that %s is damage, alone and in a list', async (_, credential, mark) => {
    await stored(credential, mark);
    await expect(store.read((tx) => findGlobalCredential(tx, ID))).rejects.toThrow(damaged);
    const page = { after: undefined, limit: 9 };
    await expect(store.read((tx) => globalCredentialsAfter(tx, page))).rejects.toThrow(damaged);
  });

  test('with a gap in its history is inconsistent', async () => {
    await stored(master);
    const next = { ...master, revision: 3 };
    await store.transact((tx) => {
      updateGlobalCredential(tx, next, { ...event, revision: 3 });
    });
    await expect(store.read((tx) => showGlobalCredential(tx, next))).rejects.toThrow(damaged);
  });
});

test('long histories are cut, so that a page of them is never too large', async () => {
  const keep = await openKeep({ store: testStore() });
  const { secret } = await bootstrapMaster(keep, 'root');
  const { store } = runtimeOf(keep);
  const perCredential = 4_000;
  const bytes = Buffer.byteLength(JSON.stringify({ ...event, revision: perCredential }));
  const needed = Math.ceil(4_194_304 / (bytes * perCredential)) + 1;
  for (let index = 0; index < needed; index += 1) {
    const id = OTHER_ID.slice(0, -2) + String(index + 10);
    const grown = { ...master, isMaster: false, id, revision: perCredential };
    await store.transact((tx) => {
      for (let revision = 1; revision <= perCredential; revision += 1) {
        updateGlobalCredential(tx, grown, { ...event, action: 'rotated', revision });
      }
    });
  }
  const parameters = { contract_version: 1, limit: 100 };
  const proof = { kind: 'bearer', token: secret } as const;
  const source = embeddedInput({ parameters });
  const { page } = await keep.invoke(operations.listGlobalCredentials, source, { proof });
  expect(page.items).toHaveLength(needed + 1);
  for (const { history, revision } of page.items) {
    expect(history).toHaveLength(Math.min(revision, HISTORY_EVENTS_MAX));
    expect(history.at(-1)?.revision).toBe(revision);
  }
  const administrator = await keep.administer(secret);
  let events = 0;
  for await (const { revision } of administrator.credentials.history(page.items[0]?.id ?? '')) {
    expect(revision).toBe(perCredential - events);
    events += 1;
  }
  expect(events).toBe(perCredential);
  await keep.close();
});
