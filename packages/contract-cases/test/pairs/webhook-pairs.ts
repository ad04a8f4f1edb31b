/** What webhooks do in pairs with other capabilities: a step that leaves one, and an action. */
import { expect } from 'vitest';
import { result } from '../harness/answer.js';
import { sharedScope } from '../harness/documents.js';
import type { Fixture } from '../harness/fixture.js';

const version = { contract_version: 1 };

/** What of a random history the action needs. */
interface History {
  readonly t: Fixture;
  readonly newText: (kind: string) => string;
  readonly checks: (() => Promise<void>)[];
}

/** Leaves a webhook, and checks that it is unchanged. */
export const webhookSteps = {
  webhooks: async ({ t }: { readonly t: Fixture }) => {
    const capabilities = ['credential_admin', 'memory_read', 'memory_write'];
    const owner = await t.agent({ subject_id: 'hooks', capabilities });
    const url = 'https://hooks.example.com/pairs';
    const document = { ...version, name: 'pairs', url, scopes: [sharedScope] };
    const { webhook } = result(await owner.call('createWebhook', { document }));
    return async () => {
      const parts = { id: webhook.id, parameters: version };
      const shown = result(await owner.call('getWebhook', parts)).webhook;
      expect(shown).toMatchObject({ name: 'pairs', url, revision: webhook.revision });
    };
  },
};

const webhooks = {
  hook: async (w: History) => {
    const capabilities = ['credential_admin', 'memory_read', 'memory_write'];
    const owner = await w.t.agent({ subject_id: 'hooks', capabilities });
    const name = w.newText('hook');
    const url = `https://hooks.example.com/${name}`;
    const document = { ...version, name, url, scopes: [sharedScope] };
    const { webhook } = result(await owner.call('createWebhook', { document }));
    w.checks.push(async () => {
      const parts = { id: webhook.id, parameters: version };
      expect(result(await owner.call('getWebhook', parts)).webhook).toMatchObject({ name, url });
    });
  },
};

/** The actions of histories. */
export const webhookActions = { webhooks };
