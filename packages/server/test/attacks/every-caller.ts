/** A tenant with a caller for every operation, over a store that counts. */
import { capabilities, type OperationName } from '@agentkeep/core';
import { createAdmin } from '@agentkeep/core/operator';
import { missionScope, scope, sharedScope } from '@agentkeep/contract-cases/documents';
import { type Fixture, tenant } from '@agentkeep/contract-cases/fixture';
import type { Driver } from '@agentkeep/contract-cases/transport';
import { PASSWORD } from '@agentkeep/contract-cases/user-fixture';
import { countingStore, type Work } from './counting-store.js';
import { operationOf } from './every-call.js';

/** A tenant, its counters and its callers. */
export interface Surroundings {
  readonly t: Fixture;
  readonly taken: () => Work;
  /** Returns the token of a caller with the right to an operation. */
  readonly tokenFor: (name: OperationName) => string | undefined;
}

/** Opens a tenant. */
export async function open(driver: Driver): Promise<Surroundings> {
  const { store, taken } = countingStore();
  const t = await tenant(driver, store, { audit: { enabled: false } });
  const grants = [scope, sharedScope, missionScope];
  const held = capabilities.filter((each) => each !== 'credential_admin');
  const agent = await t.agent({ capabilities: held, grants });
  const admin = await t.agent({ capabilities, grants });
  const master = await t.master();
  await createAdmin(t.keep, { username: 'root', password: PASSWORD });
  const document = { username: 'root', password: PASSWORD };
  const login = await t.transport('authLogin', undefined, { document });
  const root = (login.body as { access_token: string }).access_token;
  const tokenFor = (name: OperationName): string | undefined => {
    const operation = operationOf(name);
    switch (operation.kind) {
      case 'public':
        return undefined;
      case 'installation':
        return master.token;
      case 'account':
        return root;
      case 'tenant':
        return operation.requires.capability === 'credential_admin' ? admin.token : agent.token;
    }
  };
  return { t, taken, tokenFor };
}
