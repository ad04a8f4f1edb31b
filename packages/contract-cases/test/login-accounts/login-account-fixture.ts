/**
 * Fixture of the tests of login accounts: the accounts of a tenant or of the installation, with an
 * administrator and short forms of every call.
 */
import { type AuditEvent, type OperationName, type Store } from '@agentkeep/core';
import { createAdmin, type LoginAccount, type NewAdmin } from '@agentkeep/core/operator';
import { test } from 'vitest';
import { testStore } from '@agentkeep/testkit/test-store';
import { type Answer, outcome, type Parts, result } from '../harness/answer.js';
import type { Members } from '../harness/caller.js';
import { caseDrivers, drivers } from '../harness/drivers.js';
import { type Fixture, tenant } from '../harness/fixture.js';
import { Gate, gated } from '../harness/gate.js';
import type { Driver } from '../harness/transport.js';
import { PASSWORD, tokens } from '../sessions/session-fixture.js';

export { PASSWORD };

/** Another valid password. */
export const OTHER_PASSWORD = 'Battery.Staple8';

/** The response to a login that reveals nothing more. */
export const lost = '401 invalid_login';

/** The operations of each authority. */
const views = {
  tenant: {
    create: 'createTenantLoginAccount',
    inspect: 'inspectTenantLoginAccount',
    password: 'changePasswordTenantLoginAccount',
    disable: 'disableTenantLoginAccount',
    list: 'listTenantLoginAccounts',
    login: 'loginTenant',
    identity: 'whoAmI',
    issueKey: 'issueCredential',
    rotateKey: 'rotateCredential',
    revokeKey: 'revokeCredential',
  },
  global: {
    create: 'createGlobalLoginAccount',
    inspect: 'inspectGlobalLoginAccount',
    password: 'changePasswordGlobalLoginAccount',
    disable: 'disableGlobalLoginAccount',
    list: 'listGlobalLoginAccounts',
    login: 'loginGlobal',
    identity: 'globalIdentity',
    issueKey: 'issueGlobalCredential',
    rotateKey: 'rotateGlobalCredential',
    revokeKey: 'revokeGlobalCredential',
  },
} as const satisfies Record<string, Record<string, OperationName>>;

/** The two authorities of accounts. */
export type Kind = keyof typeof views;

/** The members of a credential that accounts need. */
export interface Key {
  readonly id: string;
  readonly token: string;
}

/** The holder of a token. */
export interface Holder {
  readonly token: string;
}

const version = { contract_version: 1 };

/** The login accounts of one authority. */
export class View implements AsyncDisposable {
  readonly t: Fixture;
  readonly kind: Kind;
  readonly names: (typeof views)[Kind];
  /** Has every right over the accounts: the master, or the first credential of the tenant. */
  readonly admin: Key;

  constructor(t: Fixture, kind: Kind, admin: Key) {
    this.t = t;
    this.kind = kind;
    this.names = views[kind];
    this.admin = admin;
  }

  /** The tenant member of a login document. */
  get tenancy(): Members {
    return this.kind === 'tenant' ? { tenant_id: 'acme' } : {};
  }

  call<N extends OperationName>(
    name: N,
    parts: Parts = {},
    by: Holder = this.admin,
  ): Promise<Answer<N>> {
    return this.t.transport(name, by.token, parts);
  }

  /** Returns the outcome of a call in short. */
  async outcome(name: OperationName, parts: Parts = {}, by: Holder = this.admin): Promise<string> {
    return outcome(await this.call(name, parts, by));
  }

  create(members: Members, by?: Holder) {
    const document = { ...version, password: PASSWORD, ...members };
    return this.call(this.names.create, { document }, by);
  }

  inspect(id: unknown, by?: Holder) {
    return this.call(this.names.inspect, { id }, by);
  }

  password(id: unknown, expected_revision: unknown, password: unknown, by?: Holder) {
    const document = { ...version, expected_revision, password };
    return this.call(this.names.password, { id, document }, by);
  }

  disable(id: unknown, expected_revision: unknown, by?: Holder) {
    return this.call(this.names.disable, { id, document: { ...version, expected_revision } }, by);
  }

  list(parameters: Members = {}, by?: Holder) {
    return this.call(this.names.list, { parameters: { ...version, ...parameters } }, by);
  }

  /** Logs in on the platform surface; returns the response. */
  login(username: unknown, password: unknown = PASSWORD, members: Members = {}) {
    const document = { ...version, ...this.tenancy, username, password, ...members };
    return this.t.transport(this.names.login, undefined, { document });
  }

  /** Logs in on the account surface; returns the response. */
  authLogin(username: string, password = PASSWORD) {
    const document = { ...this.tenancy, username, password };
    return this.t.transport('authLogin', undefined, { document });
  }

  /** Makes an account. */
  async made(username: string, { id: credential_id }: Key): Promise<LoginAccount> {
    return result(await this.create({ username, credential_id })).account;
  }

