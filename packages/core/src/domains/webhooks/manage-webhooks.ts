/** The operations that make, show, list, change and delete webhooks. */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { exampleId, exampleScope, exampleVersion } from '../../contract/example-values.js';
import { WEBHOOKS_MAX } from '../../contract/limits.js';
import { uuid } from '../../contract/schema/uuid.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import { defineTenantOperation } from '../../kernel/operation/define-operation.js';
import { inputFirstChecks } from '../../kernel/operation/orders-of-checks.js';
import type { WriteTx } from '../../storage/store/store.js';
import { positionAt } from '../memory/changes/read-changes.js';
import { FOREIGN_AFTER } from '../memory/journal/change-cursor.js';
import { floorOf } from '../memory/journal/change-store.js';
import {
  namesWebhook,
  requireFreeName,
  requireRevision,
  requiresSettings,
  requireWebhook,
  revisesWebhook,
  settingsIn,
  showingOf,
  webhookAnswer,
} from './webhook-operation.js';
import { deliverWebhooks } from './delivery-port.js';
import {
  findDelivery,
  newDelivery,
  putDelivery,
  removeDelivery,
  type WebhookKey,
} from './delivery-store.js';
import {
  CreateWebhookRequest,
  DeletedWebhookResponse,
  RotateWebhookSecretRequest,
  UpdateWebhookRequest,
  WebhookParameters,
  WebhookResponse,
  WebhookSecretResponse,
  WebhooksResponse,
} from './schema.js';
import { showWebhook } from './show-webhook.js';
import { webhookChanged } from './webhook-message.js';
import { newWebhookSecret, rotated } from './webhook-secret.js';
import {
  listStoredWebhooks,
  putWebhook,
  removeWebhook,
  type StoredWebhook,
} from './webhook-store.js';

/** A repeat finds that the name is taken, so it makes no second webhook. */
export const createWebhook = defineTenantOperation({
  name: 'createWebhook',
  summary: 'Deliver changes of memory to an address; the secret is shown once.',
  example: {
    document: {
      ...exampleVersion,
      name: 'refund decisions',
      url: 'https://hooks.example.com/agentkeep',
      scopes: [exampleScope],
    },
  },
  command: {
    name: 'webhooks create',
    examples: [
      'agentkeep webhooks create --name crm --set-url https://crm.example/hook ' +
        '--write-secret ./hook',
    ],
  },
  tag: 'Webhooks',
  input: { document: CreateWebhookRequest },
  output: WebhookSecretResponse,
  requires: requiresSettings,
  checks: inputFirstChecks,
  errors: ['revision_conflict', 'webhook_limit', 'position_expired'],
  handler: async (request) => {
    const { runtime, credential, input, nowMs } = request;
    const { document } = input;
    const { tenantId } = credential;
    const settings = settingsIn(request, document);
    const showing = await showingOf(request);
    const after =
      document.after === null ? undefined : showing.cursors.open(document.after, FOREIGN_AFTER);
    const secret = newWebhookSecret(runtime.entropy);
    const webhook: StoredWebhook = {
      id: runtime.newId(),
      ...settings,
      revision: 1,
      credentialId: credential.id,
      createdAtMillis: nowMs,
      updatedAtMillis: nowMs,
      secrets: [secret],
    };
    const start = await runtime.store.read((tx) => {
      const horizon = Uint8Array.from(tx.horizon());
      return positionAt(after ?? 'latest', floorOf(tx, tenantId), horizon);
    });
    const answer = await runtime.store.transact((tx) => {
      request.confirm(tx);
      requireFreeName(tx, tenantId, webhook);
      const others = listStoredWebhooks(tx, tenantId);
      if (others.length >= WEBHOOKS_MAX) throw new AgentkeepError('webhook_limit');
      putWebhook(tx, tenantId, webhook);
      putDelivery(tx, { tenantId, webhookId: webhook.id }, newDelivery(start));
      request.record(tx, webhookChanged('created', webhook));
      return { ...webhookAnswer(tx, webhook, showing), secret: secret.secret };
    });
    deliverWebhooks.of(runtime)();
    return answer;
  },
});

/** Never shows a secret. */
export const getWebhook = defineTenantOperation({
  ...namesWebhook,
  name: 'getWebhook',
  summary: 'Show a webhook, and how it fares.',
  example: { id: exampleId, parameters: exampleVersion },
  command: { name: 'webhooks show' },
  effect: 'read',
  output: WebhookResponse,
  handler: async (request) => {
    const { runtime, credential, input } = request;
    const showing = await showingOf(request);
    return runtime.store.read((tx) =>
      webhookAnswer(tx, requireWebhook(tx, credential.tenantId, input.id), showing),
    );
  },
});

