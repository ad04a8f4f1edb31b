/**
 * `registerLearningPolicy`, `registerLearningContext`: permanently store a learning policy or an
 * evaluation context under an id that the caller chooses.
 */
import { shownAs } from '../../../contract/schema/member-names.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { exampleVersion } from '../../../contract/example-values.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { actorText } from '../../../kernel/access/actor.js';
import type { InputSchemas } from '../../../kernel/input/input-rules.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { authorityFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { TenantRequest } from '../../../kernel/operation/requests.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import {
  contextDigest,
  findContext,
  findLearningPolicy,
  policyDigest,
  registerContext,
  registerPolicy,
  type StoredEntry,
} from './entry-store.js';
import {
  ContextEntryResponse,
  EntryMembers,
  LearningContextRequest,
  LearningPolicyRequest,
  learningText,
  PolicyEntryResponse,
} from './schema.js';

const input = { id: learningText() };

/** Members of both. An id of another tenant gives the same error as an unknown one. */
const lookup = {
  tag: 'Learning',
  effect: 'read',
  input,
  requires: { capability: 'policy_admin' },
  checks: authorityFirstChecks,
  errors: ['record_not_found'],
} as const;

/** Returns a policy. */
export const getLearningPolicy = defineTenantOperation({
  ...lookup,
  name: 'getLearningPolicy',
  summary: 'Show a learning policy of the tenant.',
  example: { id: 'pol' },
  output: PolicyEntryResponse,
  handler: (request) => show(request, findLearningPolicy),
});

/** Returns a context. */
export const getLearningContext = defineTenantOperation({
  ...lookup,
  name: 'getLearningContext',
  summary: 'Show an evaluation context of the tenant.',
  example: { id: 'ctx' },
  output: ContextEntryResponse,
  handler: (request) => show(request, findContext),
});

async function show<P>(
  { runtime, credential: { tenantId }, input: { id } }: TenantRequest<typeof input>,
  find: (tx: ReadTx, tenantId: string, id: string) => StoredEntry<P> | undefined,
) {
  const entry = await runtime.store.read((tx) => find(tx, tenantId, id));
  if (entry === undefined) throw new AgentkeepError('record_not_found');
  return { contract_version: CONTRACT_VERSION, entry: showEntry(tenantId, id, entry) };
}

/** Members of both registrations. */
const registration = {
  tag: 'Learning',
  requires: { capability: 'policy_admin' },
  checks: authorityFirstChecks,
  errors: ['idempotency_conflict'],
} as const;

/** Registering an equal policy again returns the first entry; anything else is a conflict. */
export const registerLearningPolicy = defineTenantOperation({
  ...registration,
  name: 'registerLearningPolicy',
  summary: 'Register a learning policy, which never changes.',
  example: {
    document: {
      ...exampleVersion,
      id: 'summaries-v1',
      definition: {
        algorithm: 'fixed_budget_hoeffding_v1',
        parameters: {
          qualification_trials: 40,
          confidence_delta: 0.05,
          min_improvement: 0,
          min_candidate_utility: 0.5,
          max_cost_units: 10,
          max_latency_ms: 2_000,
          max_failure_streak: 3,
          evaluator_id: 'judge',
          evaluation_contract: 'summaries-bench-v1',
        },
      },
    },
  },
  input: { document: LearningPolicyRequest },
  output: PolicyEntryResponse,
  handler: (request) => {
    const { id, definition: payload } = request.input.document;
    const entry = { id, payload, payloadDigest: policyDigest(payload) };
    return register(request, entry, registerPolicy);
  },
});

/** Registering an equal context again returns the first entry; anything else is a conflict. */
export const registerLearningContext = defineTenantOperation({
  ...registration,
  name: 'registerLearningContext',
  summary: 'Register an evaluation context, which never changes.',
  example: {
    document: {
      ...exampleVersion,
      id: 'summaries-on-m1',
      context: {
        task: 'summarise',
        baseline_revision: 'base-1',
        model_provider: 'local',
        model_revision: 'm1',
        environment_revision: 'env-1',
        evaluation_contract: 'summaries-bench-v1',
        dataset_revision: 'data-1',
        harness_revision: 'harness-1',
        permissions_revision: 'perm-1',
        tools: { search: 'v1' },
      },
    },
  },
  input: { document: LearningContextRequest },
  output: ContextEntryResponse,
  handler: (request) => {
    const { id, context: payload } = request.input.document;
    const entry = { id, payload, payloadDigest: contextDigest(payload) };
    return register(request, entry, registerContext);
  },
});

type NewEntry<P> = Pick<StoredEntry<P>, 'payload' | 'payloadDigest'> & { readonly id: string };

async function register<P>(
  request: TenantRequest<InputSchemas>,
  { id, payload, payloadDigest }: NewEntry<P>,
  store: (tx: WriteTx, tenantId: string, id: string, made: StoredEntry<P>) => StoredEntry<P>,
) {
  const { runtime, credential, nowMs } = request;
  const { tenantId } = credential;
  const registeredBy = actorText(credential);
  const made = { payload, payloadDigest, registeredBy, recordedAtMillis: nowMs };
  const entry = await runtime.store.transact((tx) => {
    request.confirm(tx);
    return store(tx, tenantId, id, made);
  });
  return { contract_version: CONTRACT_VERSION, entry: showEntry(tenantId, id, entry) };
}

/** Returns the document of an entry. The payload is a copy, because decoded entries are cached. */
export function showEntry<P>(tenantId: string, id: string, entry: StoredEntry<P>) {
  const shown = shownAs(EntryMembers, entry, { schema_version: 1, tenant: tenantId, id });
  return { ...shown, payload: structuredClone(entry.payload) };
}
