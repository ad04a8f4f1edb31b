/** Common members of the operations on one webhook. */
import { uuid } from '../../contract/schema/uuid.js';
import { WebhookParameters } from './schema.js';
import { inputFirstChecks } from '../../kernel/operation/orders-of-checks.js';

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
