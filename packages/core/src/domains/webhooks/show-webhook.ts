/** Webhooks as answers show them. */
import { shownAs } from '../../contract/schema/member-names.js';
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
} from './delivery-store.js';
import { FIRST_POSITION } from '../../storage/store/position.js';
import { Webhook, WebhookDelivery, WebhookFailure } from './schema.js';
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
  const { id, scopes, actions, isEnabled } = webhook;
  const key = { tenantId, webhookId: id };
  const delivery = findDelivery(tx, key) ?? newDelivery(FIRST_POSITION);
  const owner = ownerOf(tx, tenantId, webhook, nowMs);
  return shownAs(Webhook, webhook, {
    scopes: scopes === null ? null : [...scopes],
    actions: actions === null ? null : [...actions],
    enabled: isEnabled,
    secrets: liveSecrets(webhook.secrets, nowMs).length,
    delivery: shownAs(WebhookDelivery, delivery, {
      state: stateOf(webhook, owner, delivery),
      next_after: cursors.seal(delivery.from),
      failed_attempts: delivery.message?.attempts ?? 0,
      last_failure: delivery.lastFailure && showFailure(delivery.lastFailure),
      dead_letters: listDeadLetters(tx, key).length,
    }),
  });
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
export function showFailure(failure: StoredFailure) {
  return shownAs(WebhookFailure, failure, {});
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
