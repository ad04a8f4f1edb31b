/**
 * Fixtures for tests of logins: a store in memory, a manual clock, free password hashing, and the
 * stored events.
 */
import { CountedHasher, passwords } from '../src/kernel/ports/counted-hasher.js';
import { answeredPorts } from '../src/kernel/ports/port.js';
import { auditSettings } from '../src/kernel/audit-log/audit-options.js';
import { rawBlockFrom } from '../src/kernel/audit-log/audit-store.js';
import { showEvent } from '../src/kernel/audit-log/search-events.js';
import type { AuditEvent } from '../src/kernel/audit-log/schema.js';
import { openAuditOver } from './audit-kit.js';
import type { LoginAttempt, LoginSubject } from '../src/domains/people/lockout/check-login.js';
import type { PasswordHasher } from '../src/kernel/ports/password-hasher.js';
import { systemEntropy } from '../src/kernel/ports/entropy.js';
import { uuidV7Generator } from '../src/kernel/ports/ids.js';
import { storeOver } from '../src/storage/store-testing/store-over.js';
import type { Store } from '../src/storage/store/store.js';
import { insertTenant } from '../src/domains/tenancy/tenant/tenant-store.js';
import { ManualClock } from '../src/testing/manual-clock.js';
import { testStore } from '@agentkeep/testkit/test-store';

/** A hasher that stores passwords in plain text and waits while a test holds it. */
export class PlainHasher implements PasswordHasher {
  /** Number of checked passwords. */
  calls = 0;
  #held: Promise<void> | undefined;

  hash(password: string): Promise<string> {
    return Promise.resolve(`plain ${password}`);
  }

  async verify(stored: string | undefined, password: string): Promise<boolean> {
    this.calls += 1;
    await this.#held;
    return stored === `plain ${password}`;
  }

  /** Blocks all checks until the returned function is called. */
  hold(): () => void {
    let release = (): void => undefined;
    this.#held = new Promise((resolve) => {
      release = resolve;
    });
    return () => {
      this.#held = undefined;
      release();
    };
  }
}

/** Creates the fixtures of a test of logins. */
export function openLogins(store: Store = testStore()) {
  const clock = new ManualClock();
  const newId = uuidV7Generator(clock, systemEntropy);
  const settings = auditSettings({});
  const { store: recording, audit } = openAuditOver(store, clock, settings);
  const followed = storeOver(store, { transact: (body) => recording.transact(body) });
  const hasher = new PlainHasher();
  const ports = answeredPorts(passwords.answeredBy(new CountedHasher(hasher)));
  return { store: followed, clock, newId, audit, ports, passwords: hasher };
}

/** The fixtures of {@link openLogins}. */
export type Logins = ReturnType<typeof openLogins>;

/** Creates a tenant, so that it has its own chain of events. */
export function makeTenant({ store }: Logins, tenantId: string): Promise<void> {
  const tenant = { tenantId, createdAtMillis: 0, initialAdminId: tenantId, registered: null };
  return store.transact((tx) => {
    insertTenant(tx, tenant);
  });
}

/** Returns an attempt for an account with the password `right`; `succeed` returns the time. */
export function attempt(
  members: Partial<LoginAttempt<LoginSubject, number>> = {},
): LoginAttempt<LoginSubject, number> {
  const account = { accountId: 'ann-id', passwordHash: 'plain right', mayLogIn: true };
  return {
    authority: '',
    username: 'ann',
    password: 'wrong',
    origin: { ipAddress: '192.0.2.1', userAgent: 'test', requestId: undefined, traceId: undefined },
    find: () => account,
    succeed: (_tx, _found, nowMs) => nowMs,
    ...members,
  };
}

/** Returns all events of an authority in the order in which they were stored. */
export function eventsOf(
  { store }: { readonly store: Pick<Store, 'read'> },
  authority = '',
): Promise<AuditEvent[]> {
  return store.read((tx) => {
    const events: AuditEvent[] = [];
    for (;;) {
      const raw = rawBlockFrom(tx, authority, events.length);
      if (raw?.block === undefined) return events;
      const { recordedAtMillis } = raw.block;
      for (const [, fields] of raw.block.events) {
        events.push(showEvent({ authority, recordedAtMillis, fields }));
      }
    }
  });
}
