/** The memory that the graph of a call is in. */
import { scopeOf, type ToolCall } from '../tools/tool.js';
import type { GraphWriter } from './graph-writes.js';

/** Returns where a call reads and writes the graph: the scope of its connection. */
export function writerOf(call: ToolCall): GraphWriter {
  return { memory: call.agent.memory.in(scopeOf(undefined, call)), signal: call.signal };
}
