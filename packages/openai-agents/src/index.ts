/** Sessions of the OpenAI Agents SDK that keep their history in Agentkeep. */
export type { Agent } from '@agentkeep/client';
