/** Agents of both kinds over one store: an embedded one, and one that calls a server. */
import { type Agent, connect, type Embed, type ScopeInput } from '@agentkeep/client';
import { type Keep, openKeep } from '@agentkeep/core';
import { agentFor, bootstrapTenant } from '@agentkeep/core/operator';
import { createServer } from '@agentkeep/server';
import { testStore } from '@agentkeep/testkit/test-store';

/** The ways to get an agent. */
export const ways = ['embedded', 'HTTP'] as const;
export type Way = (typeof ways)[number];

/** The scope of the memories. */
export const scope: ScopeInput = { project_id: 'desk', agent_id: 'a', visibility: 'shared' };

/** An open keep and an agent of it. */
export interface Opened extends AsyncDisposable {
  readonly keep: Keep;
  readonly agent: Agent;
}

/** Opens a keep and an agent that may read and write the scope. The agent embeds with `embed`. */
export async function opened(way: Way, embed?: Embed): Promise<Opened> {
  const embedding = embed === undefined ? {} : { embed };
  const keep = await openKeep({ store: testStore(), ...(way === 'embedded' ? embedding : {}) });
  const agent = way === 'embedded' ? await embedded(keep) : await remote(keep, embedding);
  return { keep, agent, [Symbol.asyncDispose]: () => keep.close() };
}

function embedded(keep: Keep): Promise<Agent> {
  return agentFor(keep, { tenantId: 'acme', subjectId: 'helper', scopes: [scope] });
}

async function remote(keep: Keep, embedding: { embed?: Embed }): Promise<Agent> {
  const ops = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const administrator = await keep.authenticate(ops.secret);
  const { secret } = await administrator.credentials.issue({
    subject_id: 'helper',
    capabilities: ['memory_read', 'memory_write'],
    grants: [scope],
  });
  const { request: fetch } = createServer(keep);
  return connect({ url: 'http://localhost', secret, fetch, ...embedding });
}
