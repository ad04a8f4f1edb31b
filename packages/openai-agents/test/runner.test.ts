/** The real runner of the SDK with scripted models, over sessions that fail in between. */
import {
  Agent,
  type AgentInputItem,
  Runner,
  RunState,
  type Session,
  tool,
} from '@openai/agents-core';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents-core/testing';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { AgentkeepSession } from '../src/index.js';
import { failingAgent, type Failures } from './failing-agent.js';
import { opened, scope, ways } from './two-ways.js';

/** A history in short: what was said, called and answered. */
function shownItems(items: readonly AgentInputItem[]): string[] {
  return items.map((item) => {
    if (item.type === 'function_call') return `call ${item.callId}`;
    if (item.type === 'function_call_result') return `result ${item.callId}`;
    const { role, content } = item as { role: string; content: string | { text?: string }[] };
    const text = typeof content === 'string' ? content : content.map((part) => part.text).join('');
    return `${role}: ${text}`;
  });
}

const runner = new Runner({ tracingDisabled: true });

/** An agent whose tool counts how often it ran. */
function orderDesk(model: ScriptedModel, options: { needsApproval?: boolean } = {}) {
  const orders: string[] = [];
  const order = tool({
    name: 'order',
    description: 'Orders a thing.',
    parameters: z.object({ thing: z.string() }),
    needsApproval: options.needsApproval ?? false,
    execute: ({ thing }) => {
      orders.push(thing);
      return `ordered ${thing}`;
    },
  });
  const agent = new Agent({ name: 'Desk', instructions: 'Help.', model, tools: [order] });
  return { agent, orders };
}

