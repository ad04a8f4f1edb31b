/** Webhooks of a tenant, for its administrators. */
import type { ScopeInput } from '../kernel/access/scope.js';
import { requireArguments } from '../contract/errors/arguments.js';
import { CONTRACT_VERSION } from '../contract/version.js';
import type { CommittedChange } from '../domains/memory/changes/schema.js';
import type { ProposalState } from '../domains/memory/documents/proposal-schema.js';
import type { Webhook, WebhookDeadLetter } from '../domains/webhooks/schema.js';
import { type CallOperation, type CallOptions, stated } from './call.js';

/** What to deliver, and where to. Without `scopes` and `actions`: all that the owner may read. */
export interface WebhookSettingsInput {
  /** Unique in the tenant. */
  readonly name: string;
  readonly url: string;
  readonly scopes?: ScopeInput[] | null;
  readonly actions?: (CommittedChange['action'] | ProposalState)[] | null;
  /** Default: true. */
  readonly enabled?: boolean;
}

/** A webhook to make. */
export interface NewWebhook extends WebhookSettingsInput {
  /** A cursor of the change feed to go on from. Default: changes from now on. */
  readonly after?: string | null;
}

/** A webhook with its new secret, which is shown this once. */
export interface ShownWebhookSecret {
  readonly webhook: Webhook;
  /** Verifies signatures, as Standard Webhooks has them. */
  readonly secret: string;
}

/** Which webhook to change, as the caller knows it. */
export interface WebhookTarget {
  readonly id: string;
  readonly revision: number;
}

/** Webhooks. Errors are those of the operations, as `AgentkeepError`. */
export class WebhookClient {
  readonly #call: CallOperation;

  constructor(call: CallOperation) {
    this.#call = call;
  }

  /**
   * Makes a webhook. It reads with the rights of the caller, at each delivery.
   * @throws {AgentkeepError} `revision_conflict` when the name is taken; `webhook_limit`;
   * `position_expired` for a cursor whose changes are gone.
   * @example
   * ```ts
   * import { inMemoryStore, openKeep } from '@agentkeep/core';
   * import { agentFor } from '@agentkeep/core/operator';
   *
   * await using keep = await openKeep({ store: inMemoryStore() });
   * const ops = { tenantId: 'acme', subjectId: 'ops', scopes: [] };
   * const capabilities = ['credential_admin', 'memory_read'] as const;
   * const admin = await agentFor(keep, { ...ops, capabilities });
   * const { secret } = await admin.webhooks.create({
   *   name: 'search index',
   *   url: 'https://hooks.example.com/agentkeep',
   * });
   * console.log(secret.startsWith('whsec_')); // true
   * ```
   */
  async create(webhook: NewWebhook, options?: CallOptions): Promise<ShownWebhookSecret> {
    requireArguments('webhooks.create()', { webhook });
    const document = { contract_version: CONTRACT_VERSION, ...webhook };
    const answer = await this.#call('createWebhook', { document }, options);
    return { webhook: answer.webhook, secret: answer.secret };
  }

  /** Shows all webhooks of the tenant, oldest first. */
  async list(options?: CallOptions): Promise<Webhook[]> {
    const { webhooks } = await this.#call('listWebhooks', { parameters: versioned }, options);
    return webhooks;
  }

  /**
   * Shows a webhook, and how it fares.
   * @throws {AgentkeepError} `target_not_found`
   */
  async get(id: string, options?: CallOptions): Promise<Webhook> {
    requireArguments('webhooks.get()', { id });
    const { webhook } = await this.#call('getWebhook', { id, parameters: versioned }, options);
    return webhook;
  }

  /**
   * Replaces all settings. The webhook reads with the rights of the caller from then on.
   * @throws {AgentkeepError} `revision_conflict` when it has changed, or the name is taken.
   */
  async update(
    target: WebhookTarget,
    settings: WebhookSettingsInput,
    options?: CallOptions,
  ): Promise<Webhook> {
    requireArguments('webhooks.update()', { target, settings });
    const { id, revision } = requireTarget('webhooks.update()', target);
    const document = {
      contract_version: CONTRACT_VERSION,
      expected_revision: revision,
      ...settings,
    };
    const { webhook } = await this.#call('updateWebhook', { id, document }, options);
    return webhook;
  }

  /**
   * Deletes a webhook with its dead letters.
   * @throws {AgentkeepError} `target_not_found`
   */
  async delete(id: string, options?: CallOptions): Promise<void> {
    requireArguments('webhooks.delete()', { id });
    await this.#call('deleteWebhook', { id, parameters: versioned }, options);
  }

  /**
   * Makes a new secret. The one before signs beside it for `overlapSeconds`, by default a day.
   * @throws {AgentkeepError} `revision_conflict` when the webhook has changed.
   */
  async rotateSecret(
    target: WebhookTarget,
    options: CallOptions & { readonly overlapSeconds?: number } = {},
  ): Promise<ShownWebhookSecret> {
    requireArguments('webhooks.rotateSecret()', { target });
    const { id, revision } = requireTarget('webhooks.rotateSecret()', target);
    const { overlapSeconds, ...callOptions } = options;
    const document = {
      contract_version: CONTRACT_VERSION,
      expected_revision: revision,
      ...stated({ overlap_seconds: overlapSeconds }),
    };
    const answer = await this.#call('rotateWebhookSecret', { id, document }, callOptions);
    return { webhook: answer.webhook, secret: answer.secret };
  }

  /**
   * Shows what a webhook gave up, oldest first.
   * @throws {AgentkeepError} `target_not_found`
   */
  async deadLetters(id: string, options?: CallOptions): Promise<WebhookDeadLetter[]> {
    requireArguments('webhooks.deadLetters()', { id });
    const parts = { id, parameters: versioned };
    const answer = await this.#call('listWebhookDeadLetters', parts, options);
    return answer.dead_letters;
  }

  /**
   * Delivers dead letters again: all, or one.
   * @throws {AgentkeepError} `target_not_found`
   */
  async replay(
    id: string,
    options: CallOptions & { readonly deadLetterId?: string } = {},
  ): Promise<Webhook> {
    requireArguments('webhooks.replay()', { id });
    const { deadLetterId, ...callOptions } = options;
    const document = { contract_version: CONTRACT_VERSION, dead_letter_id: deadLetterId ?? null };
    const { webhook } = await this.#call('replayWebhookDeadLetters', { id, document }, callOptions);
    return webhook;
  }

  /**
   * Removes a dead letter; its changes are never delivered.
   * @throws {AgentkeepError} `target_not_found`, also where it was removed before
   */
  async discard(
    target: { readonly id: string; readonly deadLetterId: string },
    options?: CallOptions,
  ): Promise<Webhook> {
    requireArguments('webhooks.discard()', { target });
    const { id, deadLetterId } = target;
    requireArguments('webhooks.discard()', {
      'target.id': id,
      'target.deadLetterId': deadLetterId,
    });
    const document = { contract_version: CONTRACT_VERSION, dead_letter_id: deadLetterId };
    const { webhook } = await this.#call('discardWebhookDeadLetter', { id, document }, options);
    return webhook;
  }
}

function requireTarget(call: string, { id, revision }: WebhookTarget): WebhookTarget {
  requireArguments(call, { 'target.id': id, 'target.revision': revision });
  return { id, revision };
}

const versioned = { contract_version: CONTRACT_VERSION };
