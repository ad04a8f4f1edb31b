/** Agents between whose calls others write. */
import type {
  Agent,
  MemoryChangeInput,
  ScopedMemory,
  ScopeInput,
  SearchFilterInput,
  SearchOptions,
} from '@agentkeep/client';

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
      const read = await memory.in(scope).searchPage(filter, { ...options, ...position });
      yield* read.matches;
      cursor = read.next_cursor;
    } while (cursor !== null);
  }
  return replaced(agent, 'memory', replaced(memory, 'search', search));
}

/** Returns an agent whose batches in a scope let others write before they are sent. */
export function beforeBatches(agent: Agent, before: () => Promise<unknown>): Agent {
  const inScope = (scope: ScopeInput): ScopedMemory => {
    const scoped = agent.memory.in(scope);
    return replaced(scoped, 'batch', async (commands: readonly MemoryChangeInput[]) => {
      await before();
      return scoped.batch(commands);
    });
  };
  return replaced(agent, 'memory', replaced(agent.memory, 'in', inScope));
}

/** Returns an object with another member; its methods have no other object. */
function replaced<T extends object>(whole: T, member: string, by: unknown): T {
  return new Proxy(whole, {
    get: (target, name) => {
      if (name === member) return by;
      const own: unknown = Reflect.get(target, name, target);
      return typeof own === 'function' ? (own.bind(target) as unknown) : own;
    },
  });
}
