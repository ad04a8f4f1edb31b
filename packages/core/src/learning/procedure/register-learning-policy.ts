/**
 * `registerLearningPolicy`: keeps a learning policy for good, under an id of one's choice.
 *
 * @module
 */
import { actorText } from '../../access/actor.js';
import { defineOperation } from '../../runtime/operation.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import { policyDigest, registerPolicy } from './entry-store.js';
import { LearningPolicyRequest, PolicyEntryResponse } from './schema.js';
import { showEntry } from './show-entry.js';

/** Registering the same again gives the first entry, whoever asks; anything else conflicts. */
export const registerLearningPolicy = defineOperation({
  name: 'registerLearningPolicy',
  summary: 'Register a learning policy, which never changes.',
  tag: 'Learning',
  input: { document: LearningPolicyRequest },
  output: PolicyEntryResponse,
  requires: { capability: 'policy_admin' },
  checks: ['authority', 'document', 'version', 'rules'],
  errors: ['invalid_request', 'unsupported_contract_version', 'forbidden', 'idempotency_conflict'],
  handler: async (request) => {
    const { runtime, credential, input, nowMs } = request;
    const { id, definition } = input.document;
    const made = {
      payload: definition,
      payloadDigest: policyDigest(definition),
      registeredBy: actorText(credential),
      recordedAtMillis: nowMs,
    };
    const entry = await runtime.store.transact((tx) => {
      request.confirm(tx);
      return registerPolicy(tx, credential.tenantId, id, made);
    });
    return { contract_version: CONTRACT_VERSION, entry: showEntry(credential.tenantId, id, entry) };
  },
});
