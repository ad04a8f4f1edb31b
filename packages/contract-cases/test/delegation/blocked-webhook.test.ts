/** Webhooks of a blocked subject (docs/contract/delegation.md#dlg-20). */
import { expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { scope } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';

const BLOCKED = '403 subject_blocked';
const version = { contract_version: 1 };

testCase('DLG-20 a webhook of a blocked subject delivers nothing until the end', async (t) => {
  const capabilities = ['credential_admin', 'memory_read', 'memory_write'];
  const owner = await t.agent({ subject_id: 'hooks', capabilities });
  const url = 'https://hooks.example.com/in';
  const created = await owner.call('createWebhook', {
    document: { ...version, name: 'index', url, scopes: [scope] },
  });
  const { id } = result(created).webhook;
  const state = async () => {
    const shown = await t.admin.call('getWebhook', { id, parameters: version });
    return result(shown).webhook.delivery.state;
  };
  const block = async (expected_revision: number, is_blocked: boolean) => {
    const document = { ...version, expected_revision, is_blocked };
    result(await t.admin.call('putSubject', { id: 'hooks', document }));
  };
  expect(await state()).toBe('active');
  await block(0, true);
  expect(await state()).toBe('unauthorized');
  expect(outcome(await owner.call('getWebhook', { id, parameters: version }))).toBe(BLOCKED);
  await block(1, false);
  expect(await state()).toBe('active');
  expect(outcome(await owner.with('agentkeep').whoAmI())).toBe(refused.unauthorized);
});
