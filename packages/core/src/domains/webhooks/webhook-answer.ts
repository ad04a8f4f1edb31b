/** Shared parts of the operations on webhooks. */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import { cursorsOf } from '../memory/journal/change-cursor.js';
import type { InputSchemas } from '../../kernel/input/input-rules.js';
import type { TenantRequest } from '../../kernel/operation/requests.js';
import type { ReadTx } from '../../storage/store/store.js';
import { type Showing, showWebhook } from './show-webhook.js';
import { findWebhook, type StoredWebhook } from './webhook-store.js';

/** Returns the context in which webhooks are shown to a caller. */
export async function showingOf({
  runtime,
  credential: { tenantId },
  nowMs,
}: Pick<TenantRequest<InputSchemas>, 'runtime' | 'credential' | 'nowMs'>): Promise<Showing> {
  return { tenantId, nowMs, cursors: await cursorsOf(runtime, tenantId) };
}

/** Returns the answer with one webhook. */
export function webhookAnswer(tx: ReadTx, webhook: StoredWebhook, showing: Showing) {
  return { contract_version: CONTRACT_VERSION, webhook: showWebhook(tx, webhook, showing) };
}

/**
 * Returns a webhook of the caller's tenant.
 *
 * @throws {AgentkeepError} `target_not_found`
 */
export function requireWebhook(tx: ReadTx, tenantId: string, id: string): StoredWebhook {
  const webhook = findWebhook(tx, tenantId, id);
  if (webhook === undefined) throw new AgentkeepError('target_not_found');
  return webhook;
}

/**
 * Returns a webhook that is at the expected revision.
 *
 * @throws {AgentkeepError} `target_not_found`, `revision_conflict`
 */
export function requireRevision(
  tx: ReadTx,
  tenantId: string,
  { id, expected }: { readonly id: string; readonly expected: number },
): StoredWebhook {
  const webhook = requireWebhook(tx, tenantId, id);
  if (webhook.revision !== expected) throw new AgentkeepError('revision_conflict');
  return webhook;
}
