/** Every operation on a webhook, with an existing and a missing one. */
import { type Parts, result } from '@agentkeep/contract-cases/answer';
import type { Fixture } from '@agentkeep/contract-cases/fixture';
import type { Make, Reference } from './reference.js';

const version = { contract_version: 1 };
const revision = { ...version, expected_revision: 1 };

/** Makes a webhook of an administrator who may read. */
export async function webhookOf(t: Fixture): Promise<string> {
  const reader = await t.agent({ capabilities: ['credential_admin', 'memory_read'] });
  const document = { ...version, name: 'index', url: 'https://hooks.example.com/' };
  return result(await reader.call('createWebhook', { document })).webhook.id;
}

/** Returns the table. */
export function webhookReferences(make: Make): Reference[] {
  const read = (id: string): Parts => ({ id, parameters: version });
  const settings = { name: 'other', url: 'https://other.example.com/' };
  return [
    make('getWebhook', 'webhook', read),
    make('updateWebhook', 'webhook', withDocument({ ...revision, ...settings })),
    make('rotateWebhookSecret', 'webhook', withDocument(revision)),
    make('listWebhookDeadLetters', 'webhook', read),
    make('replayWebhookDeadLetters', 'webhook', withDocument(version)),
    make('deleteWebhook', 'webhook', read),
  ];
}

function withDocument(document: object): (id: string) => Parts {
  return (id) => ({ id, document });
}
