/**
 * Procedures in the store. The proposal, which never changes, is apart from the state, so that an
 * evaluation rewrites a few numbers and not the instructions.
 */
import type { Namespace } from '../../../kernel/access/namespace.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { documentDigest } from '../../../contract/schema/document-digest.js';
import { allOrFirstFailure } from '../../../storage/store/all-or-first-failure.js';
import { defineFamily } from '../../../storage/store/family.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import { fieldsLayout, json, number, text, type ValueOf } from '../../../storage/store/fields.js';
import type { KeySpan } from '../key-span.js';
import { basisDigest, type EvaluationBasis, basisOf } from '../policy/evaluation-basis.js';
import type { FamilyMember } from '../evidence/family-policy.js';
import { membersOf } from './family-store.js';
import { type Figures, noFigures } from '../evidence/hoeffding-policy.js';
import type { LearningProposal, ProcedureDecision } from './procedure-schema.js';
import type { ProcedureState } from './procedure-states.js';

/** Digest of a proposal, by which a replay is recognized. */
export function proposalFingerprint(request: LearningProposal): string {
  return documentDigest('agentkeep learning-proposal 1', request);
}

const proposalLayout = fieldsLayout(
  1,
  {
    request: json<LearningProposal>(),
    fingerprint: text,
    policyDigest: text,
    contextDigest: text,
    actor: text,
    createdAtMillis: number,
  },
  ({ request, fingerprint }) => proposalFingerprint(request) === fingerprint,
);

const standingLayout = fieldsLayout(1, {
  state: json<ProcedureState>(),
  figures: json<Figures>(),
  decisions: json<readonly ProcedureDecision[]>(),
});

/** A stored proposal. */
export type StoredProposal = ValueOf<typeof proposalLayout>;

/** The current state of a procedure. */
export type Standing = ValueOf<typeof standingLayout>;

/** A procedure with its policy and context. */
export interface StoredProcedure {
  readonly proposal: StoredProposal;
  readonly basis: EvaluationBasis;
  readonly standing: Standing;
  /** The other candidates of the same policy and context, where the policy admits them together. */
  readonly others: readonly FamilyMember[];
}

/** The state of a new procedure. */
export const initialStanding: Standing = { state: 'Candidate', figures: noFigures, decisions: [] };

/** Proposals of procedures, by namespace and id. */
export const learningProposals = defineFamily({
  name: 'learningProposals',
  number: 43,
  key: ['digest', 'text'],
  layout: proposalLayout,
  sealedBy: 'namespace',
  owner: 'scope',
  exported: { line: 'procedure' },
  erased: 'removed',
  counts: null,
  remember: true,
});

/** Current state of a procedure, by namespace and id. */
export const learningProcedures = defineFamily({
  name: 'learningProcedures',
  number: 44,
  key: ['digest', 'text'],
  layout: standingLayout,
  sealedBy: 'namespace',
  owner: 'scope',
  exported: { line: 'procedure_state' },
  erased: 'removed',
  counts: null,
});

/** Returns the proposal with this id, or `undefined`. */
export function findProposal(
  tx: ReadTx,
  { tenantId, digest }: Namespace,
  id: string,
): StoredProposal | undefined {
  return learningProposals.get(tx, tenantId, digest, id);
}

/**
 * Returns the procedure with this id, or `undefined`.
 *
 * @throws {AgentkeepError} `storage_inconsistency` when its policy or context has changed.
 */
export function findProcedure(
  tx: ReadTx,
  namespace: Namespace,
  id: string,
): StoredProcedure | undefined {
  const proposal = findProposal(tx, namespace, id);
  return (
    proposal && procedureOf(tx, namespace, proposal, (basis) => familyOf(tx, namespace, basis))
  );
}

/** Returns the procedures after an id, in the order of their keys. Reads each family once. */
export function proceduresAfter(
  tx: ReadTx,
  namespace: Namespace,
  { after, limit }: KeySpan,
): StoredProcedure[] {
  const { tenantId, digest } = namespace;
  const families = new Map<string, readonly FamilyMember[]>();
  const readOnce = (basis: EvaluationBasis): readonly FamilyMember[] => {
    const name = basisDigest(basis);
    const family = families.get(name) ?? familyOf(tx, namespace, basis);
    families.set(name, family);
    return family;
  };
  const start: [Uint8Array, string] | undefined = after === undefined ? undefined : [digest, after];
  const found = learningProposals.values(tx, tenantId, { prefix: [digest], after: start, limit });
  return allOrFirstFailure(found, (proposal) => procedureOf(tx, namespace, proposal, readOnce));
}

function procedureOf(
  tx: ReadTx,
  namespace: Namespace,
  proposal: StoredProposal,
  familyFor: (basis: EvaluationBasis) => readonly FamilyMember[],
): StoredProcedure {
  const { tenantId, digest } = namespace;
  const { id } = proposal.request;
  const basis = storedBasis(tx, tenantId, proposal);
  const standing = learningProcedures.get(tx, tenantId, digest, id);
  if (standing === undefined) throw new AgentkeepError('storage_inconsistency');
  const others = familyFor(basis).filter((each) => each.id !== id);
  return { proposal, basis, standing, others };
}

/** Returns the candidates that share a policy and a context, where it admits them together. */
export function familyOf(
  tx: ReadTx,
  namespace: Namespace,
  basis: EvaluationBasis,
): readonly FamilyMember[] {
  if (basis.policy.payload.parameters.max_candidates === undefined) return [];
  return membersOf(tx, { namespace, basis: basisDigest(basis) });
}

/** Stores a new procedure. */
export function insertProposal(tx: WriteTx, namespace: Namespace, proposal: StoredProposal): void {
  const { tenantId, digest } = namespace;
  learningProposals.put(tx, proposal, tenantId, digest, proposal.request.id);
  updateStanding(tx, namespace, proposal.request.id, initialStanding);
}

/** Stores the state of a procedure. */
export function updateStanding(
  tx: WriteTx,
  { tenantId, digest }: Namespace,
  id: string,
  standing: Standing,
): void {
  learningProcedures.put(tx, standing, tenantId, digest, id);
}

/** Returns the policy and context of a stored proposal, after checking that they are the same. */
export function storedBasis(
  tx: ReadTx,
  tenantId: string,
  proposal: StoredProposal,
): EvaluationBasis {
  const { policy_id: policyId, context_id: contextId } = proposal.request;
  const basis = stored(() => basisOf(tx, tenantId, { policyId, contextId }));
  const isSame =
    basis.policy.payloadDigest === proposal.policyDigest &&
    basis.context.payloadDigest === proposal.contextDigest;
  if (!isSame) throw new AgentkeepError('storage_inconsistency');
  return basis;
}

function stored<T>(look: () => T): T {
  try {
    return look();
  } catch (cause) {
    throw new AgentkeepError('storage_inconsistency', { cause });
  }
}
