/**
 * The basis of evaluations: one policy and one context of a tenant with the same evaluation
 * contract.
 */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { documentDigest } from '../../../contract/schema/document-digest.js';
import type { ReadTx } from '../../../storage/store/store.js';
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
 * `path` is where the caller named them, such as `proposal.`.
 *
 * @throws {AgentkeepError} `record_not_found` when one is absent, `invalid_request` when their
 * evaluation contracts differ. Each names the member.
 */
export function basisOf(
  tx: ReadTx,
  tenantId: string,
  { policyId, contextId }: Pick<EvaluationBasis, 'policyId' | 'contextId'>,
  path = '',
): EvaluationBasis {
  const policy = findLearningPolicy(tx, tenantId, policyId);
  if (policy === undefined) throw absent(`${path}policy_id`, 'policy');
  const context = findContext(tx, tenantId, contextId);
  if (context === undefined) throw absent(`${path}context_id`, 'context');
  const { evaluation_contract: contract } = policy.payload.parameters;
  if (contract !== context.payload.evaluation_contract) {
    const expected = 'a context with the evaluation contract of the policy';
    throw new AgentkeepError('invalid_request', {
      members: [{ path: `${path}context_id`, expected }],
    });
  }
  return { policyId, policy, contextId, context };
}

/** The refusal of an id that names nothing in the tenant. */
function absent(path: string, what: 'policy' | 'context'): AgentkeepError {
  const members = [{ path, expected: `the id of a ${what} of the tenant` }];
  const advice = `Register the ${what} first, or name one that was registered.`;
  return new AgentkeepError('record_not_found', { members, advice });
}

/** Returns a digest over the ids and digests of both. */
export function basisDigest({ policyId, policy, contextId, context }: EvaluationBasis): string {
  const parts = [policyId, policy.payloadDigest, contextId, context.payloadDigest];
  return documentDigest('agentkeep learning-binding 1', parts);
}
