/**
 * Long histories (DIR-C56) and the size limit of a page
 * (DIR-C52).
 */
import { expect, test } from 'vitest';
import { findAccount, updateAccount, accountEvents } from '../account/account-store.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { HISTORY_EVENTS_MAX } from '../../../contract/limits.js';
import { findCredential, updateCredential } from '../../tenancy/credential/credential-store.js';
import { type Keep, runtimeOf } from '../../../keep/keep.js';
import { openKeep } from '../../../keep/open-keep.js';
import { bootstrapTenant } from '../../../operator.js';
import { quickPasswords } from '../../../testing/quick-passwords.js';
import { testStore } from '@agentkeep/testkit/test-store';

const REVISIONS = 3_000;

async function opened() {
  const keep = await openKeep({ store: testStore(), passwords: quickPasswords });
  const made = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  return { keep, admin: await keep.authenticate(made.secret), credentialId: made.credential.id };
}

test('DIR-C56 an account is listed with its newest events, and inspected in pages', async () => {
  const { keep, admin, credentialId } = await opened();
  const { loginAccounts } = admin;
  const person = { username: 'ann', password: 'Correct-Horse-7' };
  const { id } = await loginAccounts.create({ ...person, credentialId });
  await grow(keep, id);
  const revisions = Array.from({ length: REVISIONS }, (_, index) => index + 1);
  const newest = revisions.slice(-HISTORY_EVENTS_MAX);
  const { items } = await loginAccounts.listPage({ limit: 1 });
  expect(items).toHaveLength(1);
  expect(items[0]?.revision).toBe(REVISIONS);
  expect(items[0]?.history.map(({ revision }) => revision)).toEqual(newest);
  expect(await loginAccounts.inspect(id)).toEqual(items[0]);
  for (const limit of [undefined, 7]) {
    const walked: number[] = [];
    for await (const { revision } of loginAccounts.history(
      id,
      limit === undefined ? {} : { limit },
    )) {
      walked.push(revision);
    }
    expect(walked).toEqual(revisions.toReversed());
  }
  await keep.close();
});

test('DIR-C56 an event that is gone is noticed', async () => {
  const { keep, admin, credentialId } = await opened();
  const { loginAccounts } = admin;
  const person = { username: 'ann', password: 'Correct-Horse-7' };
  const { id } = await loginAccounts.create({ ...person, credentialId });
  await grow(keep, id);
  const remove = (revision: number) =>
    runtimeOf(keep).store.transact((tx) => {
      tx.remove(accountEvents.keyOf('acme', id, revision));
    });
  const inconsistent = new AgentkeepError('storage_inconsistency');
  await remove(1);
  expect((await loginAccounts.inspect(id)).history).toHaveLength(HISTORY_EVENTS_MAX);
  const walk = async () => {
    let count = 0;
    for await (const event of loginAccounts.history(id)) count += event.revision > 0 ? 1 : 0;
    return count;
  };
  await expect(walk()).rejects.toThrow(inconsistent);
  await remove(REVISIONS);
  await expect(loginAccounts.inspect(id)).rejects.toThrow(inconsistent);
  await keep.close();
});

test('DIR-C56 large events are fewer, and the history never makes a page too large', async () => {
  const { keep, admin, credentialId } = await opened();
  const scope = 'x'.repeat(90_000);
  await rescope(keep, credentialId, scope, 40);
  const { items } = await admin.credentials.listPage({ limit: 1 });
  const bytes = Buffer.byteLength(JSON.stringify(items), 'utf8');
  expect(bytes).toBeLessThan(1_100_000);
  expect(items[0]?.history.length).toBeGreaterThan(5);
  expect(items[0]?.history.at(-1)?.revision).toBe(41);
  const walked: number[] = [];
  for await (const { revision } of admin.credentials.history(credentialId)) walked.push(revision);
  expect(walked).toEqual(Array.from({ length: 41 }, (_, index) => 41 - index));
  // A large event leaves no room for the one before it.
  await rescope(keep, credentialId, 'x'.repeat(980_000), 1);
  expect((await admin.credentials.inspect(credentialId)).history).toHaveLength(1);
  await keep.close();
});

test('DIR-C52, LOA-1 a page ends at 4 MiB, and its cursor goes on', async () => {
  const { keep, admin } = await opened();
  const spec = { subject_id: 'alice', capabilities: ['memory_read' as const], grants: [] };
  for (let index = 0; index < 5; index += 1) {
    const { credential } = await admin.credentials.issue(spec);
    await rescope(keep, credential.id, 'x'.repeat(95_000), 10);
  }
  const first = await admin.credentials.listPage();
  expect(first.items.length).toBeLessThan(6);
  let listed = 0;
  for await (const { revision } of admin.credentials.list()) listed += Math.min(revision, 1);
  expect(listed).toBe(6);
  await keep.close();
});

/** Gives an account a long history, as many changes of its e-mail address would. */
async function grow(keep: Keep, id: string): Promise<void> {
  await runtimeOf(keep).store.transact((tx) => {
    const before = findAccount(tx, 'acme', id);
    if (before === undefined) throw new Error('The account is gone.');
    const event = (revision: number) =>
      ({
        revision,
        action: 'login_account_updated',
        actor_id: id,
        at_millis: Number.MAX_SAFE_INTEGER,
      }) as const;
    for (let revision = 2; revision < REVISIONS; revision += 1) {
      accountEvents.put(tx, event(revision), 'acme', id, revision);
    }
    updateAccount(tx, before, { ...before, revision: REVISIONS }, event(REVISIONS));
  });
}

/** Adds changes of scopes to the history of a credential, each with a scope of this project id. */
async function rescope(keep: Keep, id: string, project_id: string, times: number): Promise<void> {
  const grants = [{ project_id, mission_id: null, agent_id: 'a', visibility: 'shared' as const }];
  for (let left = times; left > 0; left -= 1) {
    await runtimeOf(keep).store.transact((tx) => {
      const before = findCredential(tx, 'acme', id);
      if (before === undefined) throw new Error('The credential is gone.');
      const revision = before.revision + 1;
      updateCredential(
        tx,
        { ...before, revision },
        {
          revision,
          action: 'scope_authority_changed',
          actor_id: id,
          at_millis: 1,
          scope_authority_change: { previous: { grants: [] }, current: { grants } },
        },
      );
    });
  }
}
