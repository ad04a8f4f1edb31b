/** A desk that takes orders. Its session is kept, so each call may be to another process. */
import type { Keep, ScopeInput } from '@agentkeep/core';
import { agentFor } from '@agentkeep/core/operator';
import { AgentkeepSession } from '@agentkeep/openai-agents';
import { Agent, Runner, tool } from '@openai/agents-core';
import { z } from 'zod';
import { standInModel } from './stand-in-model.js';

const scope: ScopeInput = { project_id: 'shop', agent_id: 'orders', visibility: 'private' };

/** Says something to the desk; returns its answer. */
async function askDesk(keep: Keep, said: string): Promise<string> {
  const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'ann', scopes: [scope] });
  const session = new AgentkeepSession({ agent, scope, sessionId: 'ann' });
  const order = tool({
    name: 'order',
    description: 'Orders a product.',
    parameters: z.object({ product: z.string() }),
    execute: ({ product }) => `Ordered ${product}.`,
  });
  const instructions = 'Order what the customer asks for.';
  const desk = new Agent({ name: 'Desk', instructions, model: standInModel(), tools: [order] });
  const runner = new Runner({ tracingDisabled: true });
  const { finalOutput } = await runner.run(desk, said, { session });
  return finalOutput ?? '';
}

/** Yields what is said. Each call opens the keep anew, as a program does that was restarted. */
export async function* runOrders(open: () => Promise<Keep>): AsyncGenerator<string, void> {
  for (const said of ['Please order green tea.', 'The same again.', 'How many orders is that?']) {
    await using keep = await open();
    yield `customer: ${said}`;
    yield `desk: ${await askDesk(keep, said)}`;
  }
}
