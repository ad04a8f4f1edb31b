/** Webhooks of attacks: one to name, and every call on them. */
import { type Parts, result } from '@agentkeep/contract-cases/answer';
import { scope } from '@agentkeep/contract-cases/documents';
import type { Fixture } from '@agentkeep/contract-cases/fixture';
import type { WebhookSender } from '@agentkeep/core';
import { eventually } from '@agentkeep/testkit/eventually';

const version = { contract_version: 1 };

/** Makes a webhook of an administrator who may read. */
export async function webhookOf(t: Fixture): Promise<string> {
  const reader = await t.agent({ capabilities: ['credential_admin', 'memory_read'] });
  const document = { ...version, name: 'index', url: 'https://hooks.example.com/' };
  return result(await reader.call('createWebhook', { document })).webhook.id;
}

/** Calls the operations on webhooks, with as many of them as a tenant can have. Days pass. */
export async function callOnWebhooks(t: Fixture): Promise<void> {
  const owner = await t.agent({ capabilities: ['credential_admin', 'memory_read'] });
  const settings = { url: 'https://hooks.example.com/', scopes: [scope] };
  const create = (name: string) => ({ document: { ...version, ...settings, name } });
  for (const { id } of result(await owner.call('listWebhooks', { parameters: version })).webhooks) {
    result(await owner.call('deleteWebhook', { id, parameters: version }));
  }
  for (let count = 0; count < 32; count += 1) {
    result(await owner.call('createWebhook', create(String(count))));
  }
  const [first] = result(await owner.call('listWebhooks', { parameters: version })).webhooks;
  const of = (members: object): Parts => ({ id: first?.id, ...members });
  const revised = { ...version, expected_revision: 1, ...settings, name: 'new' };
  const rotated = { ...version, expected_revision: 2 };
  result(await owner.call('getWebhook', of({ parameters: version })));
  result(await owner.call('updateWebhook', of({ document: revised })));
  result(await owner.call('rotateWebhookSecret', of({ document: rotated })));
  result(await owner.call('listWebhookDeadLetters', of({ parameters: version })));
  result(await owner.call('replayWebhookDeadLetters', of({ document: version })));
  result(await owner.call('deleteWebhook', of({ parameters: version })));
  await discardDeadLetter(t);
}

/** A sender whose receivers never answer, so that every message becomes a dead letter. */
export const deafReceivers: WebhookSender = {
  send: () => Promise.resolve({ kind: 'failed', reason: 'unreachable' }),
};

const DAY_MS = 86_400_000;

/** Has a webhook give up what it sends to {@link deafReceivers}, and discards a dead letter. */
async function discardDeadLetter(t: Fixture): Promise<void> {
  const id = await webhookOf(t);
  const owner = await t.agent({ capabilities: ['credential_admin', 'memory_read'] });
  const agent = await t.agent();
  const letter = await eventually(async () => {
    await agent.created(scope);
    t.clock.advance(DAY_MS);
    const answer = await owner.call('listWebhookDeadLetters', { id, parameters: version });
    const [first] = result(answer).dead_letters;
    if (first === undefined) throw new Error('Nothing was given up yet.');
    return first;
  });
  const document = { ...version, dead_letter_id: letter.id };
  result(await owner.call('discardWebhookDeadLetter', { id, document }));
}
