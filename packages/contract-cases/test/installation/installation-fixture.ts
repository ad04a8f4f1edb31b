/**
 * Fixture of tests about the whole installation: a keep with its stored rate limits in force, and
 * callers that log in.
 */
import { generateKeyPairSync } from 'node:crypto';
import {
  type AuditEvent,
  type Keep,
  openKeep,
  type OperationName,
  type Store,
} from '@agentkeep/core';
import { bootstrapTenant, createAdmin, type NewAdmin } from '@agentkeep/core/operator';
import { ManualClock, quickPasswords } from '@agentkeep/core/testing';
import { test } from 'vitest';
import { testStore } from '@agentkeep/testkit/test-store';
import { type AgentkeepApp, createServer } from '@agentkeep/server';
import { type Answer, type Parts, result } from '../harness/answer.js';
import { caseDrivers } from '../harness/drivers.js';
import { type Reply, send, type Sending } from '../harness/http-driver.js';
import type { Driver, Transport } from '../harness/transport.js';

const PASSWORD = 'Correct-horse-battery-7';

/** One key for all tests, since generating one takes longer than most tests. */
const privateKeyPem = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  .privateKey.export({ format: 'pem', type: 'pkcs8' })
  .toString();

/** The holder of a token. */
export class Party {
  readonly #transport: Transport;
  readonly token: string;
  /** Id of its account or credential. */
  readonly id: string;

  constructor(transport: Transport, token: string, id: string) {
    this.#transport = transport;
    this.token = token;
    this.id = id;
  }

  call<N extends OperationName>(name: N, parts: Parts = {}): Promise<Answer<N>> {
    return this.#transport(name, this.token, parts);
  }

  /** The header with its token. */
  get proof(): Record<string, string> {
    return { Authorization: `Bearer ${this.token}` };
  }
}

/** An installation with the tenant `acme`. */
export class Installation implements AsyncDisposable {
  readonly keep: Keep;
  readonly clock: ManualClock;
  readonly transport: Transport;
  /** A SuperAdmin of the installation. */
  readonly admin: Party;
  /** The first credential of the tenant; it holds `credential_admin`. */
  readonly tenantAdmin: Party;
  readonly #app: AgentkeepApp;

  constructor(parts: Pick<Installation, 'keep' | 'clock' | 'transport' | 'admin' | 'tenantAdmin'>) {
    this.keep = parts.keep;
    this.clock = parts.clock;
    this.transport = parts.transport;
    this.admin = parts.admin;
    this.tenantAdmin = parts.tenantAdmin;
    this.#app = createServer(parts.keep);
  }

  /** Makes an administrator and logs it in. */
  account(admin: Omit<NewAdmin, 'password'>): Promise<Party> {
    return loggedIn(this.keep, this.transport, admin);
  }

  /** Sends a request to an app that applies the stored rate limit policies. */
  send(method: string, path: string, sending?: Sending): Promise<Reply> {
    return send(this.#app, method, path, sending);
  }

  /** Returns events of all authorities with this action, newest first. */
  async events(action: string): Promise<AuditEvent[]> {
    return result(await this.admin.call('queryAuditLogs', { parameters: { action } })).events;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.keep.close();
  }
}

/** The store of an installation, and the names of its accounts. */
interface Site {
  readonly store?: Store;
  readonly username?: string;
  readonly tenantId?: string;
}

/** Opens an installation and makes its administrators; over a used store it makes new ones. */
export async function installation(
  driver: Driver,
  { store = testStore(), username = 'root', tenantId = 'acme' }: Site = {},
): Promise<Installation> {
  const clock = new ManualClock();
  const tokens = { privateKeyPem };
  const keep = await openKeep({ store, clock, passwords: quickPasswords, tokens });
  const transport = driver.open(keep);
  const admin = await loggedIn(keep, transport, { username });
  const made = await bootstrapTenant(keep, { tenantId, subjectId: 'ops' });
  const tenantAdmin = new Party(transport, made.secret, made.credential.id);
  return new Installation({ keep, clock, transport, admin, tenantAdmin });
}

/** Declares a case of an installation on its transports. */
export function masterCase(title: string, run: (on: Installation) => Promise<void>): void {
  for (const driver of caseDrivers()) {
    test(`${title} (${driver.name})`, async () => {
      await using on = await installation(driver);
      await run(on);
    });
  }
}

async function loggedIn(
  keep: Keep,
  transport: Transport,
  admin: Omit<NewAdmin, 'password'>,
): Promise<Party> {
  const { username, tenantId } = admin;
  const { id } = await createAdmin(keep, { ...admin, password: PASSWORD });
  const tenant = tenantId === undefined ? {} : { tenant_id: tenantId };
  const document = { username, password: PASSWORD, ...tenant };
  const { access_token } = result(await transport('authLogin', undefined, { document }));
  return new Party(transport, access_token, id);
}
