/** The memory that the graph of a call is in. */
import { missingScope, type ToolCall } from '../tools/tool.js';
import type { GraphWriter } from './graph-writes.js';

/**
 * Returns where a call reads and writes the graph: the scope of its connection.
 * @throws {AgentkeepError} `invalid_request` when the connection has none.
 */
export function writerOf({ agent, scope, signal }: ToolCall): GraphWriter {
  if (scope === undefined) throw missingScope('The profile graph needs one for the connection.');
  return { agent, scope, memory: agent.memory.in(scope), signal };
}
