/**
 * A history that an account without rights makes long (OWASP API4:2023): it changes its own e-mail
 * address again and again. What administrators are shown of it, and the work to show it, stay the
 * same, so that no number of changes closes their lists.
 */
import { createAdmin } from '@agentkeep/core/operator';
import { expect, test } from 'vitest';
import { outcome, refused, result } from '@agentkeep/contract-cases/answer';
import { drivers } from '@agentkeep/contract-cases/drivers';
import { tenant } from '@agentkeep/contract-cases/fixture';
import { PASSWORD, Party } from '@agentkeep/contract-cases/user-fixture';
import { countingStore } from './counting-store.js';

/** More than an answer shows. */
const CHANGES = 80;
const version = { contract_version: 1 };

test('changes neither the lists of administrators nor the work for them', async () => {
  const { store, taken } = countingStore();
  await using t = await tenant(drivers[1]!, store);
  await createAdmin(t.keep, { username: 'chief', password: PASSWORD, tenantId: 'acme' });
  const login = async (username: string): Promise<Party> => {
    const document = { username, password: PASSWORD, tenant_id: 'acme' };
    const answer = await t.transport('authLogin', undefined, { document });
    const { access_token, user_id } = result(answer);
    return new Party(t.transport, access_token, user_id);
  };
  const chief = await login('chief');
  result(await chief.create({ username: 'ann', password: PASSWORD }));
  const ann = await login('ann');
  let changed = 0;
  const changeEmail = async (): Promise<void> => {
    for (let left = CHANGES; left > 0; left -= 1) {
      changed += 1;
      const email = `${String(changed).padStart(6, '0')}@x.test`;
      expect(outcome(await ann.update(ann.id, { email }))).toBe('200');
    }
  };
  const look = async () => {
    const parts = { parameters: { ...version, limit: 1 } };
    await t.transport('getHealth', undefined, {});
    taken();
    const { page } = result(await t.admin.call('listTenantLoginAccounts', parts));
    const { largestRead } = taken();
    const bytes = Buffer.byteLength(JSON.stringify(page.items), 'utf8');
    const [account] = page.items;
    const ends = [account?.history.at(-1)?.revision, account?.username];
    return { bytes, largestRead, ends };
  };
  await changeEmail();
  const before = await look();
  expect(before.ends).toEqual([CHANGES + 1, 'ann']);
  await changeEmail();
  const after = await look();
  expect(after.ends).toEqual([2 * CHANGES + 1, 'ann']);
  // Revisions have more digits, and nothing else grows.
  expect(after.bytes - before.bytes).toBeLessThan(100);
  expect(after.largestRead).toBe(before.largestRead);

  const revisions: number[] = [];
  let cursor: string | undefined;
  do {
    const parameters = { limit: 50, ...(cursor === undefined ? {} : { cursor }) };
    const answer = await t.admin.call('inspectTenantLoginAccount', { id: ann.id, parameters });
    const { account, next_cursor } = result(answer);
    revisions.unshift(...account.history.map(({ revision }) => revision));
    cursor = next_cursor;
  } while (cursor !== undefined);
  expect(revisions).toEqual(Array.from({ length: 2 * CHANGES + 1 }, (_, index) => index + 1));
});

test('cursors of a history are those of one account', async () => {
  await using t = await tenant(drivers[1]!);
  const { id } = await t.agent();
  const other = await t.agent();
  result(await t.admin.rotate(id, 1));
  const inspect = (of: string, parameters: object) =>
    t.admin.call('inspectCredential', { id: of, parameters });
  const first = result(await inspect(id, { limit: 1 }));
  expect(first.credential.history).toMatchObject([{ revision: 2 }]);
  const cursor = first.next_cursor ?? '';
  const second = result(await inspect(id, { limit: 1, cursor }));
  expect(second.credential.history).toMatchObject([{ revision: 1 }]);
  expect(second.next_cursor).toBeUndefined();
  expect(outcome(await inspect(other.id, { cursor }))).toBe(refused.invalid);
  for (const parameters of [{ limit: 0 }, { limit: 65 }, { cursor: 'x' }, { cursor: '' }]) {
    expect(outcome(await inspect(id, parameters))).toBe(refused.invalid);
  }
});