  /** Makes an account with an administrator's role, as a local operator. */
  admins(username: string, members: Partial<NewAdmin> = {}): Promise<LoginAccount> {
    const tenancy = this.kind === 'tenant' ? { tenantId: 'acme' } : {};
    return createAdmin(this.t.keep, { username, password: PASSWORD, ...tenancy, ...members });
  }

  /** Logs in; returns the holder of the opaque session token. */
  async session(username: string, password?: string): Promise<Holder> {
    return { token: result(await this.login(username, password)).session.token };
  }

  /** Logs in; returns the holder of the access token. */
  async jwt(username: string, password?: string): Promise<Holder> {
    return { token: result(await this.authLogin(username, password)).access_token };
  }

  /** Makes an API key of a logged-in account. */
  async apiKey(by: Holder): Promise<Holder> {
    const { key } = result(await this.call('createApiKey', { document: { name: 'ci' } }, by));
    return { token: key };
  }

  /** Issues a credential of this authority, by default without administrative rights. */
  async key(members: Members = {}): Promise<Key> {
    const usual =
      this.kind === 'tenant'
        ? { subject_id: 'bot', capabilities: ['memory_read'], grants: [] }
        : { subject_id: 'bot', capabilities: ['tenant_inspect'] };
    const document = { ...version, spec: { ...usual, ...members } };
    const made = result(await this.call(this.names.issueKey, { document }));
    return { id: made.credential.id, token: made.secret };
  }

  /** Issues a credential with every right that can be delegated. */
  full(): Promise<Key> {
    const capabilities =
      this.kind === 'tenant'
        ? ['policy_admin', 'credential_admin']
        : ['tenant_create', 'tenant_inspect', 'tenant_admin', 'global_credential_admin'];
    return this.key({ capabilities });
  }

  rotate({ id }: Pick<Key, 'id'>, expected_revision = 1, by?: Holder) {
    return this.call(this.names.rotateKey, { id, document: { ...version, expected_revision } }, by);
  }

  revoke({ id }: Pick<Key, 'id'>, expected_revision = 1, by?: Holder) {
    return this.call(this.names.revokeKey, { id, document: { ...version, expected_revision } }, by);
  }

  /** Returns the outcome of the simplest call on the authority's own routes. */
  identity(by: Holder): Promise<string> {
    return this.outcome(this.names.identity, {}, by);
  }

  /** Makes a SuperAdmin of the authority; returns the holder of its access token. */
  async root(): Promise<Holder> {
    await this.admins('root');
    return this.jwt('root');
  }

  /** Makes an account bound to a new credential, and a session of it. */
  async opened(members: Members = {}) {
    const key = await this.key(members);
    const ann = await this.made('ann', key);
    return { key, ann, session: await this.session('ann') };
  }

  /** Returns the account as its administrator sees it. */
  async account({ id }: Pick<LoginAccount, 'id'>): Promise<LoginAccount> {
    return result(await this.inspect(id)).account;
  }

  /** Returns events of the authority, oldest first. */
  async events(event_type: AuditEvent['event_type']): Promise<AuditEvent[]> {
    const parameters = { event_type, limit: 1_000 };
    const { events } = result(await this.call('queryAuditLogs', { parameters }));
    const tenantId = this.kind === 'tenant' ? 'acme' : null;
    return events.filter(({ tenant_id }) => tenant_id === tenantId).toReversed();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.t[Symbol.asyncDispose]();
  }
}

/** Opens a keep with the accounts of one authority. */
export async function viewOf(
  driver: (typeof drivers)[number],
  kind: Kind,
  store: Store = testStore(),
): Promise<View> {
  const t = await tenant(driver, store, { tokens });
  const admin = kind === 'tenant' ? t.admin : await t.master();
  return new View(t, kind, { id: admin.id, token: admin.token });
}

/** Declares a case for both authorities on its transports. */
export function inBothViews(
  title: string,
  run: (view: View) => Promise<void>,
  transports?: readonly Driver[],
): void {
  for (const kind of ['tenant', 'global'] as const) inView(kind, title, run, transports);
}

/** Declares a case for one authority on its transports. */
export function inView(
  kind: Kind,
  title: string,
  run: (view: View) => Promise<void>,
  transports = caseDrivers(),
): void {
  for (const driver of transports) {
    test(`${title} (${kind}, ${driver.name})`, async () => {
      await using view = await viewOf(driver, kind);
      await run(view);
    });
  }
}

/** Declares a test for both authorities, over a store that lets it act before a commit. */
export function raceInBothViews(
  title: string,
  run: (view: View, gate: Gate) => Promise<void>,
): void {
  for (const kind of ['tenant', 'global'] as const) {
    for (const driver of drivers) {
      test(`${title} (${kind}, ${driver.name})`, async () => {
        using gate = new Gate();
        await using view = await viewOf(driver, kind, gated(gate));
        await run(view, gate);
      });
    }
  }
}
