/** Fixture of most tests: an in-memory keep, a manual clock and an administrator. */
import { type Keep, type KeepPorts, openKeep, type Store } from '@agentkeep/core';
import { bootstrapMaster, bootstrapTenant } from '@agentkeep/core/operator';
import { ManualClock, quickPasswords } from '@agentkeep/core/testing';
import { test } from 'vitest';
import { testStore } from '@agentkeep/testkit/test-store';
import { Caller, type Members } from './caller.js';
import { missionScope, scope, sharedScope } from './documents.js';
import { caseDrivers, drivers } from './drivers.js';
import { GlobalCaller } from './global-caller.js';
import type { Driver, Transport } from './transport.js';

/** Settings of a keep that a test may choose. */
export type KeepSettings = Omit<KeepPorts, 'clock'>;

/** One tenant with its keep, clock and administrator. */
export class Fixture implements AsyncDisposable {
  readonly keep: Keep;
  readonly store: Store;
  readonly driver: Driver;
  readonly clock: ManualClock;
  readonly transport: Transport;
  readonly admin: Caller;

  constructor(parts: Omit<Fixture, 'agent' | 'foreignAdmin' | 'master' | symbol>) {
    this.keep = parts.keep;
    this.store = parts.store;
    this.driver = parts.driver;
    this.clock = parts.clock;
    this.transport = parts.transport;
    this.admin = parts.admin;
  }

  /** Issues a credential that may read and write in the scopes of `documents.ts`, by default. */
  agent(members: Members = {}): Promise<Caller> {
    return this.admin.appoint({
      subject_id: 'alice',
      capabilities: ['memory_read', 'memory_write'],
      grants: [scope, sharedScope, missionScope],
      ...members,
    });
  }

  /** Returns the first administrator of another tenant in the same keep. */
  foreignAdmin(tenantId = 'other'): Promise<Caller> {
    return firstAdmin(this.keep, this.transport, tenantId);
  }

  /** Makes the master of the installation. */
  async master(subjectId = 'root'): Promise<GlobalCaller> {
    const { secret, credential } = await bootstrapMaster(this.keep, subjectId);
    return new GlobalCaller(this.transport, secret, credential);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.keep.close();
  }
}

/** Opens a keep over a store and makes a tenant in it. */
export async function tenant(
  driver: Driver,
  store: Store = testStore(),
  settings: KeepSettings = {},
): Promise<Fixture> {
  const clock = new ManualClock();
  const keep = await openKeep({ store, clock, passwords: quickPasswords, ...settings });
  const transport = driver.open(keep);
  const admin = await firstAdmin(keep, transport, 'acme');
  return new Fixture({ keep, store, driver, clock, transport, admin });
}

/** Declares a case of the contract on its {@link caseDrivers transports}. */
export function testCase(title: string, run: (fixture: Fixture) => Promise<void>): void {
  declare(caseDrivers(), title, run);
}

/** Declares a test that runs on both transports. */
export function bothWays(title: string, run: (fixture: Fixture) => Promise<void>): void {
  declare(drivers, title, run);
}

function declare(
  transports: readonly Driver[],
  title: string,
  run: (fixture: Fixture) => Promise<void>,
): void {
  for (const driver of transports) {
    test(`${title} (${driver.name})`, async () => {
      await using fixture = await tenant(driver);
      await run(fixture);
    });
  }
}

async function firstAdmin(keep: Keep, transport: Transport, tenantId: string): Promise<Caller> {
  const made = await bootstrapTenant(keep, { tenantId, subjectId: 'ops' });
  return new Caller(transport, made.secret, made.credential);
}
