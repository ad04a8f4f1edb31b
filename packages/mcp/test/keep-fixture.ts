/** A keep with the secrets of agents, and the two ways to get an agent of it. */
import { type Agent, connect } from '@agentkeep/client';
import {
  capabilities,
  type Capability,
  type Keep,
  openKeep,
  type ScopeInput,
} from '@agentkeep/core';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { quickPasswords } from '@agentkeep/core/testing';
import { createServer } from '@agentkeep/server';
import { testStore } from '@agentkeep/testkit/test-store';

/** The scope that agents of a fixture may use. */
export const scope: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'shared' };

/** Another one, for agents with several. */
export const otherScope: ScopeInput = { project_id: 'q', agent_id: 'a', visibility: 'shared' };

/** How the agents of a test reach the keep. */
export type Way = 'embedded' | 'HTTP';

/** Both ways; every behaviour is the same on them. */
export const ways: readonly Way[] = ['embedded', 'HTTP'];

/** A keep in memory, closed at the end of an `await using` block. */
export interface KeepFixture extends AsyncDisposable {
  readonly keep: Keep;
  /** Proves a secret and returns its agent. */
  readonly authenticate: (secret: string) => Promise<Agent>;
  /** Issues the secret of another agent. */
  readonly issue: (
    subjectId: string,
    scopes?: readonly ScopeInput[],
    held?: readonly Capability[],
  ) => Promise<string>;
  /** Takes the authority of a secret away. */
  readonly revoke: (secret: string) => Promise<void>;
  /** Pauses an agent, or lets it go on. */
  readonly pause: (subjectId: string, isPaused: boolean) => Promise<void>;
}

/** Opens a keep whose agents are embedded or remote. */
export async function keepFixture(way: Way): Promise<KeepFixture> {
  const keep = await openKeep({ store: testStore(), passwords: quickPasswords });
  const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const admin = await keep.authenticate(secret);
  const app = createServer(keep);
  const authenticate = async (proof: string): Promise<Agent> => {
    if (way === 'embedded') return keep.authenticate(proof);
    const agent = connect({ url: 'http://localhost', secret: proof, fetch: app.request });
    await agent.whoAmI();
    return agent;
  };
  return {
    keep,
    authenticate,
    issue: async (subjectId, scopes = [scope], held = capabilities) => {
      const grants = scopes.map((each) => ({ ...each, mission_id: each.mission_id ?? null }));
      const spec = { subject_id: subjectId, capabilities: [...held], grants };
      return (await admin.credentials.issue(spec)).secret;
    },
    revoke: async (proof) => {
      const { id, revision } = await (await keep.authenticate(proof)).whoAmI();
      await admin.credentials.revoke(id, revision);
    },
    pause: async (subjectId, isPaused) => {
      await (isPaused ? admin.subjects.pause(subjectId) : admin.subjects.resume(subjectId));
    },
    [Symbol.asyncDispose]: () => keep.close(),
  };
}
