/** Memory tools and middleware for the Vercel AI SDK, kept in Agentkeep. */
export type { Agent } from '@agentkeep/client';
