/** The memory tool of Claude, kept in Agentkeep. */
export { AgentkeepMemory, type AgentkeepMemoryOptions } from './agentkeep-memory.js';
export type {
  CreateCommand,
  DeleteCommand,
  InsertCommand,
  MemoryCallOptions,
  MemoryCommand,
  RenameCommand,
  StrReplaceCommand,
  ViewCommand,
} from './commands.js';
