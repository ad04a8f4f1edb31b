/** Memory tools and middleware for the Vercel AI SDK, kept in Agentkeep. */
export {
  type MemoryTools,
  memoryTools,
  type MemoryToolsOptions,
  type NamedInput,
  type RecallInput,
  type RememberInput,
  type ShownMemory,
} from './memory-tools.js';
export { withMemory, type WithMemoryOptions } from './with-memory.js';
