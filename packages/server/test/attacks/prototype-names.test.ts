/**
 * Prototype pollution: names that every JavaScript object has, as ids, tags, members, parameters
 * and headers. They are ordinary names and leave all objects unchanged.
 */
import { afterEach, describe, expect } from 'vitest';
import { outcome, refused, result } from '@agentkeep/contract-cases/answer';
import { record, scope, sharedScope, spec } from '@agentkeep/contract-cases/documents';
import { bothWays } from '@agentkeep/contract-cases/fixture';
import { overHttp } from '@agentkeep/contract-cases/http-fixture';
import { learner } from '@agentkeep/contract-cases/learning-fixture';
import { withLockouts } from '@agentkeep/contract-cases/lockout-fixture';
import { everyName, callOf, operationOf } from './every-call.js';
import { fillPath, routes } from '@agentkeep/client/routes';

const NAMES = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'],
  ...['__defineGetter__', '__lookupSetter__', 'isPrototypeOf', 'toJSON', 'then', 'length', 'name'],
];

const before = Reflect.ownKeys(Object.prototype).length;

afterEach(() => {
  expect(Reflect.ownKeys(Object.prototype)).toHaveLength(before);
  expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
});

describe('as ids', () => {
  bothWays('of scopes, subjects and keys they are ordinary names', async (t) => {
    for (const name of NAMES) {
      const place = { project_id: name, mission_id: name, agent_id: name, visibility: 'private' };
      const agent = await t.agent({ subject_id: name, grants: [place] });
      const { receipt } = result(await agent.create(place, record({ tags: [name] }), name));
      const again = result(await agent.create(place, record({ tags: [name] }), name));
      expect(again.receipt, name).toEqual(receipt);
      expect(receipt).toMatchObject({ idempotency_key: name, author: { subject_id: name } });
      expect(await agent.found(place, { tag: name })).toEqual([receipt.record_id]);
      expect(await agent.found(place, { tags: [name], text_contains: name })).toEqual([]);
      expect(outcome(await agent.read(scope, receipt.record_id))).toBe(refused.forbidden);
    }
  });

  bothWays('of tenants they are ordinary names', async (t) => {
    const master = await t.master();
    for (const name of NAMES) {
      expect(outcome(await master.inspectTenant(name)), name).toBe(refused.noTenant);
      const admin = await master.registered(name);
      expect(result(await admin.whoAmI()).credential.tenant_id).toBe(name);
      expect(result(await master.inspectTenant(name)).tenant_id).toBe(name);
    }
  });

  bothWays('of policies and tools they are absent until created', async (t) => {
    const registrar = await learner(t, 'registrar', ['policy_admin']);
    for (const name of NAMES) {
      const read = () => registrar.caller.call('getLearningContext', { id: name });
      expect(outcome(await read()), name).toBe(refused.noRecord);
      const tools = Object.fromEntries(NAMES.map((each) => [each, each]));
      result(await registrar.context(name, { tools }));
      const { payload } = result(await read()).entry;
      expect(Object.entries((payload as { tools: object }).tools).toSorted()).toEqual(
        Object.entries(tools).toSorted(),
      );
    }
  });

  withLockouts('of accounts they are ordinary names', async (l) => {
    for (const name of NAMES) {
      expect(await l.status(name)).toMatchObject({ failed_attempts: 0, locked: false });
      await l.fail(5, name);
      expect(await l.status(name), name).toMatchObject({ locked: true, lockout_count: 1 });
    }
  });
});

describe('as members', () => {
  const polluted = '{"isAdmin":true}';

  overHttp('of documents they are refused, in every operation', async (http) => {
    const { admin } = http.fixture;
    const headers = {
      Authorization: `Bearer ${admin.token}`,
      'Content-Type': 'application/json',
    };
    for (const name of everyName) {
      if (operationOf(name).input.document === undefined) continue;
      const { id, document } = callOf(name);
      const text = JSON.stringify(document ?? {});
      for (const member of ['__proto__', 'constructor', 'toString']) {
        const body = text.replace(/^\{/, `{"${member}":${polluted}${text === '{}' ? '' : ','}`);
        const { method, path } = routes[name];
        const reply = await http.send(method, fillPath(path, String(id)), { headers, body });
        expect([200, 201], `${name} ${member}`).not.toContain(reply.status);
      }
    }
  });

  overHttp('of free-form JSON they are returned unchanged, at any depth', async (http) => {
    const agent = await http.fixture.agent();
    const metadata = `{"__proto__":${polluted},"constructor":{"prototype":${polluted}},"a":{"__proto__":{"__proto__":${polluted}}}}`;
    const command = {
      contract_version: 1,
      idempotency_key: 'k',
      scope: sharedScope,
      operation: { type: 'create', record: record({ metadata: {} }) },
    };
    const body = JSON.stringify(command).replace('"metadata":{}', `"metadata":${metadata}`);
    const asAgent = { Authorization: `Bearer ${agent.token}` };
    expect(outcome(await http.post('/api/v1/memory/commands', body, asAgent))).toBe('200');
    const { page } = result(await agent.query(sharedScope));
    expect(JSON.stringify(page.records[0]?.payload.metadata)).toBe(metadata);
  });

  overHttp('of queries and headers they have no effect', async (http) => {
    for (const name of NAMES) {
      const query = `contract_version=1&${name}=1&${name}[isAdmin]=1`;
      expect(outcome(await http.get(`/api/v1/credentials?${query}`)), name).toBe(refused.invalid);
      expect(outcome(await http.get('/api/v1/identity', { [name]: polluted }))).toBe('200');
      expect(outcome(await http.send('GET', `/${name}`))).toBe('404 not_found');
      expect(outcome(await http.send('GET', `/api/v1/${name}`))).toBe('404 not_found');
      const unknown = `/api/v1/credentials/${name}`;
      expect(outcome(await http.get(unknown)), name).toBe(refused.invalid);
    }
  });
});

bothWays('of capabilities they are unknown', async (t) => {
  for (const name of NAMES) {
    const issued = await t.admin.issue(spec({ capabilities: [name] }));
    expect(outcome(issued), name).toBe(refused.invalid);
  }
});
