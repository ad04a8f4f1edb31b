/** Finds out whether changes of a graph wait already, so that a repeat proposes nothing. */
import type { Agent, MemoryChangeInput, ScopeInput } from '@agentkeep/client';

/** Who proposes, and where. */
interface Proposer {
  readonly agent: Agent;
  readonly scope: ScopeInput;
  readonly signal: AbortSignal;
}

type Difference = Awaited<ReturnType<Agent['branches']['diffPage']>>['page']['items'][number];

/** Returns whether a proposal of the caller waits that makes exactly these changes. */
export async function waitsAlready(
  { agent, scope, signal }: Proposer,
  changes: readonly MemoryChangeInput[],
): Promise<boolean> {
  // Nothing waits of what only its subject reads.
  if (scope.visibility === 'private') return false;
  const wanted = changes.map(shapeOfChange).toSorted().join('\n');
  let own: string | undefined;
  for await (const { id, author, scopes } of agent.proposals.list({ scope, signal })) {
    own ??= (await agent.whoAmI({ signal })).spec.subject_id;
    if (author.subject_id !== own || scopes.length !== 1) continue;
    const found: string[] = [];
    for await (const each of agent.branches.diff(id, { signal })) {
      found.push(shapeOfDifference(each));
      if (found.length > changes.length) break;
    }
    if (found.toSorted().join('\n') === wanted) return true;
  }
  return false;
}

/** What a change does, as a text without line breaks. */
function shapeOfChange(change: MemoryChangeInput): string {
  if (change.type === 'remove') return JSON.stringify([change.name]);
  if (change.type === 'put') return shapeOf(change.name, change.record.content.data);
  throw new TypeError(`A graph makes no changes of type ${change.type}.`);
}

function shapeOfDifference({ branch, base }: Difference): string {
  if (branch === null) return JSON.stringify([base?.name]);
  return shapeOf(branch.name, branch.payload.content.data);
}

function shapeOf(name: string | undefined, data: unknown): string {
  const isObject = typeof data === 'object' && data !== null;
  const members = isObject
    ? Object.entries(data).toSorted(([one], [other]) => (one < other ? -1 : 1))
    : data;
  return JSON.stringify([name, members]);
}
