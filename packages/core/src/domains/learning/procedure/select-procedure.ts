/**
 * `selectProcedure`: returns the best qualified procedure of a scope for a policy and a context, or
 * the baseline.
 */
import { inExampleScope } from '../../../contract/example-values.js';
import { type Namespace, namespaceOf } from '../../../kernel/access/namespace.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { SELECTION_SLICE_ENTRIES } from '../../../contract/limits.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { scopedChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { type EvaluationBasis, basisDigest, basisOf } from '../policy/evaluation-basis.js';
import {
  LearningSelectRequest,
  type LearningSelection,
  LearningSelectionResponse,
} from './procedure-schema.js';
import { findProcedure, type StoredProcedure } from './procedure-store.js';
import {
  bestWithin,
  type RankedProcedure,
  type SelectionBudget,
  type SelectionRange,
} from './selection-store.js';
import { showProcedure } from './show-procedure.js';

/** Reads the index in slices and lets other work run in between. Reserves nothing. */
export const selectProcedure = defineTenantOperation({
  name: 'selectProcedure',
  summary: 'Choose the best qualified procedure for a policy and a context, or the baseline.',
  example: {
    document: {
      ...inExampleScope,
      policy_id: 'summaries-v1',
      context_id: 'summaries-on-m1',
      max_instruction_bytes: 65_536,
    },
  },
  tag: 'Learning',
  effect: 'read',
  input: { document: LearningSelectRequest },
  output: LearningSelectionResponse,
  requires: { capability: 'memory_read', scope: ({ document }) => document.scope },
  checks: scopedChecks,
  firstRules: ['max_instruction_bytes'],
  errors: ['record_not_found'],
  isHeavy: true,
  handler: async (request) => {
    const { runtime, credential, input } = request;
    const { scope, policy_id, context_id, max_instruction_bytes: bytes } = input.document;
    const { tenantId } = credential;
    const ids = { policyId: policy_id, contextId: context_id };
    const namespace = namespaceOf(credential, scope);
    let after: RankedProcedure | undefined;
    for (;;) {
      const slice = await runtime.store.read((tx) => {
        const basis = basisOf(tx, tenantId, ids);
        return examine(tx, { namespace, basis: basisDigest(basis) }, basis, {
          bytes,
          after,
        });
      });
      if (slice.selection !== undefined) {
        const { selection } = slice;
        return { contract_version: CONTRACT_VERSION, policy_id, context_id, selection };
      }
      after = slice.last;
      await request.turn();
    }
  },
});

/** The result of one slice of the index: a choice, or the entry to continue after. */
type Slice =
  | { readonly selection: LearningSelection }
  | { readonly selection: undefined; readonly last: RankedProcedure };

function examine(
  tx: ReadTx,
  range: SelectionRange,
  { context }: EvaluationBasis,
  budget: SelectionBudget,
): Slice {
  const { isDone, entry } = bestWithin(tx, range, budget, SELECTION_SLICE_ENTRIES);
  if (entry === undefined) {
    const { baseline_revision } = context.payload;
    const reason = 'no_qualified_compatible_procedure';
    return { selection: { type: 'baseline', baseline_revision, reason } };
  }
  if (!isDone) return { selection: undefined, last: entry };
  const procedure = showProcedure(range.namespace, rankedProcedure(tx, range.namespace, entry));
  return { selection: { type: 'procedure', procedure } };
}

/** Returns the procedure of an index entry, after checking that it matches the entry. */
function rankedProcedure(
  tx: ReadTx,
  namespace: Namespace,
  { id, lowerImprovementBound }: RankedProcedure,
): StoredProcedure {
  const procedure = findProcedure(tx, namespace, id);
  const isRanked =
    procedure?.standing.state === 'Active' &&
    procedure.standing.figures.lowerImprovementBound === lowerImprovementBound;
  if (!isRanked) throw new AgentkeepError('storage_inconsistency');
  return procedure;
}
