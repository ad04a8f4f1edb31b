/** Stands in for a model: it knows nothing but the history that it is given. */
import type { AgentInputItem } from '@openai/agents-core';
import {
  assistantMessage,
  functionCall,
  modelResponder,
  ScriptedModel,
  type ScriptedModelResponse,
} from '@openai/agents-core/testing';

/** Returns what the customer said last. */
function lastSaid(history: readonly AgentInputItem[]): string {
  const message = history.findLast((item) => 'role' in item && item.role === 'user');
  return message !== undefined && 'content' in message ? JSON.stringify(message.content) : '';
}

/** Orders what is asked for, or what was ordered last, and counts the orders. */
function respond(history: readonly AgentInputItem[]): ScriptedModelResponse {
  const last = history.at(-1);
  if (last?.type === 'function_call_result') return [assistantMessage('It is on its way.')];
  const orders = history.flatMap((item) => (item.type === 'function_call' ? [item.arguments] : []));
  const said = lastSaid(history);
  if (said.includes('How many')) return [assistantMessage(`${orders.length} orders.`)];
  const product = /order ([a-z ]+)/u.exec(said)?.[1];
  const wanted = product === undefined ? orders.at(-1) : JSON.stringify({ product });
  if (wanted === undefined) return [assistantMessage('The same as what?')];
  return [functionCall('order', wanted, { callId: `order-${orders.length + 1}` })];
}

/** Returns a model for one run: a call of the tool and an answer at most. */
export function standInModel(): ScriptedModel {
  const step = modelResponder(({ request: { input } }) => respond(input as AgentInputItem[]));
  return new ScriptedModel([step, step]);
}
