/**
 * Fixture of the tests of sessions: accounts beside the tenant of `fixture.ts`, and short forms of
 * the calls.
 */
import { generateKeyPairSync } from 'node:crypto';
import type { Store, TokenOptions } from '@agentkeep/core';
import type { OutputOf } from '@agentkeep/core/clients';
import { createAdmin } from '@agentkeep/core/operator';
import { test } from 'vitest';
import { testStore } from '@agentkeep/testkit/test-store';
import { type Answer, result } from '../harness/answer.js';
import { caseDrivers } from '../harness/drivers.js';
import { type Fixture, type KeepSettings, tenant } from '../harness/fixture.js';
import type { Driver } from '../harness/transport.js';

/** The password of all accounts here. */
export const PASSWORD = 'Correct-horse-1';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });

/** Generated once per file, because generating a key for each keep is slow. */
export const tokens: TokenOptions = {
  privateKeyPem: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
};

/** The tokens of a login. */
export type Login = OutputOf<'authLogin'>;

/**
 * A keep with three accounts: `root`, SuperAdmin of the installation; `sue` and `ann`, SuperAdmin
 * and Admin of its tenant. Only `ann` is bound to a credential, the administrator's.
 */
export class Sessions {
  readonly t: Fixture;
  /** Account ids by name. */
  readonly ids: Readonly<Record<'root' | 'sue' | 'ann', string>>;

  constructor(t: Fixture, ids: Sessions['ids']) {
    this.t = t;
    this.ids = ids;
  }

  /** Logs in; returns the response. */
  tryLogIn(
    username: string,
    tenantId?: string,
    password: string = PASSWORD,
  ): Promise<Answer<'authLogin'>> {
    const tenancy = tenantId === undefined ? {} : { tenant_id: tenantId };
    const document = { username, password, ...tenancy };
    return this.t.transport('authLogin', undefined, { document });
  }

  /** Returns the tokens of a new session, by default of `ann`. */
  async logIn(username: keyof Sessions['ids'] = 'ann'): Promise<Login> {
    return result(await this.tryLogIn(username, username === 'root' ? undefined : 'acme'));
  }
}

/** Opens a keep with accounts. */
export async function sessions(
  driver: Driver,
  store: Store = testStore(),
  settings: KeepSettings = {},
): Promise<Sessions> {
  const t = await tenant(driver, store, { tokens, ...settings });
  const root = await createAdmin(t.keep, { username: 'root', password: PASSWORD });
  const ann = await createAdmin(t.keep, {
    username: 'ann',
    password: PASSWORD,
    tenantId: 'acme',
    role: 'Admin',
    credentialId: t.admin.id,
  });
  const sue = await createAdmin(t.keep, { username: 'sue', password: PASSWORD, tenantId: 'acme' });
  return new Sessions(t, { root: root.id, sue: sue.id, ann: ann.id });
}

/** Declares a case of sessions on its transports. */
export function withSessions(
  title: string,
  run: (sessions: Sessions) => Promise<void>,
  settings: KeepSettings = {},
): void {
  for (const driver of caseDrivers()) {
    test(`${title} (${driver.name})`, async () => {
      const opened = await sessions(driver, testStore(), settings);
      try {
        await run(opened);
      } finally {
        await opened.t.keep.close();
      }
    });
  }
}
