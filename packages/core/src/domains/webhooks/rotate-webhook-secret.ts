/** `rotateWebhookSecret`: makes a new secret; the previous one signs too for a while. */
import { exampleId, exampleVersion } from '../../contract/example-values.js';
import { uuid } from '../../contract/schema/uuid.js';
import { defineTenantOperation } from '../../kernel/operation/define-operation.js';
import { RotateWebhookSecretRequest, WebhookSecretResponse } from './schema.js';
import { requireRevision, showingOf, webhookAnswer } from './webhook-answer.js';
import { revisesWebhook } from './webhook-operation.js';
import { webhookChanged } from './webhook-event.js';
import { newWebhookSecret, rotated } from './webhook-secret.js';
import { putWebhook } from './webhook-store.js';

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
