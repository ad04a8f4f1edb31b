/** Agents between whose reads others write. */
import type { Agent, ScopeInput, SearchFilterInput, SearchOptions } from '@agentkeep/client';

/** What others do before the next page is read, in any search. */
export type Between = (page: number) => Promise<unknown>;

/** Returns an agent whose searches let others write before each page but the first one. */
export function interleaved(agent: Agent, between: Between): Agent {
  const { memory } = agent;
  let page = 0;
  async function* search(
    scope: ScopeInput,
    filter: SearchFilterInput,
    options: SearchOptions,
  ): AsyncGenerator<unknown, void> {
    let cursor: string | null = null;
    do {
      if (page > 0) await between(page);
      page += 1;
      const position: SearchOptions = cursor === null ? {} : { cursor };
      const read = await memory.searchPage(scope, filter, { ...options, ...position });
      yield* read.matches;
      cursor = read.next_cursor;
    } while (cursor !== null);
  }
  const shown = new Proxy(memory, {
    get: (target, name) => {
      if (name === 'search') return search;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
  return new Proxy(agent, {
    get: (target, name) => (name === 'memory' ? shown : (Reflect.get(target, name) as unknown)),
  });
}
