/** Tool executors of a tenant (docs/contract/tools.md#tool-12). */
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { testCase } from '../harness/fixture.js';
import { overHttp } from '../harness/http-fixture.js';
import { profile, ToolParty, toolParty, workshop } from './tool-fixture.js';

const MAX = Number.MAX_SAFE_INTEGER;

describe('registering an executor', () => {
  testCase('TOOL-13, LRN-24 returns the profile, its digest and its registrar', async (t) => {
    const { registrar, executor } = await workshop(t);
    expect(executor).toEqual({
      schema_version: 1,
      tenant: 'acme',
      profile,
      profile_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      actor: { subject_id: 'registrar', credential_id: registrar.caller.id },
      recorded_at_millis: t.clock.now(),
    });
    expect(result(await registrar.readExecutor('w1')).executor).toEqual(executor);
  });

  testCase('TOOL-35, LRN-28 the same profile returns the original to every caller', async (t) => {
    const { registrar, executor } = await workshop(t);
    t.clock.advance(5);
    const other = await toolParty(t, 'somebody', ['tool_admin']);
    const respelled = Object.fromEntries(Object.entries(profile).reverse());
    for (const party of [registrar, other]) {
      expect(result(await party.registerExecutor(respelled)).executor).toEqual(executor);
    }
  });

  testCase(
    'TOOL-35, LRN-25 another profile under a used id conflicts, member by member',
    async (t) => {
      const { registrar, executor } = await workshop(t);
      const others = {
        subject_id: 'other',
        runtime_image_digest: `sha256:${'b'.repeat(64)}`,
        environment_revision: 'e2',
        permissions_revision: 'p2',
        max_cost_units: 101,
        max_latency_ms: 60_001,
      };
      const digests = new Set([executor.profile_digest]);
      for (const [name, value] of Object.entries(others)) {
        const changed = { ...profile, [name]: value };
        expect(outcome(await registrar.registerExecutor(changed)), name).toBe(refused.otherCommand);
        const made = result(await registrar.registerExecutor({ ...changed, id: `w-${name}` }));
        digests.add(made.executor.profile_digest);
      }
      expect(digests.size).toBe(7);
      expect(result(await registrar.readExecutor('w1')).executor).toEqual(executor);
    },
  );

  testCase('TOOL-C34, LRN-C64 has limits', async (t) => {
    const { registrar } = await workshop(t);
    const bad = [
      ...['id', 'subject_id', 'environment_revision', 'permissions_revision'].flatMap((name) =>
        ['', ' \u2003', 'a'.repeat(513), 'é'.repeat(257), null, 7].map((value) => [name, value]),
      ),
      ...['max_cost_units', 'max_latency_ms'].flatMap((name) =>
        [0, -1, 1.5, MAX + 1, '5', null].map((value) => [name, value]),
      ),
      ...[
        'a'.repeat(64),
        `sha256:${'A'.repeat(64)}`,
        `sha256:${'a'.repeat(63)}`,
        `sha256:${'a'.repeat(64)}\n`,
      ].map((value) => ['runtime_image_digest', value]),
    ] as [string, unknown][];
    for (const [name, value] of bad) {
      const answer = await registrar.registerExecutor({ ...profile, id: 'new', [name]: value });
      expect(outcome(answer), `${name} ${String(value)}`).toBe(refused.invalid);
    }
    const wide = { ...profile, id: `\u0000${'é'.repeat(255)}\n`, max_cost_units: MAX };
    expect(outcome(await registrar.registerExecutor(wide))).toBe('200');
    expect(result(await registrar.readExecutor(wide.id)).executor.profile).toEqual(wide);
  });

  overHttp('LRN-C64 a total of 5.0 is 5', async (http) => {
    const { registrar, executor } = await workshop(http.fixture);
    const text = JSON.stringify({ contract_version: 1, profile });
    const respelled = text.replace('"max_cost_units":100', '"max_cost_units":1.000e2');
    expect(respelled).not.toBe(text);
    const headers = { Authorization: `Bearer ${registrar.caller.token}` };
    const { body } = await http.post('/api/v1/tools/executors', respelled, headers);
    expect(body).toEqual({ contract_version: 1, executor });
  });

  testCase('TOOL-C35 the first administrator does not have tool_admin', async (t) => {
    const admin = new ToolParty(t.admin);
    expect(outcome(await admin.registerExecutor())).toBe(refused.forbidden);
    expect(outcome(await admin.readExecutor('w1'))).toBe(refused.forbidden);
  });
});

describe('reading an executor', () => {
  testCase(
    'TOOL-73 an id that is unknown here, or known only to another tenant, is 404',
    async (t) => {
      const { registrar } = await workshop(t);
      const foreign = await t.foreignAdmin();
      const other = new ToolParty(
        await foreign.appoint({ subject_id: 'r', capabilities: ['tool_admin'], grants: [] }),
      );
      expect(outcome(await registrar.readExecutor('w2'))).toBe(refused.noRecord);
      expect(outcome(await other.readExecutor('w1'))).toBe(refused.noRecord);
      expect(outcome(await other.registerExecutor({ ...profile, max_cost_units: 7 }))).toBe('200');
    },
  );

  overHttp('TOOL-73, LRN-6 the id is one percent-decoded segment', async (http) => {
    const { registrar } = await workshop(http.fixture);
    const id = 'a/b c%2Fé\u0000';
    result(await registrar.registerExecutor({ ...profile, id }));
    const headers = { Authorization: `Bearer ${registrar.caller.token}` };
    const read = (segment: string) => http.get(`/api/v1/tools/executors/${segment}`, headers);
    expect((await read(encodeURIComponent(id))).body).toMatchObject({
      executor: { profile: { id } },
    });
    for (const segment of ['%20', '%E2%80%83', '%ff', '%zz', 'a'.repeat(513)]) {
      expect(outcome(await read(segment)), segment).toBe(refused.invalid);
    }
    expect(outcome(await read('a'.repeat(512)))).toBe(refused.noRecord);
    expect(outcome(await read(`${encodeURIComponent(id)}?x=1`))).toBe(refused.invalid);
    const admin = { Authorization: `Bearer ${http.fixture.admin.token}` };
    expect(outcome(await http.get('/api/v1/tools/executors/%20', admin))).toBe(refused.forbidden);
  });
});
