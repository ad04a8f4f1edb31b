/** The webhook of a person, with the person's names in it. */
import { result } from '../harness/answer.js';
import { scope } from '../harness/documents.js';
import type { Fixture } from '../harness/fixture.js';
import { version } from './erasure-kit.js';

/** Texts that are sealed. */
export const textsOfWebhook = {
  webhook: 'person-é-webhook',
  host: 'hooks.person-host.example',
  url: 'url-of-the-person',
} as const;

/** Makes it. */
export async function makeWebhookOf(t: Fixture, subject_id: string): Promise<void> {
  const { webhook: name, host, url: path } = textsOfWebhook;
  const owner = await t.agent({ subject_id, capabilities: ['credential_admin', 'memory_read'] });
  const document = { ...version, name, url: `https://${host}/${path}`, scopes: [scope] };
  result(await owner.call('createWebhook', { document }));
}
