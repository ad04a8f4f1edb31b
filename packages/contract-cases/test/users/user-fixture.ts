/**
 * Fixture of the tests of accounts: an administrator of the installation, one of a tenant, and
 * short forms of their calls.
 */
import { generateKeyPairSync } from 'node:crypto';
import { type AuditEvent, type OperationName } from '@agentkeep/core';
import { createAdmin } from '@agentkeep/core/operator';
import { test } from 'vitest';
import { testStore } from '@agentkeep/testkit/test-store';
import { type Answer, outcome, type Parts, result } from '../harness/answer.js';
import { caseDrivers } from '../harness/drivers.js';
import { type Fixture, type KeepSettings, tenant } from '../harness/fixture.js';
import type { Transport } from '../harness/transport.js';

/** A valid password, the default for all accounts. */
export const PASSWORD = 'Correct-Horse-7';

/** Another valid password. */
export const OTHER_PASSWORD = 'Battery.Staple8';

// Generated once, since that takes longer than most tests.
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });

const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** The key that signs the access tokens of accounts. */
export const tokens = { privateKeyPem };

/** The holder of a proof: an account or a credential. */
export class Party {
  readonly #transport: Transport;
  readonly token: string;
  /** Id of the account or credential. */
  readonly id: string;

  constructor(transport: Transport, token: string, id: string) {
    this.#transport = transport;
    this.token = token;
    this.id = id;
  }

  call<N extends OperationName>(name: N, parts: Parts = {}): Promise<Answer<N>> {
    return this.#transport(name, this.token, parts);
  }

  /** Returns the outcome of a call in short. */
  async outcome(name: OperationName, parts: Parts = {}): Promise<string> {
    return outcome(await this.call(name, parts));
  }

  create(document: unknown, parameters: object = {}): Promise<Answer<'createUser'>> {
    return this.call('createUser', { document, parameters });
  }

  get(id: unknown, parameters: object = {}): Promise<Answer<'getUser'>> {
    return this.call('getUser', { id, parameters });
  }

  update(id: unknown, document: unknown, parameters: object = {}): Promise<Answer<'updateUser'>> {
    return this.call('updateUser', { id, document, parameters });
  }

  delete(id: unknown, parameters: object = {}): Promise<Answer<'deleteUser'>> {
    return this.call('deleteUser', { id, parameters });
  }

  setRoles(id: unknown, roles: unknown): Promise<Answer<'setUserRoles'>> {
    return this.call('setUserRoles', { id, document: { roles } });
  }

  list(parameters: object = {}): Promise<Answer<'listUsers'>> {
    return this.call('listUsers', { parameters });
  }

  reset(id: unknown, new_password: unknown): Promise<Answer<'resetPassword'>> {
    return this.call('resetPassword', { id, document: { new_password } });
  }

  changePassword(
    current_password: unknown,
    new_password: unknown,
  ): Promise<Answer<'changeOwnPassword'>> {
    return this.call('changeOwnPassword', { document: { current_password, new_password } });
  }

  /** Whether the proof is still valid: reads its own record. */
  async isAlive(): Promise<boolean> {
    return (await this.outcome('getUser', { id: this.id })) !== '401 unauthorized';
  }

  /** Returns the usernames of the first page. */
  async usernames(parameters: object = {}): Promise<string[]> {
    return result(await this.list(parameters)).users.map(({ username }) => username);
  }

  /** Returns the visible events, oldest first. */
  async events(parameters: object = {}): Promise<AuditEvent[]> {
    const answer = await this.call('queryAuditLogs', {
      parameters: { limit: 1_000, ...parameters },
    });
    return result(answer).events.toReversed();
  }
}

/** An installation with a tenant. */
export class UserFixture implements AsyncDisposable {
  readonly fixture: Fixture;
  /** SuperAdmin of the installation. */
  readonly root: Party;
  /** The credential of the tenant's administrator. */
  readonly tenantAdmin: Party;
  /** SuperAdmin of the tenant. */
  readonly chief: Party;

  constructor(fixture: Fixture, parties: Pick<UserFixture, 'root' | 'tenantAdmin' | 'chief'>) {
    this.fixture = fixture;
    this.root = parties.root;
    this.tenantAdmin = parties.tenantAdmin;
    this.chief = parties.chief;
  }

  /** Makes an account of the installation and logs it in. */
  async person(username: string, members: object = {}): Promise<Party> {
    const document = { username, password: PASSWORD, ...members };
    result(await this.root.create(document));
    return this.login(username);
  }

  /** Makes an account of the tenant and logs it in. */
  async member(username: string, members: object = {}): Promise<Party> {
    const document = { username, password: PASSWORD, ...members };
    result(await this.chief.create(document));
    return this.login(username, { tenant_id: 'acme' });
  }

  /** Logs in, with the default password unless another is given. */
  login(username: string, members: object = {}): Promise<Party> {
    return loggedIn(this.fixture.transport, { username, ...members });
  }

  /** Returns the outcome of a login. */
  async loginOutcome(username: string, password: string = PASSWORD): Promise<string> {
    const document = { username, password };
    return outcome(await this.fixture.transport('authLogin', undefined, { document }));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.fixture[Symbol.asyncDispose]();
  }
}

/** Declares a case of accounts on its transports. */
export function withUsers(
  title: string,
  run: (users: UserFixture) => Promise<void>,
  settings: KeepSettings = {},
): void {
  for (const driver of caseDrivers()) {
    test(`${title} (${driver.name})`, async () => {
      await using fixture = await tenant(driver, testStore(), { tokens, ...settings });
      await run(await usersOf(fixture));
    });
  }
}

async function usersOf(fixture: Fixture): Promise<UserFixture> {
  const { keep, transport, admin } = fixture;
  await createAdmin(keep, { username: 'root', password: PASSWORD });
  await createAdmin(keep, { username: 'chief', password: PASSWORD, tenantId: 'acme' });
  return new UserFixture(fixture, {
    root: await loggedIn(transport, { username: 'root' }),
    chief: await loggedIn(transport, { username: 'chief', tenant_id: 'acme' }),
    tenantAdmin: new Party(transport, admin.token, admin.id),
  });
}

async function loggedIn(transport: Transport, members: object): Promise<Party> {
  const document = { password: PASSWORD, ...members };
  const session = result(await transport('authLogin', undefined, { document }));
  return new Party(transport, session.access_token, session.user_id);
}
