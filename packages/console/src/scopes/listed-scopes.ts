/** The scopes that are listed to a caller, with their counts. */
import type { Agent } from '@agentkeep/client';

/** A scope with its counts. */
export type CountedScope =
  ReturnType<Agent['access']['scopes']> extends AsyncGenerator<infer T, void> ? T : never;

/** Scopes, and whether there are more. */
export interface ListedScopes {
  readonly scopes: readonly CountedScope[];
  readonly hasMore: boolean;
}

/** Returns at most so many scopes. */
export async function listScopes(
  agent: Agent,
  most: number,
  signal: AbortSignal,
): Promise<ListedScopes> {
  const scopes: CountedScope[] = [];
  for await (const scope of agent.access.scopes({ limit: 100, signal })) {
    if (scopes.length === most) return { scopes, hasMore: true };
    scopes.push(scope);
  }
  return { scopes, hasMore: false };
}
