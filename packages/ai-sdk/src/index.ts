/** Memory tools and middleware for the Vercel AI SDK, kept in Agentkeep. */
export { memoryTools, type MemoryToolsOptions } from './memory-tools.js';
export { withMemory, type WithMemoryOptions } from './with-memory.js';
