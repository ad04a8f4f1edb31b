/** Plays random calls with an agent of TypeScript. */
import { type Agent, AgentkeepError } from '../../../packages/core/src/index.ts';
import type { Coded, RandomCall } from './random-calls.ts';

/** What a call answered: its value, or the code and the members of its refusal. */
export type Outcome =
  { readonly value: unknown } | { readonly code: string; readonly members: readonly string[] };

/** The memory of an agent in a scope. */
type Memory = ReturnType<Agent['memory']['in']>;

interface Marked {
  readonly $: string;
  readonly [member: string]: unknown;
}

/** Plays calls one after the other, and returns the outcome of each. */
export async function playCalls(memory: Memory, calls: readonly RandomCall[]): Promise<Outcome[]> {
  const player = new Player(memory);
  const outcomes: Outcome[] = [];
  for (const call of calls) outcomes.push(await player.play(call));
  return outcomes;
}

class Player {
  readonly #memory: Memory;
  /** The ids of the records that were created. */
  readonly #ids: string[] = [];

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  async play({ method, given }: RandomCall): Promise<Outcome> {
    const plain = Object.fromEntries(
      Object.entries(given).map(([name, coded]) => [name, this.#decode(coded)]),
    );
    try {
      const value = await this.#methods[method]?.(plain as Given);
      const { record_id: id, action } = (value ?? {}) as { record_id?: string; action?: string };
      if (id !== undefined && action === 'created') this.#ids.push(id);
      return { value };
    } catch (error) {
      if (!(error instanceof AgentkeepError)) return { value: `not typed: ${String(error)}` };
      return { code: error.code, members: error.members.map(({ path }) => path) };
    }
  }

  readonly #methods: Record<string, (given: Given) => Promise<unknown>> = {
    remember: ({ text, key, ...options }) =>
      this.#memory.remember(text, { ...options, idempotencyKey: key }),
    recall: ({ question, ...options }) => this.#memory.recall(question, options),
    create: ({ record, key }) => this.#memory.create(record, { idempotencyKey: key }),
    put: ({ name, record, revision, key }) =>
      this.#memory.put(name, record, { expectedRevision: revision, idempotencyKey: key }),
    update: ({ id, revision, record, key }) => {
      const target = { recordId: id, expectedRevision: revision };
      return this.#memory.update(target, record, { idempotencyKey: key });
    },
    delete: ({ id, revision, key }) => {
      const target = { recordId: id, expectedRevision: revision };
      return this.#memory.delete(target, { idempotencyKey: key });
    },
    remove: ({ name, key }) => this.#memory.delete({ name }, { idempotencyKey: key }),
    restore: ({ id, old, revision }) =>
      this.#memory.restore({ recordId: id, revision: old, expectedRevision: revision }),
    redact: ({ id, old }) => this.#memory.redact({ recordId: id, revision: old }),
    read: ({ id, old }) => this.#memory.read(id, { revision: old }),
    named: ({ name }) => this.#memory.read({ name }),
    history: ({ id, limit }) => all(this.#memory.history(id, { limit })),
    query: ({ limit, ...filter }) => all(this.#memory.query(filter as object, { limit })),
    search: ({ filter, limit }) => all(this.#memory.search(filter, { limit })),
    count: ({ filter }) => this.#memory.count(filter),
    batch: ({ changes, key }) => this.#memory.batch(changes, { idempotencyKey: key }),
    changes: ({ limit }) => this.#memory.changesPage({ limit }),
  };

  #decode(coded: Coded): unknown {
    if (typeof coded !== 'object' || coded === null) return coded;
    if (Array.isArray(coded)) return coded.map((each) => this.#decode(each));
    if ('$' in coded) return this.#made(coded as Marked);
    return Object.fromEntries(
      Object.entries(coded).map(([name, inner]) => [name, this.#decode(inner)]),
    );
  }

  #made(marked: Marked): unknown {
    switch (marked.$) {
      case 'id':
        return this.#ids[Number(marked['at']) % (this.#ids.length || 1)] ?? UNKNOWN;
      case 'nan':
        return NaN;
      case 'infinity':
        return Infinity;
      case 'minus infinity':
        return -Infinity;
      case 'minus zero':
        return -0;
      case 'integer': {
        const digits = String(marked['digits']);
        // An integer that a double would change is one of another type in this language.
        return JSON.stringify(Number(digits)) === digits ? Number(digits) : BigInt(digits);
      }
      case 'long':
        return String(marked['of']).repeat(Number(marked['times']));
      case 'time':
        return new Date(Number(marked['ms']));
      case 'bytes':
        return new Uint8Array([1, 2]);
      case 'set':
        return new Set(['a']);
      case 'function':
        return () => 1;
      case 'object':
        return new (class Point {
          readonly x = 1;
        })();
      case 'cycle': {
        const cycle: Record<string, unknown> = {};
        return Object.assign(cycle, { self: cycle });
      }
      default: {
        let deep: unknown = 1;
        for (let level = 0; level < Number(marked['levels']); level += 1) deep = [deep];
        return deep;
      }
    }
  }
}

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

/** Arguments of any type, as callers without types give them. */
type Given = Readonly<
  Record<
    | 'text'
    | 'question'
    | 'record'
    | 'name'
    | 'id'
    | 'revision'
    | 'old'
    | 'key'
    | 'filter'
    | 'limit'
    | 'changes',
    never
  >
>;

async function all(values: AsyncIterable<unknown>): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const each of values) found.push(each);
  return found;
}
