/** Short forms of the operations on proposals, for their cases. */
import { type Answer, result } from '../harness/answer.js';
import { type Caller, freshKey, type Members } from '../harness/caller.js';
import { sharedScope } from '../harness/documents.js';
import type { Fixture } from '../harness/fixture.js';
import { texted } from '../branches/harness.js';

const version = { contract_version: 1 };

/** Issues a credential that may only propose and read. */
export const proposerOf = (t: Fixture, members: Members = {}): Promise<Caller> =>
  t.agent({ capabilities: ['memory_read', 'memory_propose'], ...members });

/** Issues a credential of another subject that may review and read. */
export const reviewerOf = (t: Fixture, members: Members = {}): Promise<Caller> =>
  t.agent({ subject_id: 'rita', capabilities: ['memory_read', 'memory_review'], ...members });

/** Proposes an operation in the shared scope. */
export const propose = (
  agent: Caller,
  operation: Members,
  members: Members = {},
): Promise<Answer<'proposeMemory'>> =>
  agent.call('proposeMemory', {
    document: {
      ...version,
      idempotency_key: freshKey(),
      scope: sharedScope,
      operation,
      ...members,
    },
  });

/** Proposes a record with a text; returns its receipt, and the proposal. */
export async function proposed(agent: Caller, text: string, members: Members = {}) {
  const operation = { type: 'create', record: texted(text) };
  const { receipt } = result(await propose(agent, operation, members));
  const { proposal } = receipt;
  if (proposal === undefined) throw new Error('The receipt has no proposal.');
  return { receipt, proposal, id: proposal.id };
}

export const submit = (agent: Caller, id: string, members: Members = {}) =>
  agent.call('proposeMemoryBranch', { id, document: { ...version, ...members } });

export const reject = (agent: Caller, id: string, reason: unknown = 'No.') =>
  agent.call('rejectMemoryProposal', { id, document: { ...version, reason } });

/** Sets whether commands wait in the shared scope, or in another one. */
export const requireReview = (
  admin: Caller,
  review: string,
  revision = 0,
  where: unknown = sharedScope,
) =>
  admin.call('setMemoryRetention', {
    document: {
      ...{ contract_version: 1, scope: where, expected_revision: revision },
      ...{ retention: {}, review },
    },
  });

/** Withdraws all proposals of an author. */
export const withdrawAll = (admin: Caller, subjectId: unknown) =>
  admin.call('withdrawMemoryProposals', { document: { ...version, subject_id: subjectId } });

/** Returns a page of proposals. */
export const proposalsOf = async (agent: Caller, members: Members = {}) => {
  const parameters = { ...version, ...members };
  return result(await agent.call('listMemoryProposals', { parameters })).page;
};

/** Returns the ids of the proposals that a caller is shown. */
export const idsOf = async (agent: Caller, members: Members = {}) =>
  (await proposalsOf(agent, members)).items.map(({ id }) => id);
