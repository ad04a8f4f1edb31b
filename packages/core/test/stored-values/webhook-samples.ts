/** Samples of stored webhooks. */
import { positionOf } from '../../src/storage/store/position.js';
import {
  webhookDeadLetters,
  webhookDeliveries,
} from '../../src/domains/webhooks/delivery-store.js';
import { webhookTenants, webhooks } from '../../src/domains/webhooks/webhook-store.js';
import { ID } from './sample-documents.js';
import { sample } from './sample.js';

/** The samples of the subspaces of webhooks. */
export const webhookSamples = {
  webhooks: [
    sample(
      webhooks,
      {
        id: ID,
        name: 'index',
        url: 'https://hooks.example.com/a',
        scopes: [{ project_id: 'p', mission_id: null, agent_id: 'a', visibility: 'shared' }],
        actions: ['created', 'deleted'],
        isEnabled: true,
        revision: 2,
        credentialId: ID,
        createdAtMillis: 1,
        updatedAtMillis: 2,
        secrets: [{ secret: 'whsec_AAAA', untilMillis: null }],
      },
      'acme',
      ID,
    ),
  ],
  webhookTenants: [sample(webhookTenants, 'acme', '', 'acme')],
  webhookDeliveries: [
    sample(
      webhookDeliveries,
      {
        from: Uint8Array.from(positionOf(3, 2, 1)),
        message: { id: 'msg_a', to: Uint8Array.from(positionOf(3, 2, 2)), attempts: 1 },
        nextAttemptAtMillis: 7,
        lease: { holder: ID, untilMillis: 8 },
        deliveredMessages: 4,
        lastDeliveredAtMillis: null,
        lastFailure: { atMillis: 6, reason: 'status', status: 500 },
      },
      'acme',
      ID,
    ),
  ],
  webhookDeadLetters: [
    sample(
      webhookDeadLetters,
      {
        id: ID,
        from: Uint8Array.from(positionOf(3, 2, 1)),
        to: Uint8Array.from(positionOf(3, 3, 0)),
        firstCommittedAtMillis: 1,
        lastCommittedAtMillis: 2,
        givenUpAtMillis: 3,
        failure: { atMillis: 3, reason: 'timeout', status: null },
        isReplaying: false,
      },
      'acme',
      ID,
      ID,
    ),
  ],
};
