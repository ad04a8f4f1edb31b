/** What capabilities open, and what a history is (docs/contract/credentials.md). */
import { describe, expect, test } from 'vitest';
import type { Capability, OperationName } from '@agentkeep/core';
import { routes } from '@agentkeep/client/routes';
import { contractDocument } from '@agentkeep/server';
import { callOf } from '@agentkeep/testkit/operations';
import { outcome, refused, result } from '../harness/answer.js';
import { scope, spec } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';

const opened: Readonly<Partial<Record<Capability, readonly OperationName[]>>> = {
  procedure_propose: ['proposeProcedure'],
  procedure_evaluate: ['admitEvaluation'],
  experience_read: ['readExperience', 'readExperienceEvent', 'readExperienceHistory'],
  experience_write: ['registerExperience'],
  experience_report: ['recordExperienceEvent'],
  tool_read: ['readToolArtifact', 'readToolDevelopment', 'readToolDevelopmentEvent'],
  tool_develop: ['registerToolArtifact', 'requestToolDevelopment'],
  tool_admin: ['registerToolExecutor', 'readToolExecutor'],
  policy_admin: [
    ...(['registerLearningPolicy', 'registerLearningContext'] as const),
    ...(['getLearningPolicy', 'getLearningContext'] as const),
  ],
};

describe('a capability', () => {
  // CRD-14, CRD-15, CRD-16, CRD-17, CRD-18, CRD-19, CRD-20, CRD-22, CRD-23: a row each.
  testCase('opens its operations in a granted scope, and no others', async (t) => {
    const all = Object.values(opened).flat();
    for (const [capability, own] of Object.entries(opened)) {
      const agent = await t.agent({ capabilities: [capability], grants: [scope] });
      for (const name of all) {
        const answer = await agent.call(name, callOf(name, scope));
        const isForbidden = outcome(answer) === refused.forbidden;
        expect([name, isForbidden]).toEqual([name, !own.includes(name)]);
      }
    }
  });

  testCase('CRD-20, CRD-21 of a development is that of its action', async (t) => {
    const call = (action: object) => ({
      document: {
        ...(callOf('recordToolDevelopmentEvent', scope).document as object),
        command: { event_id: 'e', expected_revision: 1, action },
      },
    });
    const cancel = call({ type: 'request_cancellation', reason: 'x' });
    const report = call({
      type: 'report',
      report: {
        ...{ executor_profile_digest: 'a'.repeat(64), outcome: 'failed', evidence_ref: 'x' },
        ...{ cost_units: 1, latency_ms: 1, artifact: null },
      },
    });
    const outcomes = [];
    for (const capability of ['tool_develop', 'tool_report']) {
      const agent = await t.agent({ capabilities: [capability], grants: [scope] });
      for (const parts of [cancel, report]) {
        outcomes.push(outcome(await agent.call('recordToolDevelopmentEvent', parts)));
      }
    }
    expect(outcomes).toEqual([
      ...[refused.noRecord, refused.forbidden],
      ...[refused.forbidden, refused.noRecord],
    ]);
  });
});

test('CON-22 all operations accept a credential and a session', () => {
  const names = Object.entries(routes).filter(([, { path }]) =>
    path.startsWith('/api/v1/credentials'),
  );
  expect(names.length).toBeGreaterThan(4);
  for (const [, { method, path }] of names) {
    const { security = [] } = contractDocument.paths[path]?.[method.toLowerCase()] ?? {};
    const schemes = security.flatMap((each) => Object.keys(each));
    expect(schemes).toEqual(expect.arrayContaining(['platformCredential', 'loginSession']));
  }
});

describe('a history', () => {
  testCase('CRD-40 names what was done', async ({ admin }) => {
    const agent = await admin.appoint(spec({ grants: [scope] }));
    result(await admin.rotate(agent.id, 1));
    result(await admin.rescope(agent.id, 2, { grants: [] }));
    result(await admin.revoke(agent.id, 3));
    const { credential } = result(await admin.inspect(agent.id));
    expect(credential.history.map(({ action }) => action)).toEqual([
      ...['issued', 'rotated', 'scope_authority_changed', 'revoked'],
    ]);
    const { credential: first } = result(await admin.inspect(admin.id));
    expect(first.history.map(({ action }) => action)).toEqual(['bootstrapped']);
  });

  testCase('CRD-96 is read in pages, the newest events first', async ({ admin }) => {
    const [agent, other] = [await admin.appoint(spec({})), await admin.appoint(spec({}))];
    for (const revision of [1, 2, 3]) {
      for (const { id } of [agent, other]) result(await admin.rotate(id, revision));
    }
    const page = (id: string, parameters: object) =>
      admin.call('inspectCredential', { id, parameters });
    const first = result(await page(agent.id, { limit: 3 }));
    expect(first.credential.history.map(({ revision }) => revision)).toEqual([2, 3, 4]);
    const cursor = first.next_cursor;
    const second = result(await page(agent.id, { limit: 3, cursor }));
    expect(second.credential.history.map(({ revision }) => revision)).toEqual([1]);
    expect(second).not.toHaveProperty('next_cursor');
    for (const [id, parameters] of [
      [other.id, { cursor }],
      [agent.id, { cursor: 'x' }],
      [agent.id, { limit: 0 }],
      [agent.id, { limit: 65 }],
    ] as const) {
      expect(outcome(await page(id, parameters))).toBe(refused.invalid);
    }
  });

  testCase('CRD-52 a lost answer of a rotation is repaired by another one', async ({ admin }) => {
    const agent = await admin.appoint(spec({}));
    const lost = result(await admin.rotate(agent.id, 1)).secret;
    const { revision } = result(await admin.inspect(agent.id)).credential;
    const { secret } = result(await admin.rotate(agent.id, revision));
    expect(outcome(await agent.with(lost).whoAmI())).toBe(refused.unauthorized);
    expect(outcome(await agent.with(secret).whoAmI())).toBe('200');
  });
});
