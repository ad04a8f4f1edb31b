/** What the operations on webhooks share. */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { uuid } from '../../contract/schema/uuid.js';
import { asciiUrl } from '../../contract/schema/web-url.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import type { InputSchemas } from '../../kernel/input/input-rules.js';
import { inputFirstChecks } from '../../kernel/operation/orders-of-checks.js';
import type { TenantRequest } from '../../kernel/operation/requests.js';
import type { ReadTx } from '../../storage/store/store.js';
import { cursorsOf } from '../memory/journal/change-cursor.js';
import {
  type CreateWebhookRequest,
  type UpdateWebhookRequest,
  WebhookParameters,
} from './schema.js';
import { type Showing, showWebhook } from './show-webhook.js';
import {
  findWebhook,
  listStoredWebhooks,
  type StoredWebhook,
  type WebhookSettings,
} from './webhook-store.js';

const ofOne = { tag: 'Webhooks', requires: { capability: 'credential_admin' } } as const;

/** The input, checks and errors of an operation that only names a webhook. */
export const namesWebhook = {
  ...ofOne,
  input: { id: uuid(), parameters: WebhookParameters },
  checks: inputFirstChecks,
  errors: ['target_not_found'],
} as const;

/** The checks and errors of an operation that sends a document about a webhook. */
export const documentsWebhook = {
  ...ofOne,
  checks: inputFirstChecks,
  whenFull: 'served',
  errors: namesWebhook.errors,
} as const;

/** The checks and errors of an operation that expects a revision of a webhook. */
export const revisesWebhook = {
  ...documentsWebhook,
  errors: [...namesWebhook.errors, 'revision_conflict'],
} as const;

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
