/** Calls on branches with as much as they can have. */
import { result } from '@agentkeep/contract-cases/answer';
import { minimalRecord, scope, sharedScope } from '@agentkeep/contract-cases/documents';
import type { Fixture } from '@agentkeep/contract-cases/fixture';

const version = { contract_version: 1 };

/** Changes many records with long histories in a branch, compares, merges and drops it. */
export async function callOnBranches(t: Fixture, names: readonly string[]): Promise<void> {
  const agent = await t.agent();
  const wanted = { ...version, name: 'long histories', scopes: [scope] };
  const { branch } = result(await agent.call('createMemoryBranch', { document: wanted }));
  const { id } = branch;
  const where = { ...scope, branch: id };
  const puts = names.map((name) => [where, { type: 'put', name, record: minimalRecord }] as const);
  result(await agent.batch(puts));
  result(await agent.call('getMemoryBranch', { id, parameters: version }));
  const parameters = { ...version, limit: 100 };
  const { digest } = result(await agent.call('compareMemoryBranch', { id, parameters }));
  const document = { ...version, idempotency_key: 'merge-1', digest };
  result(await agent.call('mergeMemoryBranch', { id, document }));
  result(await agent.call('dropMemoryBranch', { id, parameters: version }));
  await callOnProposals(t, names);
}

/** Proposes a branch with many records and one command, merges the first and rejects the other. */
async function callOnProposals(t: Fixture, names: readonly string[]): Promise<void> {
  const agent = await t.agent();
  const capabilities = ['memory_read', 'memory_review'];
  const reviewer = await t.agent({ subject_id: 'rita', capabilities });
  const wanted = { ...version, name: 'to review', scopes: [sharedScope] };
  const { branch } = result(await agent.call('createMemoryBranch', { document: wanted }));
  const { id } = branch;
  const where = { ...sharedScope, branch: id };
  const puts = names.map((name) => [where, { type: 'put', name, record: minimalRecord }] as const);
  result(await agent.batch(puts));
  result(await agent.call('proposeMemoryBranch', { id, document: version }));
  const operation = { type: 'put', name: 'proposed', record: minimalRecord };
  const command = { ...version, idempotency_key: 'proposal-1', scope: sharedScope, operation };
  const { receipt } = result(await agent.call('proposeMemory', { document: command }));
  result(await reviewer.call('listMemoryProposals', { parameters: version }));
  const { digest } = result(
    await reviewer.call('compareMemoryBranch', { id, parameters: version }),
  );
  const document = { ...version, idempotency_key: 'merge-2', digest };
  result(await reviewer.call('mergeMemoryBranch', { id, document }));
  const rejection = { id: receipt.proposal?.id, document: { ...version, reason: 'No.' } };
  result(await reviewer.call('rejectMemoryProposal', rejection));
  result(await agent.call('proposeMemory', { document: { ...command, idempotency_key: 'last' } }));
  const withdrawal = { document: { ...version, subject_id: 'alice' } };
  result(await t.admin.call('withdrawMemoryProposals', withdrawal));
}
