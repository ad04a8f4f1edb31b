/** Webhooks of tenants in the store. */
import type { Scope } from '../../kernel/access/scope.js';
import {
  boolean,
  fieldsLayout,
  json,
  jsonLayout,
  number,
  text,
} from '../../storage/store/fields.js';
import { defineFamily, indexOf } from '../../storage/store/family.js';
import { INSTALLATION } from '../../storage/store/key.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import type { ChangeAction } from '../memory/journal/change-store.js';
import { WEBHOOKS_MAX } from '../../contract/limits.js';
import type { StoredSecret } from './webhook-secret.js';

/** What callers choose of a webhook. */
export interface WebhookSettings {
  readonly name: string;
  readonly url: string;
  /** Null for all scopes that the owner may read. */
  readonly scopes: readonly Scope[] | null;
  /** Null for changes of all kinds. */
  readonly actions: readonly ChangeAction[] | null;
  readonly isEnabled: boolean;
}

/** A stored webhook. */
export interface StoredWebhook extends WebhookSettings {
  readonly id: string;
  readonly revision: number;
  /** The credential whose rights it reads with. */
  readonly credentialId: string;
  readonly createdAtMillis: number;
  readonly updatedAtMillis: number;
  /** Newest first. */
  readonly secrets: readonly StoredSecret[];
}

/** Webhooks with owner and secrets, by id. */
export const webhooks = defineFamily({
  name: 'webhooks',
  number: 80,
  key: ['uuid'],
  layout: fieldsLayout<StoredWebhook>(1, {
    id: text,
    name: text,
    url: text,
    scopes: json<StoredWebhook['scopes']>(),
    actions: json<StoredWebhook['actions']>(),
    isEnabled: boolean,
    revision: number,
    credentialId: text,
    createdAtMillis: number,
    updatedAtMillis: number,
    secrets: json<StoredWebhook['secrets']>(),
  }),
  sealedBy: 'tenant',
  owner: 'value',
  exported: { not: 'authority' },
  erased: 'removed',
  counts: null,
});

/** Installation: tenants that have webhooks, so that only those are looked at. */
export const webhookTenants = defineFamily({
  name: 'webhookTenants',
  number: 83,
  key: ['text'],
  layout: jsonLayout<string>(1),
  sealedBy: null,
  owner: 'named_tenant',
  exported: 'derived',
  erased: 'derived',
  counts: null,
  derived: indexOf(webhooks),
});

/** Returns a webhook of a tenant, or `undefined`. */
export function findWebhook(tx: ReadTx, tenantId: string, id: string): StoredWebhook | undefined {
  return webhooks.get(tx, tenantId, id);
}

/** Returns all webhooks of a tenant, oldest first. */
export function listStoredWebhooks(tx: ReadTx, tenantId: string): StoredWebhook[] {
  return webhooks.values(tx, tenantId, { prefix: [], limit: WEBHOOKS_MAX });
}

/** Stores a webhook. */
export function putWebhook(tx: WriteTx, tenantId: string, webhook: StoredWebhook): void {
  webhooks.put(tx, webhook, tenantId, webhook.id);
  if (!webhookTenants.has(tx, INSTALLATION, tenantId))
    webhookTenants.put(tx, tenantId, INSTALLATION, tenantId);
}

/** Removes a webhook. */
export function removeWebhook(tx: WriteTx, tenantId: string, id: string): void {
  tx.remove(webhooks.keyOf(tenantId, id));
  const others = listStoredWebhooks(tx, tenantId).some((webhook) => webhook.id !== id);
  if (!others) tx.remove(webhookTenants.keyOf(INSTALLATION, tenantId));
}

/** Returns whether a tenant has webhooks. */
export function hasWebhooks(tx: ReadTx, tenantId: string): boolean {
  return webhookTenants.has(tx, INSTALLATION, tenantId);
}

/** Returns the next tenants with webhooks, in key order. */
export function tenantsWithWebhooks(
  tx: ReadTx,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): string[] {
  const start: [string] | undefined = after === undefined ? undefined : [after];
  return webhookTenants.values(tx, INSTALLATION, { prefix: [], after: start, limit });
}