describe.each(ways)('the runner on a session, %s', (way) => {
  test('a run in another process sees what the run before it left', async () => {
    await using desk = await opened(way);
    const session = (): Session =>
      new AgentkeepSession({ agent: desk.agent, scope, sessionId: 'ann' });
    const first = new ScriptedModel([
      [functionCall('order', { thing: 'tea' }, { callId: 'c1' })],
      [assistantMessage('Tea is ordered.')],
    ]);
    await runner.run(orderDesk(first).agent, 'Tea, please.', { session: session() });
    const second = new ScriptedModel([[assistantMessage('You ordered tea.')]]);
    const { finalOutput } = await runner.run(orderDesk(second).agent, 'What did I order?', {
      session: session(),
    });
    expect(finalOutput).toBe('You ordered tea.');
    expect(shownItems(second.firstCall?.request.input as AgentInputItem[])).toEqual([
      'user: Tea, please.',
      'call c1',
      'result c1',
      'assistant: Tea is ordered.',
      'user: What did I order?',
    ]);
    expect(shownItems(await session().getItems())).toHaveLength(6);
  });

  test('a streamed run keeps the same history', async () => {
    await using desk = await opened(way);
    const session = new AgentkeepSession({ agent: desk.agent, scope, sessionId: 'ann' });
    const model = new ScriptedModel([
      [functionCall('order', { thing: 'tea' }, { callId: 'c1' })],
      [assistantMessage('Tea is ordered.')],
    ]);
    const { agent } = orderDesk(model);
    const result = await runner.run(agent, 'Tea, please.', { session, stream: true });
    await result.completed;
    expect(shownItems(await session.getItems())).toEqual([
      'user: Tea, please.',
      'call c1',
      'result c1',
      'assistant: Tea is ordered.',
    ]);
  });

  test('an approval resumes from stored state in another process', async () => {
    await using desk = await opened(way);
    const session = (): Session =>
      new AgentkeepSession({ agent: desk.agent, scope, sessionId: 'ann' });
    const model = new ScriptedModel([
      [functionCall('order', { thing: 'tea' }, { callId: 'c1' })],
      [assistantMessage('Tea is ordered.')],
    ]);
    const { agent, orders } = orderDesk(model, { needsApproval: true });
    const asked = await runner.run(agent, 'Tea, please.', { session: session() });
    expect(asked.interruptions).toHaveLength(1);
    const state = await RunState.fromString(agent, asked.state.toString());
    for (const interruption of state.getInterruptions()) state.approve(interruption);
    const answered = await runner.run(agent, state, { session: session() });
    expect(answered.finalOutput).toBe('Tea is ordered.');
    expect(orders).toEqual(['tea']);
    expect(shownItems(await session().getItems())).toEqual([
      'user: Tea, please.',
      'call c1',
      'result c1',
      'assistant: Tea is ordered.',
    ]);
  });

  test.each(['before', 'after'] as const)(
    'an approved run whose session fails %s a commit is resumed without a second effect',
    async (when) => {
      await using desk = await opened(way);
      const failures: Failures = {};
      const failing = failingAgent(desk.agent, failures);
      const session = (): Session =>
        new AgentkeepSession({ agent: failing, scope, sessionId: 'ann' });
      const model = new ScriptedModel([
        [functionCall('order', { thing: 'tea' }, { callId: 'c1' })],
        [assistantMessage('Tea is ordered.')],
      ]);
      const { agent, orders } = orderDesk(model, { needsApproval: true });
      const asked = await runner.run(agent, 'Tea, please.', { session: session() });
      const { state } = asked;
      for (const interruption of state.getInterruptions()) state.approve(interruption);
      failures.next = when;
      const refused = runner.run(agent, state, { session: session() });
      await expect(refused).rejects.toMatchObject({ code: 'server_unreachable' });
      const stored = await RunState.fromString(agent, state.toString());
      const resumed = await runner.run(agent, stored, { session: session() });
      expect(resumed.finalOutput).toBe('Tea is ordered.');
      expect(orders).toEqual(['tea']);
      expect(shownItems(await session().getItems())).toEqual([
        'user: Tea, please.',
        'call c1',
        'result c1',
        'assistant: Tea is ordered.',
      ]);
    },
  );

  test.each([undefined, 'before', 'after'] as const)(
    'an effect whose output is blocked is kept once, also when the run is resumed (failure: %s)',
    async (when) => {
      await using desk = await opened(way);
      const failures: Failures = {};
      const failing = failingAgent(desk.agent, failures);
      const applied: string[] = [];
      const session = (): AgentkeepSession => {
        const made = new AgentkeepSession({ agent: failing, scope, sessionId: 'ann' });
        const apply = made.applyHistoryTransaction.bind(made);
        made.applyHistoryTransaction = (args) => {
          failures.next = applied.length === 0 ? when : undefined;
          applied.push(`${args.transaction.type} ${args.operationId}`);
          return apply(args);
        };
        return made;
      };
      const model = new ScriptedModel([
        [functionCall('order', { thing: 'tea' }, { callId: 'c1' })],
      ]);
      const { agent, orders } = orderDesk(model, { needsApproval: true });
      let isBlocked = true;
      const guarded = agent.clone({
        toolUseBehavior: 'stop_on_first_tool',
        outputGuardrails: [
          {
            name: 'watch',
            execute: () => Promise.resolve({ tripwireTriggered: isBlocked, outputInfo: {} }),
          },
        ],
      });
      const { state } = await runner.run(guarded, 'Tea, please.', { session: session() });
      for (const interruption of state.getInterruptions()) state.approve(interruption);
      await expect(runner.run(guarded, state, { session: session() })).rejects.toThrow();
      isBlocked = false;
      await runner.run(guarded, state, { session: session() });
      expect(orders).toEqual(['tea']);
      // The runner repeats the transaction under its id when it can't know whether it was applied.
      expect(applied).toHaveLength(when === undefined ? 1 : 2);
      expect(new Set(applied).size).toBe(1);
      expect(shownItems(await session().getItems())).toEqual([
        'user: Tea, please.',
        'call c1',
        'result c1',
      ]);
    },
  );
});
