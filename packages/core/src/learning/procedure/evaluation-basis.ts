/**
 * The basis of evaluations: one policy and one context of a tenant with the same evaluation
 * contract.
 */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { documentDigest } from '../../contract/schema/document-digest.js';
import type { ReadTx } from '../../storage/store/store.js';
import { findContext, findLearningPolicy, type StoredEntry } from './entry-store.js';
import type { EvaluationContext, PolicyDefinition } from './schema.js';

/** A policy and a context, with their ids. */
export interface EvaluationBasis {
  readonly policyId: string;
  readonly policy: StoredEntry<PolicyDefinition>;
  readonly contextId: string;
  readonly context: StoredEntry<EvaluationContext>;
}

/**
 * Returns the policy and the context with these ids.
 *
 * `contextPath` is where the caller named the context.
 *
 * @throws {AgentkeepError} `record_not_found` when one is absent, `invalid_request` when their
 * evaluation contracts differ.
 */
export function basisOf(
  tx: ReadTx,
  tenantId: string,
  { policyId, contextId }: Pick<EvaluationBasis, 'policyId' | 'contextId'>,
  contextPath = 'context_id',
): EvaluationBasis {
  const policy = findLearningPolicy(tx, tenantId, policyId);
  if (policy === undefined) throw new AgentkeepError('record_not_found');
  const context = findContext(tx, tenantId, contextId);
  if (context === undefined) throw new AgentkeepError('record_not_found');
  const { evaluation_contract: contract } = policy.payload.parameters;
  if (contract !== context.payload.evaluation_contract) {
    const expected = 'a context with the evaluation contract of the policy';
    throw new AgentkeepError('invalid_request', { members: [{ path: contextPath, expected }] });
  }
  return { policyId, policy, contextId, context };
}

/** Returns a digest over the ids and digests of both. */
export function basisDigest({ policyId, policy, contextId, context }: EvaluationBasis): string {
  const parts = [policyId, policy.payloadDigest, contextId, context.payloadDigest];
  return documentDigest('agentkeep learning-binding 1', parts);
}
