/**
 * The surroundings of a test about sessions: accounts beside the tenant of `fixture.ts`, and short
 * forms of the calls.
 * @module
 */
import { inMemoryStore, type OutputOf, type Store } from '@agentkeep/core';
import { createAdmin } from '@agentkeep/core/operator';
import { test } from 'vitest';
import { type Answer, result } from './answer.js';
import { drivers } from './drivers.js';
import { type Fixture, type KeepSettings, tenant } from './fixture.js';
import type { Driver } from './transport.js';

/** The password of every account here. */
export const PASSWORD = 'Correct-horse-1';

/** The tokens of a login. */
export type Login = OutputOf<'authLogin'>;

/** The keep of a fixture with the accounts `root` of the installation and `ann` of its tenant. */
export class Sessions {
  readonly t: Fixture;
  readonly #rootId: string;
  readonly #annId: string;

  constructor(t: Fixture, ids: { readonly root: string; readonly ann: string }) {
    this.t = t;
    this.#rootId = ids.root;
    this.#annId = ids.ann;
  }

  /** Account ids: `root` is SuperAdmin of the installation, `ann` Admin of the tenant `acme`. */
  get ids() {
    return { root: this.#rootId, ann: this.#annId };
  }

  /** A login as it is answered. */
  tryLogIn(
    username: string,
    tenantId?: string,
    password: string = PASSWORD,
  ): Promise<Answer<'authLogin'>> {
    const tenancy = tenantId === undefined ? {} : { tenant_id: tenantId };
    const document = { username, password, ...tenancy };
    return this.t.transport('authLogin', undefined, { document });
  }

  /** Tokens of a new session of `ann`. */
  async ann(): Promise<Login> {
    return result(await this.tryLogIn('ann', 'acme'));
  }

  /** Tokens of a new session of `root`. */
  async root(): Promise<Login> {
    return result(await this.tryLogIn('root'));
  }
}

/** Opens a keep with accounts. */
export async function sessions(
  driver: Driver,
  store: Store = inMemoryStore(),
  settings: KeepSettings = {},
): Promise<Sessions> {
  const t = await tenant(driver, store, settings);
  const root = await createAdmin(t.keep, { username: 'root', password: PASSWORD });
  const ann = await createAdmin(t.keep, {
    username: 'ann',
    password: PASSWORD,
    tenantId: 'acme',
    role: 'Admin',
    credentialId: t.admin.id,
  });
  return new Sessions(t, { root: root.id, ann: ann.id });
}

/** Declares a test that runs through every way in. */
export function withSessions(
  title: string,
  run: (sessions: Sessions) => Promise<void>,
  settings: KeepSettings = {},
): void {
  for (const driver of drivers) {
    test(`${title} (${driver.name})`, async () => {
      const opened = await sessions(driver, inMemoryStore(), settings);
      await using _ = opened.t;
      await run(opened);
    });
  }
}
