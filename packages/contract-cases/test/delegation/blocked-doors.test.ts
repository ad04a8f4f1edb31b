/** Every way in that a block closes, and opens again (docs/contract/delegation.md#dlg-20). */
import { expect } from 'vitest';
import { result } from '../harness/answer.js';
import { Party, PASSWORD, withUsers } from '../users/user-fixture.js';

const BLOCKED = '403 subject_blocked';
const version = { contract_version: 1 };

withUsers('DLG-20 a session and an API key of a person are refused, and go on', async (users) => {
  const { fixture, tenantAdmin } = users;
  const { credential } = await fixture.agent({ subject_id: 'ann' });
  const made = { username: 'ann', password: PASSWORD, credential_id: credential.id };
  result(await tenantAdmin.create(made));
  const person = await users.login('ann', { tenant_id: 'acme' });
  const { key } = result(await person.call('createApiKey', { document: { name: 'ci' } }));
  const byKey = new Party(fixture.transport, key, person.id);
  const block = async (expected_revision: number, is_blocked: boolean) => {
    const document = { ...version, expected_revision, is_blocked };
    result(await tenantAdmin.call('putSubject', { id: 'ann', document }));
  };
  const seen = () => Promise.all([person, byKey].map((party) => party.outcome('whoAmI')));
  expect(await seen()).toEqual(['200', '200']);
  await block(0, true);
  expect(await seen()).toEqual([BLOCKED, BLOCKED]);
  await block(1, false);
  expect(await seen()).toEqual(['200', '200']);
});
