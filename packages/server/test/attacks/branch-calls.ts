/** Calls on branches with as much as they can have. */
import { result } from '@agentkeep/contract-cases/answer';
import { minimalRecord, scope } from '@agentkeep/contract-cases/documents';
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
}
