/** Agentkeep as a server of the Model Context Protocol, over HTTP and standard input. */
export type { Agent } from '@agentkeep/client';
