/** An agent of the OpenAI Agents SDK talks in a session that lies in the shared scope. */
import type { Agent } from '@agentkeep/client';
import { AgentkeepSession } from '@agentkeep/openai-agents';
import { Agent as OpenAiAgent, Runner } from '@openai/agents-core';
import { assistantMessage, ScriptedModel } from '@openai/agents-core/testing';
import { shared } from './desk.js';

/** Talks about the customer; returns what the agent says. */
export async function openAiTalks(agent: Agent): Promise<string> {
  const model = new ScriptedModel([[assistantMessage('Thanks, I noted the new address of Ann.')]]);
  const phone = new OpenAiAgent({ name: 'Phone', instructions: 'Take messages.', model });
  const session = new AgentkeepSession({ agent, scope: shared, sessionId: 'phone' });
  const runner = new Runner({ tracingDisabled: true });
  const { finalOutput } = await runner.run(phone, 'Ann moved to Lisbon.', { session });
  return finalOutput ?? '';
}
