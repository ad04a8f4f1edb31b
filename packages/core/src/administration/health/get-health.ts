/**
 * `getHealth`: the process answers.
 */
import * as v from 'valibot';
import { definePublicOperation } from '../../runtime/define-operation.js';
import { closed } from '../../contract/schema/document.js';
import { named } from '../../contract/schema/json-schema.js';
import { answeredVersion } from '../../contract/schema/number.js';
import { CONTRACT_DOCUMENT_VERSION, CONTRACT_VERSION } from '../../contract/version.js';

const HEALTHY = 'healthy' as const;

/** Says that the process answers, and which contract it serves. */
const Health = v.pipe(
  closed({
    contract_version: answeredVersion,
    status: v.literal(HEALTHY),
    version: v.string(),
  }),
  named('Health'),
);

/** Needs no proof and probes no storage. */
export const getHealth = definePublicOperation({
  name: 'getHealth',
  summary: 'Tell that the process answers.',
  tag: 'Health',
  isStoreless: true,
  input: {},
  output: Health,
  checks: [],
  errors: [],
  handler: () => ({
    contract_version: CONTRACT_VERSION,
    status: HEALTHY,
    version: CONTRACT_DOCUMENT_VERSION,
  }),
});
