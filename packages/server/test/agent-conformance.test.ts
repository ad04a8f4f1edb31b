/**
 * One suite for agents of every kind: the same program on an embedded agent and on one that calls a
 * server, with the same results and the same errors. Only the line that opens the agent differs.
 */
import { connect } from '@agentkeep/client';
import { type Agent, AgentkeepError, capabilities, type Keep, openKeep } from '@agentkeep/core';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { ManualClock, quickPasswords } from '@agentkeep/core/testing';
import { testStore } from '@agentkeep/testkit/test-store';
import { describe, expect, test } from 'vitest';
import { createServer } from '../src/index.js';
import { playAgent, scriptScope, type Step } from './agent-script.js';

/** The ways to get an agent. */
const ways = {
  embedded: (keep: Keep, secret: string) => keep.authenticate(secret),
  remote: async (keep: Keep, secret: string) =>
    connect({ url: 'http://localhost', secret, fetch: createServer(keep).request }),
};

type Way = keyof typeof ways;

const names = Object.keys(ways) as Way[];

async function withAgent(way: Way, run: (agent: Agent) => Promise<void>): Promise<void> {
  const clock = new ManualClock();
  await using keep = await openKeep({ store: testStore(), clock, passwords: quickPasswords });
  const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const issued = await (
    await keep.authenticate(secret)
  ).credentials.issue({
    subject_id: 'judge',
    capabilities: [...capabilities],
    grants: [scriptScope],
  });
  await run(await ways[way](keep, issued.secret));
}

/** What a program can see of an error. Some codes have a more general one on the wire. */
function seenOf(error: unknown): object {
  if (!(error instanceof AgentkeepError)) throw error;
  const { wireCode, kind, message, members, details } = error;
  return { wireCode, kind, message, members, details };
}

async function itemsOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const each of items) found.push(each);
  return found;
}

/** Returns what the program saw, step by step. */
async function playOn(way: Way): Promise<Record<string, unknown>> {
  const seen: Record<string, unknown> = {};
  const step: Step = async (name, work) => {
    expect(Object.keys(seen)).not.toContain(name);
    try {
      const result = work();
      if (!(Symbol.asyncIterator in result)) {
        const value = await result;
        seen[name] = value;
        return value;
      }
      const items = await itemsOf(result);
      seen[name] = name === BY_RANDOM_ORDER ? items.toSorted(byPlainText) : items;
    } catch (error) {
      seen[name] = seenOf(error);
    }
    return undefined;
  };
  await withAgent(way, (agent) => playAgent(agent, step));
  return masked(seen);
}

const RANDOM =
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\baki?1_[\w-]+|whsec_[\w+/=]+|[0-9a-f]{64}|[0-9a-f]{32}|(?<=_cursor":"|"cursor":"|"next_after":"|"position":"|"digest":")[^"]+/gu;

/** Its order is that of digests, among them those of branches, whose ids are random. */
const BY_RANDOM_ORDER = 'access.scopes';

const byPlainText = (one: unknown, other: unknown): number => {
  const [first, second] = [one, other].map((each) => JSON.stringify(each).replaceAll(RANDOM, ''));
  return first! < second! ? -1 : 1;
};

/** Replaces what is random by the order in which it is first seen. */
function masked(seen: Record<string, unknown>): Record<string, unknown> {
  const known = new Map<string, string>();
  const text = JSON.stringify(seen, (_name, value: unknown) => value ?? null);
  const plain = text.replaceAll(RANDOM, (each) => {
    if (!known.has(each)) known.set(each, `random ${known.size}`);
    return known.get(each) ?? '';
  });
  return JSON.parse(plain) as Record<string, unknown>;
}

test('a remote agent gives what an embedded one gives, call by call', async () => {
  const [embedded, remote] = [await playOn('embedded'), await playOn('remote')];
  for (const [name, result] of Object.entries(embedded)) {
    expect({ [name]: remote[name] }).toEqual({ [name]: result });
  }
  expect(Object.keys(remote)).toEqual(Object.keys(embedded));
});

/** Notes which methods of an agent, of its clients and of its scoped memory are called. */
function watch(agent: Agent): { readonly called: Set<string>; readonly all: Set<string> } {
  const [called, all] = [new Set<string>(), new Set<string>()];
  const watchPart = (part: string, owner: object): void => {
    // A deprecated form and its method have one name.
    for (const name of new Set(methodsOf(owner))) {
      const path = `${part}.${name}`;
      if (!DEPRECATED.has(path)) all.add(path);
      const method = (owner as Record<string, (...args: unknown[]) => unknown>)[name];
      const value = (...args: unknown[]): unknown => {
        called.add(path);
        const result = method?.apply(owner, args);
        if (part === 'memory' && name === 'in') watchPart(part, result as object);
        return result;
      };
      Object.defineProperty(owner, name, { value });
    }
  };
  for (const [part, owner] of [['agent', agent] as const, ...Object.entries(agent)]) {
    watchPart(part, owner as object);
  }
  return { called, all };
}

/** See deprecated-forms.test.ts. */
const DEPRECATED = new Set(['memory.get', 'memory.remove']);

function methodsOf(owner: object): string[] {
  const prototype = Object.getPrototypeOf(owner) as object | null;
  if (prototype === null || prototype === Object.prototype) return [];
  const own = Object.getOwnPropertyDescriptors(prototype);
  const methods = Object.keys(own).filter(
    (name) => name !== 'constructor' && own[name]?.value !== undefined,
  );
  return [...methods, ...methodsOf(prototype)];
}

test('the suite calls every method of an agent, and most calls succeed', async () => {
  let refusals = 0;
  let steps = 0;
  await withAgent('embedded', async (agent) => {
    const { called, all } = watch(agent);
    await playAgent(agent, async (_name, work) => {
      steps += 1;
      try {
        const result = work();
        if (!(Symbol.asyncIterator in result)) return await result;
        await itemsOf(result);
      } catch {
        refusals += 1;
      }
      return undefined;
    });
    expect([...all].filter((path) => !called.has(path))).toEqual([]);
  });
  expect(steps).toBeGreaterThan(100);
  expect(refusals).toBeLessThan(steps / 3);
});

describe.each(names)('%s', (way) => {
  const reason = new Error('enough');

  test('a call with an aborted signal rejects with its reason', () =>
    withAgent(way, async ({ memory }) => {
      const signal = AbortSignal.abort(reason);
      await expect(memory.in(scriptScope).queryPage({}, { signal })).rejects.toBe(reason);
      await expect(memory.in(scriptScope).read({ name: 'n' }, { signal })).rejects.toBe(reason);
      const record = {
        episode_type: 'Observation' as const,
        content: { primary: 'x' },
        event_time_millis: 0,
      };
      await expect(memory.in(scriptScope).put('n', record, { signal })).rejects.toBe(reason);
      expect(await memory.in(scriptScope).read({ name: 'n' })).toBeUndefined();
    }));

  test('a signal ends a wait for changes with its reason', () =>
    withAgent(way, async ({ memory }) => {
      const over = new AbortController();
      const next = memory.changes({ after: 'latest', signal: over.signal }).next();
      setImmediate(() => {
        over.abort(reason);
      });
      await expect(next).rejects.toBe(reason);
    }));

  test('two creates without a key make two records', () =>
    withAgent(way, async ({ memory }) => {
      const record = {
        episode_type: 'Observation' as const,
        content: { primary: 'x' },
        event_time_millis: 0,
      };
      const [one, two] = [
        await memory.in(scriptScope).create(record),
        await memory.in(scriptScope).create(record),
      ];
      expect(one.record_id).not.toBe(two.record_id);
    }));
});
