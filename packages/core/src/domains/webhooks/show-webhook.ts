/** Webhooks as answers show them. */
import { isLive } from '../tenancy/credential/credential-policy.js';
import { isBlockedSubject } from '../tenancy/delegation/subject-store.js';
import { findCredential, type StoredCredential } from '../tenancy/credential/credential-store.js';
import type { ChangeCursors } from '../memory/journal/change-cursor.js';
import type { ReadTx } from '../../storage/store/store.js';
import {
  findDelivery,
  listDeadLetters,
  newDelivery,
  type StoredDelivery,
  type StoredFailure,
  type WebhookKey,
} from './delivery-store.js';
import { FIRST_POSITION } from '../../storage/store/position.js';
import type { Webhook } from './schema.js';
import { liveSecrets } from './webhook-secret.js';
import type { StoredWebhook } from './webhook-store.js';

/** The context in which a webhook is shown. */
export interface Showing {
  readonly tenantId: string;
  readonly cursors: ChangeCursors;
  readonly nowMs: number;
}

/** Returns a webhook as answers show it. */
export function showWebhook(
  tx: ReadTx,
  webhook: StoredWebhook,
  { tenantId, cursors, nowMs }: Showing,
): Webhook {
  const { id, name, url, scopes, actions, isEnabled, revision, credentialId } = webhook;
  const key = { tenantId, webhookId: id };
  const delivery = findDelivery(tx, key) ?? newDelivery(FIRST_POSITION);
  const owner = ownerOf(tx, tenantId, webhook, nowMs);
  return {
    id,
    name,
    url,
    scopes: scopes === null ? null : [...scopes],
    actions: actions === null ? null : [...actions],
    enabled: isEnabled,
    revision,
    credential_id: credentialId,
    created_at_millis: webhook.createdAtMillis,
    updated_at_millis: webhook.updatedAtMillis,
    secrets: liveSecrets(webhook.secrets, nowMs).length,
    delivery: {
      state: stateOf(webhook, owner, delivery),
      next_after: cursors.seal(delivery.from),
      ...progressOf(tx, key, delivery),
    },
  };
}

/** Returns the live credential that a webhook reads with; `undefined` also while it is blocked. */
export function ownerOf(
  tx: ReadTx,
  tenantId: string,
  { credentialId }: Pick<StoredWebhook, 'credentialId'>,
  nowMs: number,
): StoredCredential | undefined {
  const owner = findCredential(tx, tenantId, credentialId);
  const mayRead = owner?.spec.capabilities.includes('memory_read') === true;
  if (!mayRead || !isLive(owner, nowMs)) return undefined;
  return isBlockedSubject(tx, tenantId, owner.spec.subject_id) ? undefined : owner;
}

/** Returns a failure as answers show it. */
export function showFailure({ atMillis, reason, status }: StoredFailure) {
  return { at_millis: atMillis, reason, status };
}

function stateOf(
  { isEnabled }: StoredWebhook,
  owner: StoredCredential | undefined,
  { message }: StoredDelivery,
): Webhook['delivery']['state'] {
  if (!isEnabled) return 'paused';
  if (owner === undefined) return 'unauthorized';
  return (message?.attempts ?? 0) > 0 ? 'retrying' : 'active';
}

function progressOf(tx: ReadTx, key: WebhookKey, delivery: StoredDelivery) {
  return {
    delivered_messages: delivery.deliveredMessages,
    last_delivered_at_millis: delivery.lastDeliveredAtMillis,
    failed_attempts: delivery.message?.attempts ?? 0,
    next_attempt_at_millis: delivery.nextAttemptAtMillis,
    last_failure: delivery.lastFailure && showFailure(delivery.lastFailure),
    dead_letters: listDeadLetters(tx, key).length,
  };
}
