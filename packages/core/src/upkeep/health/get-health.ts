/** `getHealth`: reports that the process answers. */
import * as v from 'valibot';
import { definePublicOperation } from '../../kernel/operation/define-operation.js';
import { noChecks } from '../../kernel/operation/orders-of-checks.js';
import { closed } from '../../contract/schema/document.js';
import { named } from '../../contract/schema/json-schema.js';
import { answeredVersion } from '../../contract/schema/number.js';
import { CONTRACT_DOCUMENT_VERSION, CONTRACT_VERSION } from '../../contract/version.js';

const HEALTHY = 'healthy' as const;

/** Reports that the process answers, and the version of its contract. */
const Health = v.pipe(
  closed({
    contract_version: answeredVersion,
    status: v.literal(HEALTHY),
    version: v.string(),
  }),
  named('Health'),
);

/** Requires no proof and doesn't access the store. */
export const getHealth = definePublicOperation({
  name: 'getHealth',
  summary: 'Tell that the process answers.',
  example: {},
  tag: 'Health',
  isStoreless: true,
  input: {},
  output: Health,
  checks: noChecks,
  handler: () => ({
    contract_version: CONTRACT_VERSION,
    status: HEALTHY,
    version: CONTRACT_DOCUMENT_VERSION,
  }),
});
