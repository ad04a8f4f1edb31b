/** All contenders of the comparison, by name. Each is loaded only where it runs. */
import type { ContenderKind } from './contender.js';

/** Agentkeep first; its figures are compared with those of the others. */
export const contenders = {
  agentkeep: async () => (await import('./agentkeep.js')).agentkeep,
  sqlite: async () => (await import('./sqlite.js')).sqlite,
  sqliteTrigrams: async () => (await import('./sqlite.js')).sqliteTrigrams,
  langgraph: async () => (await import('./langgraph.js')).langgraph,
  mcpMemory: async () => (await import('./mcp-memory.js')).mcpMemory,
  mem0: async () => (await import('./mem0.js')).mem0,
  betterAuth: async () => (await import('./better-auth.js')).betterAuth,
} satisfies Record<string, () => Promise<ContenderKind>>;

/** The name of a contender. */
export type ContenderName = keyof typeof contenders;
