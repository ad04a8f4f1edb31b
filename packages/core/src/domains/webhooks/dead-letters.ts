/** The operations on dead letters of a webhook. */
import { shownAs } from '../../contract/schema/member-names.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { exampleId, exampleVersion } from '../../contract/example-values.js';
import { uuid } from '../../contract/schema/uuid.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import { defineTenantOperation } from '../../kernel/operation/define-operation.js';
import type { ChangeCursors } from '../memory/journal/change-cursor.js';
import { deliverWebhooks } from './delivery-port.js';
import {
  findDeadLetter,
  listDeadLetters,
  putDeadLetter,
  removeDeadLetter,
  type StoredDeadLetter,
} from './delivery-store.js';
import {
  DiscardWebhookRequest,
  ReplayWebhookRequest,
  WebhookDeadLetter,
  WebhookDeadLettersResponse,
  WebhookResponse,
} from './schema.js';
import { showFailure } from './show-webhook.js';
import {
  documentsWebhook,
  namesWebhook,
  requireWebhook,
  showingOf,
  webhookAnswer,
} from './webhook-operation.js';
import { webhookChanged } from './webhook-message.js';

/** Oldest first. A webhook has few enough to return them at once. */
export const listWebhookDeadLetters = defineTenantOperation({
  ...namesWebhook,
  name: 'listWebhookDeadLetters',
  summary: 'Show the changes that a webhook gave up after three days.',
  example: { id: exampleId, parameters: exampleVersion },
  command: { name: 'webhooks dead-letters' },
  effect: 'read',
  output: WebhookDeadLettersResponse,
  isHeavy: true,
  handler: async (request) => {
    const { tenantId, cursors } = await showingOf(request);
    const letters = await request.runtime.store.read((tx) => {
      const { id } = requireWebhook(tx, tenantId, request.input.id);
      return listDeadLetters(tx, { tenantId, webhookId: id });
    });
    return {
      contract_version: CONTRACT_VERSION,
      dead_letters: letters.map((letter) => shown(letter, cursors)),
    };
  },
});

function shown(letter: StoredDeadLetter, cursors: ChangeCursors): WebhookDeadLetter {
  return shownAs(WebhookDeadLetter, letter, {
    after: cursors.seal(letter.from),
    failure: showFailure(letter.failure),
    replaying: letter.isReplaying,
  });
}

/** Later changes don't wait for replayed ones. A repeat changes nothing. */
export const replayWebhookDeadLetters = defineTenantOperation({
  ...documentsWebhook,
  name: 'replayWebhookDeadLetters',
  summary: 'Deliver dead letters of a webhook again: one, or all.',
  example: { id: exampleId, document: { ...exampleVersion, dead_letter_id: exampleId } },
  command: { name: 'webhooks replay' },
  input: { id: uuid(), document: ReplayWebhookRequest },
  output: WebhookResponse,
  handler: async (request) => {
    const { runtime, credential, input } = request;
    const { dead_letter_id: wanted } = input.document;
    const { tenantId } = credential;
    const showing = await showingOf(request);
    const answer = await runtime.store.transact((tx) => {
      request.confirm(tx);
      const webhook = requireWebhook(tx, tenantId, input.id);
      const key = { tenantId, webhookId: webhook.id };
      const letters = listDeadLetters(tx, key).filter(({ id }) => wanted === null || id === wanted);
      if (wanted !== null && letters.length === 0) throw new AgentkeepError('target_not_found');
      const waiting = letters.filter(({ isReplaying }) => !isReplaying);
      for (const letter of waiting) putDeadLetter(tx, key, { ...letter, isReplaying: true });
      if (waiting.length > 0) request.record(tx, webhookChanged('replayed', webhook));
      return webhookAnswer(tx, webhook, showing);
    });
    deliverWebhooks.of(runtime)();
    return answer;
  },
});

/** Its changes are never delivered. An attempt that is on its way stores nothing of it. */
export const discardWebhookDeadLetter = defineTenantOperation({
  ...documentsWebhook,
  name: 'discardWebhookDeadLetter',
  summary: 'Remove one dead letter of a webhook, without delivering it.',
  example: { id: exampleId, document: { ...exampleVersion, dead_letter_id: exampleId } },
  command: { name: 'webhooks discard' },
  input: { id: uuid(), document: DiscardWebhookRequest },
  output: WebhookResponse,
  handler: async (request) => {
    const { runtime, credential, input } = request;
    const { tenantId } = credential;
    const showing = await showingOf(request);
    return runtime.store.transact((tx) => {
      request.confirm(tx);
      const webhook = requireWebhook(tx, tenantId, input.id);
      const key = { tenantId, webhookId: webhook.id };
      const letter = findDeadLetter(tx, key, input.document.dead_letter_id);
      if (letter === undefined) throw new AgentkeepError('target_not_found');
      removeDeadLetter(tx, key, letter);
      request.record(tx, webhookChanged('discarded', webhook));
      return webhookAnswer(tx, webhook, showing);
    });
  },
});
