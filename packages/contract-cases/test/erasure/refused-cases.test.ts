/** Cases of subjects that were erased: nothing acts for them (docs/contract/erasure.md). */
import { expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import type { Caller, Members } from '../harness/caller.js';
import { minimalRecord, minimalSpec, recordOf, scope, sharedScope } from '../harness/documents.js';
import { testCase, type Fixture } from '../harness/fixture.js';
import { testIssuer } from '@agentkeep/testkit/test-issuer';
import { inBranch } from '../branches/harness.js';
import { exported, ofTenant } from '../exports/export-fixture.js';
import { admitted, erased, ofSubject, start, version, wholeStore } from './erasure-kit.js';

const ERASED = '403 subject_erased';
const subject = 'alice-of-wonderland';

const serviceOf = (t: Fixture): Promise<Caller> =>
  t.agent({
    subject_id: 'support',
    capabilities: ['memory_read', 'memory_write', 'act_for'],
    act_for: { mode: 'all' },
  });

const askToken = (service: Caller) =>
  service.call('issueSubjectToken', {
    document: { ...version, subject_id: subject, expires_in_seconds: 900 },
  });

const acting = async (service: Caller): Promise<Caller> =>
  service.with(result(await askToken(service)).access_token);

const issue = (caller: Caller, subject_id = subject) =>
  caller.call('issueCredential', {
    document: { ...version, spec: { ...minimalSpec, subject_id } },
  });

const put = (t: Fixture, expected_revision: number, members: Members = {}) =>
  t.admin.call('putSubject', {
    id: subject,
    document: { ...version, expected_revision, ...members },
  });

// ERA-11, ERA-29, DLG-23
testCase('ERA-C23 nothing acts for an erased subject until it is admitted anew', async (t) => {
  const service = await serviceOf(t);
  const before = await acting(service);
  result(await before.create(scope, minimalRecord, 'k'));
  await erased(t, ofSubject(subject));
  expect(outcome(await before.query(scope))).toBe(refused.unauthorized);
  expect(outcome(await askToken(service))).toBe(ERASED);
  expect(outcome(await issue(t.admin))).toBe(ERASED);
  expect(outcome(await t.admin.call('getSubject', { id: subject }))).toBe('404 subject_not_found');
  expect(await wholeStore(t)).not.toContain(subject);
  // Others go on, and a request of another subject admits nobody.
  result(await issue(t.admin, 'bob'));
  expect(outcome(await askToken(service))).toBe(ERASED);

  const { subject: shown } = result(await put(t, 0));
  expect(shown).toMatchObject({ subject_id: subject, revision: 1, is_blocked: false });
  expect(outcome(await before.query(scope))).toBe(refused.unauthorized);
  const anew = await acting(service);
  expect(result(await anew.query(scope)).page.records).toEqual([]);
  result(await anew.create(scope, minimalRecord, 'k2'));
  result(await issue(t.admin));
  // A later change of its limits ends no token.
  result(await put(t, 1, { capabilities: ['memory_read'] }));
  expect(result(await anew.query(scope)).page.records).toHaveLength(1);
});

// ERA-29
testCase('ERA-C24 a second erasure refuses the subject again', async (t) => {
  const service = await serviceOf(t);
  await erased(t, ofSubject(subject));
  await admitted(t, subject);
  const between = await acting(service);
  result(await between.create(scope));
  await erased(t, ofSubject(subject));
  expect(outcome(await askToken(service))).toBe(ERASED);
  await admitted(t, subject);
  expect(outcome(await between.query(scope))).toBe(refused.unauthorized);
  expect(result(await (await acting(service)).query(scope)).page.records).toEqual([]);
});

// ERA-29
testCase('ERA-C25 a block stays, and no request during the erasure lifts it', async (t) => {
  const service = await serviceOf(t);
  result(await put(t, 0, { is_blocked: true }));
  result(await start(t.admin, ofSubject(subject)));
  // Whether it runs still or has ended, only a request of an administrator afterwards admits it.
  const early = outcome(await put(t, 1, { is_blocked: false }));
  expect(['409 erasure_in_progress', '409 revision_conflict']).toContain(early);
  await erased(t, ofSubject(subject));
  expect(outcome(await askToken(service))).toBe(ERASED);
  result(await put(t, 0, { is_blocked: true }));
  expect(outcome(await askToken(service))).toBe(refused.forbidden);
  result(await put(t, 1));
  result(await acting(service).then((caller) => caller.query(scope)));
});

// ERA-29, FED-12
testCase('ERA-C26 an erased subject stays refused although an issuer vouches for it', async (t) => {
  const ci = testIssuer();
  const issuer = 'https://ci.example.test';
  const keys = { mode: 'inline', keys: [ci.key] };
  const document = { ...version, expected_revision: 0, issuer, audience: 'agentkeep', keys };
  result(await t.admin.call('putTrustedIssuer', { id: 'ci', document }));
  const spec = { ...minimalSpec, subject_id: 'people', grants: [scope] };
  const capabilities = ['memory_read', 'act_for'];
  const federation = {
    issuer: 'ci',
    sub: { mode: 'prefix', prefix: 'person:' },
    subject_claim: ['email'],
  };
  const issued = await t.admin.call('issueFederatedCredential', {
    document: { ...version, spec: { ...spec, capabilities, act_for: { mode: 'all' } }, federation },
  });
  const credential_id = result(issued).credential.id;
  const exchange = () => {
    const iat = Math.floor(t.clock.now() / 1_000);
    const usual = { iss: issuer, aud: 'agentkeep', sub: 'person:1', email: subject };
    const assertion = ci.sign({ ...usual, iat, exp: iat + 600 });
    const asked = { ...version, credential_id, assertion };
    return t.admin.with('').call('issueFederatedToken', { document: asked });
  };
  const before = t.admin.with(result(await exchange()).access_token);
  result(await before.query(scope));
  await erased(t, ofSubject(subject));
  expect(outcome(await exchange())).toBe('401 assertion_refused');
  await admitted(t, subject);
  expect(outcome(await before.query(scope))).toBe(refused.unauthorized);
  result(await t.admin.with(result(await exchange()).access_token).query(scope));
});

// ERA-10
testCase(
  'ERA-C27 the name of its branch over a shared scope is in no list or export',
  async (t) => {
    const alice = await t.agent({ subject_id: subject });
    const outside = await alice.created(sharedScope);
    const { id } = await inBranch(alice, { scopes: [sharedScope], name: 'canary-of-a-name' });
    result(await alice.update({ ...sharedScope, branch: id }, [outside, 1], recordOf({})));
    await erased(t, ofSubject(subject));
    const bob = await t.agent({ subject_id: 'bob' });
    const parameters = { ...version, limit: 100 };
    const listed = JSON.stringify(result(await bob.call('listMemoryBranches', { parameters })));
    const text = await exported(t.admin, ofTenant, { with_history: true });
    for (const each of [listed, text]) {
      expect(each).toContain(id);
      expect(each).not.toContain('canary-of-a-name');
    }
  },
);
