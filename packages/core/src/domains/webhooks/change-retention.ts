/** How long the changes of a tenant are kept. */
import { WEBHOOK_CHANGES_DAYS_MIN } from '../../contract/limits.js';
import type { ReadTx } from '../../storage/store/store.js';
import { hasWebhooks } from './webhook-store.js';

const DAY_MS = 86_400_000;

/** Returns the milliseconds by tenant. Webhooks must be able to try for days. */
export function changeRetention(retentionMs: number): (tx: ReadTx, tenantId: string) => number {
  const withWebhooksMs = Math.max(retentionMs, WEBHOOK_CHANGES_DAYS_MIN * DAY_MS);
  return (tx, tenantId) => (hasWebhooks(tx, tenantId) ? withWebhooksMs : retentionMs);
}
