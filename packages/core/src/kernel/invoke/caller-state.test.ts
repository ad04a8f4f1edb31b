/** A proof that ended is refused by the very next read, on a store that remembers its callers. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { codeOf } from '../../../test/servers.js';
import type { Agent } from '../../client/agent.js';
import {
  findCredential,
  updateCredential,
} from '../../domains/tenancy/credential/credential-store.js';
import { type Keep, runtimeOf } from '../../keep/keep.js';
import { openKeep } from '../../keep/open-keep.js';
import { bootstrapTenant } from '../../operator.js';
import { openLmdbStore } from '../../storage/lmdb-store/open-lmdb-store.js';
import type { Store } from '../../storage/store/store.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { identify } from './invoke.js';

const SCOPE = { project_id: 'p', agent_id: 'a', visibility: 'shared' } as const;

let directory: string;
let store: Store;
let keep: Keep;
let clock: ManualClock;
let admin: Agent;
let agent: Agent;
let secret: string;
let id: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'agentkeep-caller-'));
  store = await openLmdbStore({ directory });
  clock = new ManualClock();
  keep = await openKeep({ store, clock });
  const bootstrapped = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  admin = await keep.authenticate(bootstrapped.secret);
  const issued = await admin.credentials.issue({
    subject_id: 'alice',
    capabilities: ['memory_read'],
    grants: [SCOPE],
    expires_at_millis: clock.now() + 60_000,
  });
  ({ secret } = issued);
  ({ id } = issued.credential);
  agent = await keep.authenticate(secret);
  await agent.whoAmI();
});

afterEach(async () => {
  await keep.close();
  await rm(directory, { recursive: true, force: true });
});

const outcomes = () =>
  Promise.all([
    codeOf(agent.whoAmI()),
    codeOf(keep.authenticate(secret)),
    codeOf(agent.memory.in(SCOPE).queryPage()),
  ]);
const REFUSED = ['unauthorized', 'unauthorized', 'unauthorized'];

test('a read that begins as soon as the revoking commit is made is refused', async () => {
  let first: Promise<string[]> | undefined;
  // Runs after the commit and before its caller is answered.
  const committed = (): void => {
    first ??= outcomes();
  };
  store.observe?.({ committed, failed: () => undefined });
  await admin.credentials.revoke(id, 1);
  expect(await first).toEqual(REFUSED);
});

test('reads queued behind the revoking batch are refused', async () => {
  const revoking = admin.credentials.revoke(id, 1);
  const behind: Promise<string[]>[] = [];
  let commits = 0;
  const committed = (): void => {
    commits += 1;
  };
  store.observe?.({ committed, failed: () => undefined });
  // The batch runs in one of these turns; what begins after it must see it.
  for (let turn = 0; turn < 20; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    if (commits > 0) behind.push(outcomes());
  }
  await revoking;
  expect(behind.length).toBeGreaterThan(0);
  for (const each of await Promise.all(behind)) expect(each).toEqual(REFUSED);
});

test('a write behind the revocation in the same commit is refused', async () => {
  const { store: kept, authenticate } = runtimeOf(keep);
  const { held } = await identify(runtimeOf(keep), { kind: 'bearer', token: secret });
  const isProved = () => kept.transact((tx) => authenticate(tx, held, clock.now()) !== undefined);
  const revoke = (isTaken: boolean) =>
    kept.transact((tx) => {
      const credential = findCredential(tx, 'acme', id)!;
      updateCredential(tx, { ...credential, revision: 2, revokedAtMillis: clock.now() }, {
        type: 'revoked',
        revision: 2,
        actor_subject_id: 'ops',
        at_millis: clock.now(),
      } as never);
      const isStillProved = authenticate(tx, held, clock.now()) !== undefined;
      if (!isTaken) throw new Error(`proved: ${String(isStillProved)}`);
      return isStillProved;
    });
  let commits = 0;
  store.observe?.({ committed: () => (commits += 1), failed: () => undefined });
  const dropped = revoke(false).catch((error: unknown) => (error as Error).message);
  const all = [isProved(), dropped, isProved(), revoke(true), isProved(), isProved()];
  expect(await Promise.all(all)).toEqual([true, 'proved: false', true, false, false, false]);
  expect(await outcomes()).toEqual(REFUSED);
});

test('a secret that was rotated away is refused at once, and the new one is accepted', async () => {
  const { secret: renewed } = await admin.credentials.rotate(id, 1);
  expect(await outcomes()).toEqual(REFUSED);
  expect((await (await keep.authenticate(renewed)).whoAmI()).revision).toBe(2);
});

test('a credential expires by the clock, and comes back where the clock is set back', async () => {
  clock.advance(59_999);
  expect((await agent.whoAmI()).id).toBe(id);
  clock.advance(1);
  expect(await outcomes()).toEqual(REFUSED);
  clock.stepTo(clock.now() - 1);
  expect((await agent.whoAmI()).id).toBe(id);
});

test('a scope that was taken away is forbidden at once', async () => {
  await admin.credentials.changeScopeAuthority(id, 1, { grants: [] });
  expect(await codeOf(agent.memory.in(SCOPE).queryPage())).toBe('forbidden');
});

test('changing an answer changes neither the rights nor the history of a credential', async () => {
  const shown = await agent.whoAmI();
  const text = JSON.stringify(shown);
  shown.spec.capabilities.push('credential_admin');
  shown.history.pop();
  expect(JSON.stringify(await agent.whoAmI())).toBe(text);
  expect(await codeOf(agent.credentials.listPage())).toBe('forbidden');
});
