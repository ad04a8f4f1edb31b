/**
 * Flooding the audit log (ASVS 16.4.2): what a caller can cause without a right, or by repeating,
 * removes no event of a change (docs/contract/audit.md#aud-76).
 */
import type { AuditEvent } from '@agentkeep/core';
import { createAdmin, verifyAudit } from '@agentkeep/core/operator';
import { testStore } from '@agentkeep/testkit/test-store';
import { expect, test } from 'vitest';
import type { ServerOptions } from '../../src/http/create-server.js';
import { type RunningServer, startServer } from '../../src/lifecycle/start-server.js';
import { eachCounted } from '@agentkeep/contract-cases/counted-events';
import { result } from '@agentkeep/contract-cases/answer';
import { minimalRecord, scope } from '@agentkeep/contract-cases/documents';
import { drivers } from '@agentkeep/contract-cases/drivers';
import { type Fixture, tenant } from '@agentkeep/contract-cases/fixture';
import { appOf } from '@agentkeep/contract-cases/http-driver';
import { PASSWORD, tokens } from '@agentkeep/contract-cases/session-fixture';

/** Events that each quota keeps: far fewer than each attack causes. */
const MAX_EVENTS = 8;
const MINUTE_MS = 60_000;

type Policies = NonNullable<ServerOptions['rateLimitPolicies']>;

const policy: Policies[number] = {
  id: 'p',
  name: 'Twenty',
  endpointType: 'GeneralApi',
  maxRequests: 20,
  windowSecs: 86_400,
  enabled: true,
  createdAtMillis: 1,
  updatedAtMillis: 1,
  createdBy: 'system',
};

/** A served tenant with an administrator of the installation, one of its own, and some changes. */
class Target implements AsyncDisposable {
  readonly t: Fixture;
  readonly #server: RunningServer;

  constructor(t: Fixture, server: RunningServer) {
    this.t = t;
    this.#server = server;
  }

  static async serve(policies: Policies = []): Promise<Target> {
    const settings = { audit: { maxEvents: MAX_EVENTS }, tokens };
    const t = await tenant(drivers[0]!, testStore(), settings);
    const app = appOf(t.keep, { rateLimitPolicies: policies });
    const server = await startServer(app, { host: '127.0.0.1', port: 0 });
    await createAdmin(t.keep, { username: 'root', password: PASSWORD });
    await createAdmin(t.keep, { username: 'chief', password: PASSWORD, tenantId: 'acme' });
    return new Target(t, server);
  }

  /** Sends a request from an address; returns its status. */
  async send(path: string, from: string, init: RequestInit = {}): Promise<number> {
    const headers = { ...(init.headers as Record<string, string>), 'X-Forwarded-For': from };
    const response = await fetch(`${this.#server.url}${path}`, { ...init, headers });
    await response.arrayBuffer();
    return response.status;
  }

  /** Returns every kept event, as an administrator of the installation sees them. */
  async events(): Promise<AuditEvent[]> {
    const { agent } = await this.t.keep.logIn({ username: 'root', password: PASSWORD });
    return (await agent.audit.queryPage({ limit: 1_000 })).events;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop();
    await this.t.keep.close();
  }
}

/** Returns the kept events of changes. */
function changes(events: readonly AuditEvent[]): string[] {
  const types = new Set(['user_created', 'configuration_changed']);
  return events
    .filter(({ event_type, result: told }) => types.has(event_type) && told === 'success')
    .map(({ event_id }) => event_id);
}

async function attack(target: Target, requests: () => Promise<void>): Promise<AuditEvent[]> {
  const before = changes(await target.events());
  expect(before.length).toBeGreaterThan(2);
  await requests();
  const after = await target.events();
  expect(changes(after)).toEqual(before);
  expect(await verifyAudit(target.t.keep)).toMatchObject({ status: 'verified' });
  return after;
}

