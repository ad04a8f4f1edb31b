/**
 * The settings that a caller chooses for a webhook, checked against the caller and the other
 * webhooks.
 */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { InputSchemas } from '../../kernel/input/input-rules.js';
import type { TenantRequest } from '../../kernel/operation/requests.js';
import type { ReadTx } from '../../storage/store/store.js';
import type { CreateWebhookRequest, UpdateWebhookRequest } from './schema.js';
import { asciiUrl } from '../../contract/schema/web-url.js';
import { listStoredWebhooks, type WebhookSettings } from './webhook-store.js';

type Chosen = CreateWebhookRequest | UpdateWebhookRequest;

/** What the operations that choose settings require. */
export const requiresSettings = {
  capability: 'credential_admin' as const,
  scopes: ({ document }: { readonly document: Chosen }) => ({
    all: document.scopes ?? [],
    memberOf: (index: number) => `scopes[${index}]`,
  }),
};

/**
 * Returns the settings that a request chooses.
 *
 * @throws {AgentkeepError} `forbidden` where the caller may not read memory, so that its webhook
 * could not either.
 */
export function settingsIn(
  request: Pick<TenantRequest<InputSchemas>, 'credential' | 'deny'>,
  { name, url, scopes, actions, enabled }: Chosen,
): WebhookSettings {
  const { capabilities } = request.credential.spec;
  if (!capabilities.includes('memory_read')) request.deny('memory_read');
  return { name, url: asciiUrl(url), scopes, actions, isEnabled: enabled };
}

/**
 * Refuses a name that another webhook has.
 *
 * @throws {AgentkeepError} `revision_conflict`
 */
export function requireFreeName(
  tx: ReadTx,
  tenantId: string,
  { id, name }: { readonly id: string; readonly name: string },
): void {
  const isTaken = listStoredWebhooks(tx, tenantId).some(
    (other) => other.name === name && other.id !== id,
  );
  if (!isTaken) return;
  const members = [{ path: 'name', expected: 'a name that no other webhook of the tenant has' }];
  throw new AgentkeepError('revision_conflict', { members });
}
