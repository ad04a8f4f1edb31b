/**
 * `registerLearningContext`: keeps an evaluation context for good, under an id of one's choice.
 *
 * @module
 */
import { actorText } from '../../access/actor.js';
import { defineOperation } from '../../runtime/operation.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import { contextDigest, registerContext } from './entry-store.js';
import { LearningContextRequest, ContextEntryResponse } from './schema.js';
import { showEntry } from './show-entry.js';

/** Registering the same again gives the first entry, whoever asks; anything else conflicts. */
export const registerLearningContext = defineOperation({
  name: 'registerLearningContext',
  summary: 'Register an evaluation context, which never changes.',
  tag: 'Learning',
  input: { document: LearningContextRequest },
  output: ContextEntryResponse,
  requires: { capability: 'policy_admin' },
  checks: ['authority', 'document', 'version', 'rules'],
  errors: ['invalid_request', 'unsupported_contract_version', 'forbidden', 'idempotency_conflict'],
  handler: async (request) => {
    const { runtime, credential, input, nowMs } = request;
    const { id, context } = input.document;
    const made = {
      payload: context,
      payloadDigest: contextDigest(context),
      registeredBy: actorText(credential),
      recordedAtMillis: nowMs,
    };
    const entry = await runtime.store.transact((tx) => {
      request.confirm(tx);
      return registerContext(tx, credential.tenantId, id, made);
    });
    return { contract_version: CONTRACT_VERSION, entry: showEntry(credential.tenantId, id, entry) };
  },
});
