/** A server with a shared scope, and a credential for each agent that works there. */
import { connect, type Agent, type ScopeInput, type ServerAddress } from '@agentkeep/client';
import type { Keep } from '@agentkeep/core';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { createServer } from '@agentkeep/server';

/** What the agents of the desk share. */
export const shared: ScopeInput = { project_id: 'shop', agent_id: 'desk', visibility: 'shared' };

/** What another desk shares. */
const other: ScopeInput = { ...shared, agent_id: 'other-desk' };

/** The agents, each with its own credential. */
export interface Desk {
  readonly claude: Agent;
  readonly openai: Agent;
  readonly aiSdk: Agent;
  /** Works at another desk, so it has no grant on what is shared here. */
  readonly stranger: Agent;
  readonly server: ServerAddress;
  readonly strangerSecret: string;
}

/** Issues the credentials. The app of the server stands in for `fetch`, so there is no socket. */
export async function openDesk(keep: Keep): Promise<Desk> {
  const server: ServerAddress = { url: 'http://localhost', fetch: createServer(keep).request };
  const ops = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const administrator = connect({ ...server, secret: ops.secret });
  const issue = async (subject_id: string, scope: ScopeInput): Promise<string> => {
    const { secret } = await administrator.credentials.issue({
      subject_id,
      capabilities: ['memory_read', 'memory_write'],
      grants: [scope],
    });
    return secret;
  };
  const agent = async (subject: string): Promise<Agent> =>
    connect({ ...server, secret: await issue(subject, shared) });
  const strangerSecret = await issue('stranger', other);
  return {
    claude: await agent('claude'),
    openai: await agent('openai'),
    aiSdk: await agent('ai-sdk'),
    stranger: connect({ ...server, secret: strangerSecret }),
    server,
    strangerSecret,
  };
}
