/** Webhooks in the table of pairs. */
import { test } from './named-test.js';

/** The capability. */
export const webhookNames = ['webhooks'] as const;

const FILE = 'packages/core/src/domains/webhooks/webhook-messages.test.ts';

/** Tests of pairs beside the steps. */
export const webhookTests = {
  'proposals webhooks': [test(FILE, 'say what happened to proposals')],
  'webhooks blocks': [
    test('packages/contract-cases/test/delegation/blocked-webhook.test.ts', 'DLG-20 a webhook'),
  ],
};
