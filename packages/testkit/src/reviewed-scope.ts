/** A keep with a scope that requires review, for tests of adapters. */
import { type Agent, type Keep, openKeep, type ScopeInput } from '@agentkeep/core';
import { agentFor } from '@agentkeep/core/operator';
import { testStore } from './test-store.js';

/** A keep, and an agent whose writes in the scope wait for review. */
export interface ReviewedScope {
  readonly keep: Keep;
  readonly agent: Agent;
  readonly scope: ScopeInput;
}

/** Opens a keep in which a shared scope requires review. */
export async function reviewedScope(): Promise<ReviewedScope> {
  const scope: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'shared' };
  const keep = await openKeep({ store: testStore() });
  const of = { tenantId: 'acme', scopes: [scope] };
  const capabilities = ['credential_admin'] as const;
  const admin = await agentFor(keep, { ...of, subjectId: 'ops', capabilities });
  await admin.retention.set({ scope, expectedRevision: 0, review: 'required' }, {});
  const agent = await agentFor(keep, { ...of, subjectId: 'helper' });
  return { keep, agent, scope };
}
