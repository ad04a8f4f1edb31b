/** The audit events of webhooks. They never name a secret. */
import type { EventSubject } from '../../kernel/audit/call-events.js';
import type { StoredWebhook } from './webhook-store.js';

/** The change that a call made to a webhook. */
export type WebhookChange = 'created' | 'updated' | 'deleted' | 'secret_rotated' | 'replayed';

/** Returns the event of a changed webhook. */
export function webhookChanged(change: WebhookChange, webhook: StoredWebhook): EventSubject {
  const { id, name, url, scopes, actions, isEnabled } = webhook;
  return {
    type: 'configuration_changed',
    action: 'configuration_changed',
    resource: `webhook:${id}`,
    result: 'success',
    metadata: {
      change,
      name,
      // The rest of an address may contain a secret.
      origin: new URL(url).origin,
      scopes: scopes === null ? null : scopes.map((scope) => ({ ...scope })),
      actions: actions === null ? null : [...actions],
      enabled: isEnabled,
    },
  };
}
