/** Random histories of a session, with the memory session of the SDK as the oracle. */
import { type AgentInputItem, MemorySession } from '@openai/agents-core';
import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import { AgentkeepSession } from '../src/index.js';
import { opened, scope, type Way } from './two-ways.js';

/** What both sessions can do. */
type AnySession = AgentkeepSession | MemorySession;
type Step = (session: AnySession) => Promise<unknown>;

/** A step with its name, which shows in a failure. */
interface Named {
  readonly name: string;
  readonly step: Step;
}

const named = (name: string, step: Step): Named => ({ name, step });

const item: fc.Arbitrary<AgentInputItem> = fc.oneof(
  fc.record({ role: fc.constant('user' as const), content: fc.constantFrom('a', 'b', '\ud800') }),
  fc.record({
    role: fc.constant('user' as const),
    content: fc.constantFrom('x', 'y').map((letter) => letter.repeat(20_000)),
  }),
  fc.record({
    type: fc.constant('function_call' as const),
    callId: fc.constantFrom('1', '2'),
    name: fc.constant('search'),
    arguments: fc.constantFrom('{}', '{"a":1}'),
  }),
);
const items = fc.array(item, { maxLength: 3 });
const operationId = fc.constantFrom('p', 'q', 'r');

const step: fc.Arbitrary<Named> = fc.oneof(
  items.map((list) => named(`add ${list.length}`, (session) => session.addItems(list))),
  fc.constant(named('pop', (session) => session.popItem())),
  fc
    .option(fc.integer({ min: -1, max: 5 }), { nil: undefined })
    .map((limit) => named(`get ${limit}`, (session) => session.getItems(limit))),
  fc.tuple(operationId, items).map(([id, list]) => {
    const transaction = { type: 'append_items' as const, items: list };
    return named(`append ${id}`, (session) =>
      session.applyHistoryTransaction({ operationId: id, transaction }),
    );
  }),
  fc.tuple(operationId, fc.nat({ max: 3 }), items, fc.boolean()).map(([id, count, list, fits]) => {
    // The suffix is the current one, or one that hardly ever fits.
    return named(`replace ${id} ${count}`, async (session) => {
      const expectedSuffix = fits ? await session.getItems(count) : list;
      const transaction = { type: 'replace_suffix' as const, expectedSuffix, replacement: list };
      await session.applyHistoryTransaction({ operationId: id, transaction });
    });
  }),
  fc.constantFrom('1', '2').map((callId) => {
    const replacement = { type: 'function_call' as const, callId, name: 'n', arguments: '[]' };
    const mutations = [{ type: 'replace_function_call' as const, callId, replacement }];
    return named(`mutate ${callId}`, (session) => session.applyHistoryMutations({ mutations }));
  }),
);
const steps = fc.oneof(
  { weight: 20, arbitrary: step },
  { weight: 1, arbitrary: fc.constant(named('clear', (session) => session.clearSession())) },
);

/** Returns what a step answers, or how it fails; texts of errors are the SDK's own. */
async function outcomeOf(work: Promise<unknown>): Promise<unknown> {
  try {
    return { value: await work };
  } catch (error) {
    return { error: (error as Error).name };
  }
}

describe.each<readonly [Way, number]>([
  ['embedded', 60],
  ['HTTP', 15],
])('a session does what the memory session does, %s', (way, numRuns) => {
  test('in random histories', async () => {
    await using desk = await opened(way);
    const { agent } = desk;
    let run = 0;
    const history = fc.array(steps, { minLength: 1, maxLength: 25, size: 'max' });
    const property = fc.asyncProperty(history, async (list) => {
      run += 1;
      const oracle = new MemorySession();
      // Another object for each step, as if each were another process.
      const current = () => new AgentkeepSession({ agent, scope, sessionId: `${run}` });
      for (const { step: play } of list) {
        expect(await outcomeOf(play(current()))).toEqual(await outcomeOf(play(oracle)));
        expect(await current().getItems()).toEqual(await oracle.getItems());
      }
    });
    await fc.assert(property, { seed: inject('seed'), numRuns });
  });
});