test('AUD-C57 bad proofs from many addresses, rate-limited or not, remove no change', async () => {
  await using target = await Target.serve([policy]);
  const seen = new Set<number>();
  const events = await attack(target, async () => {
    for (let number = 0; number < 150; number += 1) {
      if (number % 50 === 0) target.t.clock.advance(MINUTE_MS);
      const from = `203.0.113.${String(number % 5)}`;
      const headers = { Authorization: 'Bearer x' };
      seen.add(await target.send('/api/v1/identity', from, { headers }));
    }
  });
  expect([...seen].toSorted()).toEqual([401, 429]);
  expect(events.map(({ event_type }) => event_type)).toContain('rate_limit_exceeded');
});

test('AUD-C58 one client that repeats a bad proof makes two events a minute, which count it', async () => {
  await using target = await Target.serve();
  const headers = { Authorization: 'Bearer x' };
  const events = await attack(target, async () => {
    for (let number = 0; number < 120; number += 1) {
      if (number === 60) target.t.clock.advance(MINUTE_MS);
      expect(await target.send('/api/v1/identity', '203.0.113.1', { headers })).toBe(401);
    }
  });
  const refused = events.filter(({ event_type }) => event_type === 'token_refresh_failed');
  expect(refused).toHaveLength(4);
  expect(eachCounted(refused)).toHaveLength(120);
});

test('an account without rights removes no change of its tenant', async () => {
  await using target = await Target.serve();
  const { agent } = await target.t.keep.logIn({
    username: 'chief',
    password: PASSWORD,
    tenantId: 'acme',
  });
  await agent.users.create({ username: 'plain', password: PASSWORD, roles: [] });
  const login = { username: 'plain', password: PASSWORD, tenant_id: 'acme' };
  const token = result(
    await target.t.transport('authLogin', undefined, { document: login }),
  ).access_token;
  const headers = { Authorization: `Bearer ${token}` };
  const events = await attack(target, async () => {
    for (let number = 0; number < 60; number += 1) {
      if (number % 5 === 0) target.t.clock.advance(MINUTE_MS);
      for (const path of ['/api/v1/keys', '/api/v1/users']) {
        expect([200, 403]).toContain(
          await target.send(path, `203.0.113.${String(number)}`, { headers }),
        );
      }
    }
  });
  expect(events.map(({ event_type }) => event_type)).toContain('permission_denied');
});

test('a repeated write removes no change of its tenant', async () => {
  await using target = await Target.serve();
  const agent = await target.t.agent();
  const headers = { Authorization: `Bearer ${agent.token}`, 'Content-Type': 'application/json' };
  const init = (command: object): RequestInit => ({
    method: 'POST',
    headers,
    body: JSON.stringify({ contract_version: 1, scope, ...command }),
  });
  const create = { idempotency_key: 'again', operation: { type: 'create', record: minimalRecord } };
  const other = { ...create.operation, record: { ...minimalRecord, episode_type: 'Decision' } };
  const events = await attack(target, async () => {
    for (let number = 0; number < 40; number += 1) {
      const path = '/api/v1/memory/commands';
      expect(await target.send(path, '203.0.113.1', init(create))).toBe(200);
      const conflict = init({ ...create, operation: other });
      expect(await target.send(path, '203.0.113.1', conflict)).toBe(409);
    }
  });
  // The conflicts are refusals, so they don't take the places of writes.
  const granted = events.filter(({ user_id }) => user_id === agent.id);
  expect(granted.filter(({ metadata }) => metadata['count'] === undefined)).toHaveLength(
    MAX_EVENTS + 1,
  );
});

test('failed logins with unknown names remove no change', async () => {
  await using target = await Target.serve();
  await attack(target, async () => {
    for (let number = 0; number < 40; number += 1) {
      const document = { username: `n${String(number % 7)}`, password: 'x', tenant_id: 'acme' };
      await target.send('/api/v1/auth/login', '203.0.113.1', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(document),
      });
    }
  });
});
