/** Shared by the tests of the audit log: keeps with chosen settings, and short forms of queries. */
import {
  type AuditEvent,
  type AuditOptions,
  type AuditPage,
  Keep,
  openKeep,
  operations,
  type Store,
  type TokenOptions,
} from '@agentkeep/core';
import { bootstrapTenant, embeddedInput, runtimeOf } from '@agentkeep/core/operator';
import { ManualClock, quickPasswords } from '@agentkeep/core/testing';
import { testStore } from '@agentkeep/testkit/test-store';
import type { ServerOptions } from '@agentkeep/server';
import { appOf, type Reply, send } from '../harness/http-driver.js';

/** A keep with one tenant behind an app, and its administrator. */
export class AuditFixture implements AsyncDisposable {
  readonly #app: ReturnType<typeof appOf>;
  readonly keep: Keep;
  readonly clock: ManualClock;
  readonly secret: string;
  readonly adminId: string;

  constructor(parts: {
    keep: Keep;
    clock: ManualClock;
    secret: string;
    adminId: string;
    server: ServerOptions;
  }) {
    this.#app = appOf(parts.keep, parts.server);
    this.keep = parts.keep;
    this.clock = parts.clock;
    this.secret = parts.secret;
    this.adminId = parts.adminId;
  }

  /** Sends a request with the administrator's proof, unless another one is given. */
  send(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    document?: unknown,
  ): Promise<Reply> {
    const proof = { Authorization: `Bearer ${this.secret}` };
    const typed = document === undefined ? {} : { 'Content-Type': 'application/json' };
    return send(this.#app, method, path, {
      headers: { ...proof, ...typed, ...headers },
      body: document === undefined ? undefined : JSON.stringify(document),
    });
  }

  /** Sends a request with exactly these headers. */
  sendBare(path: string, headers: Record<string, string>): Promise<Reply> {
    return send(this.#app, 'GET', path, { headers });
  }

  /** Returns events of the tenant, newest first. */
  async events(query = ''): Promise<AuditEvent[]> {
    const { status, body } = await this.send('GET', `/api/v1/audit-logs?limit=1000&${query}`);
    if (status !== 200) throw new Error(`The query was answered with ${status}.`);
    return (body as AuditPage).events;
  }

  /** Returns events of every authority, as a SuperAdmin of the installation sees them. */
  async allEvents(parameters: object = {}): Promise<AuditEvent[]> {
    const runtime = runtimeOf(this.keep);
    const { keep } = this;
    const parts = {
      sweepers: [],
      probe: { isUsable: () => keep.isReady() },
      backlog: { latest: keep.backlog() },
      waiting: () => keep.waiting(),
      closing: [],
    };
    const asGlobal = {
      ...runtime,
      authenticate: (...proof: Parameters<typeof runtime.authenticate>) => {
        const principal = runtime.authenticate(...proof);
        return principal && { ...principal, authority: { kind: 'global' as const } };
      },
    };
    const global = new Keep(asGlobal, parts);
    const source = embeddedInput({ parameters: { limit: 1_000, ...parameters } });
    const proof = { kind: 'bearer', token: this.secret } as const;
    return (await global.invoke(operations.queryAuditLogs, source, { proof })).events;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.keep.close();
  }
}

/** Settings of an audit fixture. */
export type AuditSettings = ServerOptions & {
  readonly store?: Store;
  readonly tokens?: TokenOptions;
};

/** Opens a keep and makes the tenant `acme` in it. */
export async function auditFixture(
  audit: AuditOptions = {},
  { store = testStore(), tokens = {}, ...server }: AuditSettings = {},
): Promise<AuditFixture> {
  const clock = new ManualClock();
  const keep = await openKeep({ store, clock, audit, passwords: quickPasswords, tokens });
  const made = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const { secret, credential } = made;
  return new AuditFixture({ keep, clock, secret, adminId: credential.id, server });
}
