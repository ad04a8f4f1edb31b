/** Short forms of the operations on branches, for their cases. */
import { type Answer, result } from '../harness/answer.js';
import { type Caller, freshKey, type Members } from '../harness/caller.js';
import { record, scope } from '../harness/documents.js';

const version = { contract_version: 1 };

/** Returns a record with a primary text. */
export const texted = (primary: string, members: Members = {}): Members =>
  record({ content: { primary }, ...members });

export const makeBranch = (
  agent: Caller,
  members: Members = {},
): Promise<Answer<'createMemoryBranch'>> =>
  agent.call('createMemoryBranch', {
    document: { ...version, name: 'trial', scopes: [scope], ...members },
  });

/** Makes a branch; returns the scope in it. */
export async function inBranch(agent: Caller, members: Members = {}) {
  const { branch } = result(await makeBranch(agent, members));
  return { id: branch.id, branch, where: { ...scope, branch: branch.id } };
}

export const dropBranch = (agent: Caller, id: string) =>
  agent.call('dropMemoryBranch', { id, parameters: version });

export const getBranch = (agent: Caller, id: string) =>
  agent.call('getMemoryBranch', { id, parameters: version });

/** Returns the names of the branches that a caller is shown. */
export async function namesOf(agent: Caller, members: Members = {}): Promise<string[]> {
  const parameters = { ...version, ...members };
  const { page } = result(await agent.call('listMemoryBranches', { parameters }));
  return page.items.map(({ name }) => name);
}

/** Returns the texts of a scope, as a query, a search and a count agree on them. */
export async function textsIn(agent: Caller, where: Members): Promise<string[]> {
  const queried = result(await agent.query(where)).page.records;
  const searched = result(await agent.search([where], { order: 'oldest' })).page;
  const counted = result(await agent.search([where], { counts: {} })).page;
  const texts = queried.map(({ payload }) => payload.content.primary);
  const found = searched.matches.map((match) => match.record.payload.content.primary);
  if (found.join() !== texts.join() || counted.counts?.matches !== texts.length) {
    throw new Error(`A query finds ${texts.join()}, a search ${found.join()}.`);
  }
  return texts.toSorted();
}

/** Returns a page of what a branch changed. */
export const compare = async (agent: Caller, id: string, members: Members = {}) =>
  result(await agent.call('compareMemoryBranch', { id, parameters: { ...version, ...members } }));

/** Merges a branch. The digest is that of now unless one is given. */
export async function merge(agent: Caller, id: string, members: Members = {}) {
  const { digest } = await compare(agent, id);
  const document = { ...version, idempotency_key: freshKey(), digest, ...members };
  return agent.call('mergeMemoryBranch', { id, document });
}
