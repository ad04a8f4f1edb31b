/**
 * Procedures in the store: the proposal, which never changes, apart from the state, so that an
 * evaluation rewrites a few numbers however long the instructions are.
 *
 * @module
 */
import type { Namespace } from '../../access/namespace.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { documentDigest } from '../../contract/schema/document-digest.js';
import { keyspace } from '../../storage/store/keyspace.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { Subspace } from '../../storage/store/subspace.js';
import { fieldsLayout } from '../../storage/store/value.js';
import { type Binding, bindingOf } from './binding.js';
import { type Figures, noFigures } from './hoeffding-policy.js';
import type { LearningProposal, ProcedureDecision } from './procedure-schema.js';
import type { ProcedureState } from './procedure-states.js';

/** A proposal as it is stored. */
export interface StoredProposal {
  readonly request: LearningProposal;
  /** Digest of the request: what makes a repeat the same. */
  readonly fingerprint: string;
  readonly policyDigest: string;
  readonly contextDigest: string;
  readonly actor: string;
  readonly createdAtMillis: number;
}

/** Where a procedure stands. */
export interface Standing {
  readonly state: ProcedureState;
  readonly figures: Figures;
  readonly decisions: readonly ProcedureDecision[];
}

/** A procedure with all that it rests on. */
export interface StoredProcedure {
  readonly proposal: StoredProposal;
  readonly binding: Binding;
  readonly standing: Standing;
}

/** Where every procedure begins. */
export const birth: Standing = { state: 'Candidate', figures: noFigures, decisions: [] };

/** Digest of a proposal. */
export function proposalFingerprint(request: LearningProposal): string {
  return documentDigest('agentkeep learning-proposal 1', request);
}

type ProposalFields = [
  request: LearningProposal,
  fingerprint: string,
  policyDigest: string,
  contextDigest: string,
  actor: string,
  createdAtMillis: number,
];

const proposals = new Subspace(
  keyspace.learningProposals,
  fieldsLayout<StoredProposal, ProposalFields>(
    1,
    (it) => [
      it.request,
      it.fingerprint,
      it.policyDigest,
      it.contextDigest,
      it.actor,
      it.createdAtMillis,
    ],
    ([request, fingerprint, policyDigest, contextDigest, actor, createdAtMillis]) => {
      if (proposalFingerprint(request) !== fingerprint) {
        throw new AgentkeepError('storage_inconsistency');
      }
      return { request, fingerprint, policyDigest, contextDigest, actor, createdAtMillis };
    },
  ),
  { remember: true },
);

const procedures = new Subspace(
  keyspace.learningProcedures,
  fieldsLayout<Standing, [ProcedureState, Figures, readonly ProcedureDecision[]]>(
    1,
    (it) => [it.state, it.figures, it.decisions],
    ([state, figures, decisions]) => ({ state, figures, decisions }),
  ),
);

/** The subspaces of procedures, by their names in the key space. */
export const procedureSubspaces = { learningProposals: proposals, learningProcedures: procedures };

/** The proposal with this id, if there is one. */
export function findProposal(
  tx: ReadTx,
  { tenantId, digest }: Namespace,
  id: string,
): StoredProposal | undefined {
  return proposals.get(tx, tenantId, digest, id);
}

/**
 * The procedure with this id, if there is one.
 *
 * @throws {AgentkeepError} `storage_inconsistency` when what it rests on is not as it was.
 */
export function findProcedure(
  tx: ReadTx,
  namespace: Namespace,
  id: string,
): StoredProcedure | undefined {
  const proposal = findProposal(tx, namespace, id);
  if (proposal === undefined) return undefined;
  const { tenantId, digest } = namespace;
  const binding = storedBinding(tx, tenantId, proposal);
  const standing = procedures.get(tx, tenantId, digest, id);
  if (standing === undefined) throw new AgentkeepError('storage_inconsistency');
  return { proposal, binding, standing };
}

/** Stores a new procedure. */
export function insertProposal(tx: WriteTx, namespace: Namespace, proposal: StoredProposal): void {
  const { tenantId, digest } = namespace;
  proposals.put(tx, proposal, tenantId, digest, proposal.request.id);
  updateStanding(tx, namespace, proposal.request.id, birth);
}

/** Stores where a procedure stands now. */
export function updateStanding(
  tx: WriteTx,
  { tenantId, digest }: Namespace,
  id: string,
  standing: Standing,
): void {
  procedures.put(tx, standing, tenantId, digest, id);
}

/** The policy and context of a stored proposal, which have to be there and to be the same. */
export function storedBinding(tx: ReadTx, tenantId: string, proposal: StoredProposal): Binding {
  const { policy_id: policyId, context_id: contextId } = proposal.request;
  const binding = stored(() => bindingOf(tx, tenantId, { policyId, contextId }));
  const isSame =
    binding.policy.payloadDigest === proposal.policyDigest &&
    binding.context.payloadDigest === proposal.contextDigest;
  if (!isSame) throw new AgentkeepError('storage_inconsistency');
  return binding;
}

function stored<T>(look: () => T): T {
  try {
    return look();
  } catch (cause) {
    throw new AgentkeepError('storage_inconsistency', { cause });
  }
}
