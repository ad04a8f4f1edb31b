/** A hook that walks a list of a scope, as who may see it. */
import type { Agent } from '@agentkeep/client';
import { agentOf } from '../../scopes/scope-agent.js';
import { useWalk, type Walked } from '../../session/use-walk.js';
import type { ScopeProps } from '../memory/scope-props.js';
import { PAGE } from './learning-data.js';

/** Walks what `list` yields for the agent of the scope. */
export function useScopeWalk<T>(
  { caller, shown }: ScopeProps,
  list: (
    agent: Agent,
    options: { readonly limit: number; readonly signal: AbortSignal },
  ) => AsyncGenerator<T, void>,
): Walked<T> {
  return useWalk(
    (agent, signal) => {
      const own = caller.credential?.spec.subject_id;
      return list(agentOf(agent, shown, own), { limit: PAGE, signal });
    },
    [JSON.stringify(shown)],
  );
}
