/**
 * Fixture of the tests of lockouts: the accounts of `session-fixture.ts`, and short forms of failed
 * logins and of the lockout operations. Defaults: the name `ann` and the tenant `acme`.
 */
import type { AuditEvent, LockoutStatus } from '@agentkeep/core';
import type { ManualClock } from '@agentkeep/core/testing';
import { type Answer, result } from '../harness/answer.js';
import type { Caller, Members } from '../harness/caller.js';
import { PASSWORD, type Sessions, withSessions } from '../sessions/session-fixture.js';

/** Calls of a lockout administrator. */
export class Lockouts {
  readonly s: Sessions;
  /** The administrator of the tenant, not a SuperAdmin. */
  readonly admin: Caller;

  constructor(s: Sessions) {
    this.s = s;
    this.admin = s.t.admin;
  }

  get clock(): ManualClock {
    return this.s.t.clock;
  }

  /** `root`, SuperAdmin of the installation, in a new session. */
  async root(): Promise<Caller> {
    return this.admin.with((await this.s.logIn('root')).access_token);
  }

  logIn(
    password = PASSWORD,
    username = 'ann',
    tenantId: string | undefined = 'acme',
  ): Promise<Answer<'authLogin'>> {
    return this.s.tryLogIn(username, tenantId, password);
  }

  /** Fails logins; returns the last response. */
  async fail(times = 1, username = 'ann'): Promise<Answer<'authLogin'>> {
    for (let left = times; left > 1; left -= 1) await this.logIn('wrong', username);
    return this.logIn('wrong', username);
  }

  async status(username = 'ann'): Promise<LockoutStatus> {
    const shown = result(await this.admin.call('getLockout', { id: username }));
    return shown.status;
  }

  list(parameters: Members = {}): Promise<Answer<'listLockouts'>> {
    return this.admin.call('listLockouts', { parameters });
  }

  async lock(username: string, document: Members = {}): Promise<Answer<'lockAccount'>> {
    const root = await this.root();
    return root.call('lockAccount', { id: username, parameters: { tenant_id: 'acme' }, document });
  }

  async unlock(username: string): Promise<Answer<'unlockAccount'>> {
    const root = await this.root();
    return root.call('unlockAccount', { id: username, parameters: { tenant_id: 'acme' } });
  }

  /** Returns events of one type in the tenant, newest first. */
  async events(event_type: AuditEvent['event_type']): Promise<AuditEvent[]> {
    const { events } = result(
      await this.admin.call('queryAuditLogs', { parameters: { event_type } }),
    );
    return events;
  }
}

/** Declares a test that runs on both transports. */
export function withLockouts(title: string, run: (lockouts: Lockouts) => Promise<void>): void {
  withSessions(title, (s) => run(new Lockouts(s)));
}
