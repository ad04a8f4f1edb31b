/**
 * Shared by the tests of API keys: logged-in accounts, and short forms of the calls on both paths.
 */
import type { ApiKey, CreatedApiKey } from '@agentkeep/core';
import { createAdmin } from '@agentkeep/core/operator';
import { type Answer, outcome, result } from '../harness/answer.js';
import type { Caller, Members } from '../harness/caller.js';
import { PASSWORD, type Sessions } from '../sessions/session-fixture.js';

/** The operations of each path. */
export const bothPaths = [
  { path: '/api/v1/keys', create: 'createApiKey', list: 'listApiKeys', remove: 'deleteApiKey' },
  {
    path: '/api/v1/api-keys',
    create: 'createApiKeyAlias',
    list: 'listApiKeysAlias',
    remove: 'deleteApiKeyAlias',
  },
] as const;

/** The operations of one path. */
export type KeyPath = (typeof bothPaths)[number];

/** A proof with the calls on API keys. */
export class KeyHolder {
  readonly caller: Caller;
  readonly #path: KeyPath;

  constructor(caller: Caller, path: KeyPath) {
    this.caller = caller;
    this.#path = path;
  }

  /** The same calls with another proof. */
  with(token: string): KeyHolder {
    return new KeyHolder(this.caller.with(token), this.#path);
  }

  create(document: unknown): Promise<Answer<KeyPath['create']>> {
    return this.caller.call(this.#path.create, { document });
  }

  list(parameters: Members = {}): Promise<Answer<KeyPath['list']>> {
    return this.caller.call(this.#path.list, { parameters });
  }

  remove(id: unknown): Promise<Answer<KeyPath['remove']>> {
    return this.caller.call(this.#path.remove, { id });
  }

  /** Creates a key. */
  async made(members: Members = {}): Promise<CreatedApiKey> {
    return result(await this.create({ name: 'ci', ...members }));
  }

  /** Lists the keys. */
  async keys(parameters: Members = {}): Promise<ApiKey[]> {
    return result(await this.list(parameters)).keys;
  }

  /** Returns the outcome of a call on the account surface with this proof. */
  async outcome(): Promise<string> {
    return outcome(await this.list());
  }
}

/** Logs an account in. */
export async function keyHolder(
  s: Sessions,
  username: string,
  tenantId?: string,
  path: KeyPath = bothPaths[0],
): Promise<KeyHolder> {
  const { access_token } = result(await s.tryLogIn(username, tenantId));
  return new KeyHolder(s.t.admin.with(access_token), path);
}

/** Makes an account of the tenant and logs it in. */
export async function newKeyHolder(
  s: Sessions,
  username: string,
  credentialId?: string,
  path: KeyPath = bothPaths[0],
): Promise<KeyHolder> {
  const account = { username, password: PASSWORD, tenantId: 'acme', role: 'Admin' } as const;
  await createAdmin(s.t.keep, { ...account, credentialId });
  return keyHolder(s, username, 'acme', path);
}
