/** Agents of both kinds over one store: an embedded one, and one that calls a server. */
import { type Agent, connect, type ScopeInput } from '@agentkeep/client';
import { type Keep, openKeep } from '@agentkeep/core';
import { agentFor, bootstrapTenant } from '@agentkeep/core/operator';
import { createServer } from '@agentkeep/server';
import { testStore } from '@agentkeep/testkit/test-store';

/** The ways to get an agent. */
export const ways = ['embedded', 'HTTP'] as const;
export type Way = (typeof ways)[number];

/** The scope of the files. */
export const scope: ScopeInput = { project_id: 'desk', agent_id: 'a', visibility: 'shared' };

/** An open keep and an agent of it. */
export interface Opened extends AsyncDisposable {
  readonly keep: Keep;
  readonly agent: Agent;
}

/** Opens a keep and an agent that may read and write the scope. */
export async function opened(way: Way): Promise<Opened> {
  const keep = await openKeep({ store: testStore() });
  const agent = way === 'embedded' ? await embedded(keep) : await remote(keep);
  return { keep, agent, [Symbol.asyncDispose]: () => keep.close() };
}

function embedded(keep: Keep): Promise<Agent> {
  return agentFor(keep, { tenantId: 'acme', subjectId: 'helper', scopes: [scope] });
}

async function remote(keep: Keep): Promise<Agent> {
  const ops = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const administrator = await keep.authenticate(ops.secret);
  const { secret } = await administrator.credentials.issue({
    subject_id: 'helper',
    capabilities: ['memory_read', 'memory_write'],
    grants: [scope],
  });
  return connect({ url: 'http://localhost', secret, fetch: createServer(keep).request });
}
