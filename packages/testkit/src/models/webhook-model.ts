/** The webhooks of tenants, from the contract alone (docs/contract/webhooks.md). */
import type { Credential } from '@agentkeep/core';
import { Refusal } from './outcome.js';

const WEBHOOKS_MAX = 32;
const SECRETS_MAX = 4;

/** What callers choose of a webhook. */
export interface WebhookChoice {
  readonly name: string;
  readonly url: string;
  readonly actions: readonly string[] | null;
  readonly enabled: boolean;
}

/** A webhook as its answers show it, with the ends of its secrets. */
interface ModelWebhook extends WebhookChoice {
  readonly id: string;
  readonly tenantId: string;
  readonly revision: number;
  readonly credential_id: string;
  readonly created_at_millis: number;
  readonly updated_at_millis: number;
  /** Newest first; `Infinity` for the newest. */
  readonly secretEnds: readonly number[];
}

/** All webhooks. Histories name no scopes, and nothing is delivered in them. */
export class WebhookModel {
  #all: readonly ModelWebhook[] = [];

  /** The ids of the webhooks of all tenants. */
  get ids(): string[] {
    return this.#all.map(({ id }) => id);
  }

  /** Makes a webhook with the id in the answer. */
  create(owner: Credential, choice: WebhookChoice, { id, now }: { id: string; now: number }) {
    requireReader(owner);
    this.#requireFreeName(owner, choice.name, undefined);
    if (this.#of(owner).length >= WEBHOOKS_MAX) throw new Refusal('webhook_limit');
    const made = {
      ...{ ...choice, id, tenantId: owner.tenant_id, revision: 1, credential_id: owner.id },
      ...{ created_at_millis: now, updated_at_millis: now, secretEnds: [Infinity] },
    };
    this.#all = [...this.#all, made];
    return shown(made, now);
  }

  /** Shows the webhooks of a tenant, oldest first. */
  list(admin: Credential, now: number) {
    return this.#of(admin).map((each) => shown(each, now));
  }

  /** Shows a webhook. */
  get(admin: Credential, id: string, now: number) {
    return shown(this.#find(admin, id), now);
  }

  /** Replaces what callers choose. */
  update(
    admin: Credential,
    { id, expectedRevision, choice }: Revised & { readonly choice: WebhookChoice },
    now: number,
  ) {
    requireReader(admin);
    const before = this.#at(admin, { id, expectedRevision });
    this.#requireFreeName(admin, choice.name, id);
    return this.#replace(before, { ...choice, credential_id: admin.id }, now);
  }

  /** Adds a secret; those before end after the overlap at the latest. */
  rotate(
    admin: Credential,
    { overlapMs, ...target }: Revised & { overlapMs: number },
    now: number,
  ) {
    const before = this.#at(admin, target);
    const ends = before.secretEnds.map((end) => Math.min(end, now + overlapMs));
    const secretEnds = [Infinity, ...ends.filter((end) => now < end)].slice(0, SECRETS_MAX);
    return this.#replace(before, { secretEnds }, now);
  }

  /** Deletes a webhook. */
  delete(admin: Credential, id: string): void {
    const gone = this.#find(admin, id);
    this.#all = this.#all.filter((each) => each !== gone);
  }

  #of({ tenant_id }: Credential): readonly ModelWebhook[] {
    return this.#all.filter(({ tenantId }) => tenantId === tenant_id);
  }

  #find(admin: Credential, id: string): ModelWebhook {
    const found = this.#of(admin).find((each) => each.id === id);
    if (found === undefined) throw new Refusal('target_not_found');
    return found;
  }

  #at(admin: Credential, { id, expectedRevision }: Revised): ModelWebhook {
    const found = this.#find(admin, id);
    if (found.revision !== expectedRevision) throw new Refusal('revision_conflict');
    return found;
  }

  #requireFreeName(admin: Credential, name: string, own: string | undefined): void {
    const isTaken = this.#of(admin).some((each) => each.name === name && each.id !== own);
    if (isTaken) throw new Refusal('revision_conflict');
  }

  #replace(before: ModelWebhook, change: Partial<ModelWebhook>, now: number) {
    const after = {
      ...before,
      ...change,
      revision: before.revision + 1,
      updated_at_millis: now,
    };
    this.#all = this.#all.map((each) => (each === before ? after : each));
    return shown(after, now);
  }
}

/** A webhook as its caller knows it. */
interface Revised {
  readonly id: string;
  readonly expectedRevision: number;
}

function requireReader({ spec }: Credential): void {
  if (!spec.capabilities.includes('memory_read')) throw new Refusal('forbidden');
}

function shown({ tenantId: _, secretEnds, ...webhook }: ModelWebhook, now: number) {
  return { ...webhook, secrets: secretEnds.filter((end) => now < end).length };
}