/** Oldest first. A tenant has few enough to return them at once. */
export const listWebhooks = defineTenantOperation({
  name: 'listWebhooks',
  summary: 'Show all webhooks of the tenant, and how they fare.',
  example: { parameters: exampleVersion },
  command: { name: 'webhooks list', columns: ['id', 'name', 'enabled', 'url'] },
  tag: 'Webhooks',
  effect: 'read',
  input: { parameters: WebhookParameters },
  output: WebhooksResponse,
  requires: { capability: 'credential_admin' },
  checks: inputFirstChecks,
  isHeavy: true,
  handler: async (request) => {
    const showing = await showingOf(request);
    const webhooks = await request.runtime.store.read((tx) =>
      listStoredWebhooks(tx, showing.tenantId).map((each) => showWebhook(tx, each, showing)),
    );
    return { contract_version: CONTRACT_VERSION, webhooks };
  },
});

/** Replaces all settings. The caller becomes the owner, whose rights the webhook reads with. */
export const updateWebhook = defineTenantOperation({
  ...revisesWebhook,
  name: 'updateWebhook',
  summary: 'Change a webhook. It reads with the rights of the caller from then on.',
  example: {
    id: exampleId,
    document: {
      ...exampleVersion,
      expected_revision: 1,
      name: 'refund decisions',
      url: 'https://hooks.example.com/agentkeep',
      scopes: [exampleScope],
      enabled: false,
    },
  },
  command: {
    name: 'webhooks update',
    revisionFrom: 'getWebhook',
    examples: ['agentkeep webhooks update <id> --name crm --set-url https://crm.example/hook'],
  },
  input: { id: uuid(), document: UpdateWebhookRequest },
  output: WebhookResponse,
  requires: requiresSettings,
  handler: async (request) => {
    const { runtime, credential, input, nowMs } = request;
    const { id, document } = input;
    const { tenantId } = credential;
    const settings = settingsIn(request, document);
    const showing = await showingOf(request);
    const answer = await runtime.store.transact((tx) => {
      request.confirm(tx);
      const before = requireRevision(tx, tenantId, { id, expected: document.expected_revision });
      requireFreeName(tx, tenantId, { id, name: settings.name });
      const webhook = {
        ...before,
        ...settings,
        revision: before.revision + 1,
        credentialId: credential.id,
        updatedAtMillis: nowMs,
      };
      putWebhook(tx, tenantId, webhook);
      tryAtOnce(tx, { tenantId, webhookId: id });
      request.record(tx, webhookChanged('updated', webhook));
      return webhookAnswer(tx, webhook, showing);
    });
    deliverWebhooks.of(runtime)();
    return answer;
  },
});

/** Does not wait for the next attempt: the cause of the failure may be fixed. */
function tryAtOnce(tx: WriteTx, key: WebhookKey): void {
  const delivery = findDelivery(tx, key);
  if (delivery !== undefined) putDelivery(tx, key, { ...delivery, nextAttemptAtMillis: null });
}

/**
 * A message that is being delivered may still arrive. Dead letters are removed with the webhook.
 */
export const deleteWebhook = defineTenantOperation({
  ...namesWebhook,
  name: 'deleteWebhook',
  summary: 'Delete a webhook with its dead letters.',
  example: { id: exampleId, parameters: exampleVersion },
  command: { name: 'webhooks delete' },
  output: DeletedWebhookResponse,
  whenFull: 'served',
  handler: async (request) => {
    const { runtime, credential, input } = request;
    const { tenantId } = credential;
    await runtime.store.transact((tx) => {
      request.confirm(tx);
      const webhook = requireWebhook(tx, tenantId, input.id);
      removeWebhook(tx, tenantId, webhook.id);
      removeDelivery(tx, { tenantId, webhookId: webhook.id });
      request.record(tx, webhookChanged('deleted', webhook));
    });
    return { contract_version: CONTRACT_VERSION, deleted: true as const };
  },
});

/** A repeat is refused, because the first call raised the revision. Rotate again for a secret. */
export const rotateWebhookSecret = defineTenantOperation({
  ...revisesWebhook,
  name: 'rotateWebhookSecret',
  summary: 'Replace the secret of a webhook; the new one is shown once.',
  example: {
    id: exampleId,
    document: { ...exampleVersion, expected_revision: 1, overlap_seconds: 3_600 },
  },
  command: { name: 'webhooks rotate', revisionFrom: 'getWebhook' },
  input: { id: uuid(), document: RotateWebhookSecretRequest },
  output: WebhookSecretResponse,
  handler: async (request) => {
    const { runtime, credential, input, nowMs } = request;
    const { id, document } = input;
    const { tenantId } = credential;
    const showing = await showingOf(request);
    const made = newWebhookSecret(runtime.entropy);
    const overlapMs = document.overlap_seconds * 1_000;
    return runtime.store.transact((tx) => {
      request.confirm(tx);
      const before = requireRevision(tx, tenantId, { id, expected: document.expected_revision });
      const webhook = {
        ...before,
        revision: before.revision + 1,
        updatedAtMillis: nowMs,
        secrets: rotated(before.secrets, made, { nowMs, overlapMs }),
      };
      putWebhook(tx, tenantId, webhook);
      request.record(tx, webhookChanged('secret_rotated', webhook));
      return { ...webhookAnswer(tx, webhook, showing), secret: made.secret };
    });
  },
});
