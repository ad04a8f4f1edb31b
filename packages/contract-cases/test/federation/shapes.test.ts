/** Assertions in the shapes of GitHub Actions, Kubernetes and SPIFFE, as in docs/jobs. */
import { expect } from 'vitest';
import { testIssuer } from '@agentkeep/testkit/test-issuer';
import { outcome, result } from '../harness/answer.js';
import type { Members } from '../harness/caller.js';
import { scope } from '../harness/documents.js';
import { testCase, type Fixture } from '../harness/fixture.js';

const version = { contract_version: 1 };

/** An issuer with a rule, and what it signs. */
interface Shape {
  readonly kind: 'rsa' | 'ec';
  readonly trust: Members;
  /** Members of the key beside those of its kind. */
  readonly key?: Members;
  readonly header?: Members;
  readonly spec?: Members;
  readonly rule: Members;
  readonly claims: Members;
  /** Claims of other workloads of the issuer. */
  readonly others: readonly Members[];
}

const github: Shape = {
  kind: 'rsa',
  trust: {
    issuer: 'https://token.actions.githubusercontent.com',
    audience: 'https://keep.example',
  },
  key: { use: 'sig', alg: 'RS256' },
  rule: {
    sub: { mode: 'only', ids: ['repo:acme/app:ref:refs/heads/main'] },
    claims: [{ path: ['repository_id'], value: '74' }],
  },
  claims: {
    iss: 'https://token.actions.githubusercontent.com',
    aud: 'https://keep.example',
    sub: 'repo:acme/app:ref:refs/heads/main',
    jti: 'b9f0e1f6-5c1e-4b53-9f0a-4b1f3d1f8a11',
    ref: 'refs/heads/main',
    sha: '7c1b4f2ad9e3b6c8f1a0d5e4c3b2a19087654321',
    repository: 'acme/app',
    repository_owner: 'acme',
    repository_owner_id: '65',
    repository_id: '74',
    repository_visibility: 'private',
    run_id: '1',
    run_number: '10',
    run_attempt: '2',
    runner_environment: 'github-hosted',
    actor: 'ann',
    actor_id: '12',
    workflow: 'release',
    event_name: 'push',
    ref_type: 'branch',
    job_workflow_ref: 'acme/app/.github/workflows/release.yml@refs/heads/main',
  },
  others: [
    { sub: 'repo:acme/app:pull_request' },
    { repository_id: '75' },
    { repository_id: 74 },
    { iss: 'https://token.actions.example' },
  ],
};

const pod = { name: 'helper-7d9c', uid: '3f0c3b0e-3a0a-4a8e-9d3e-1e0e6b7c5a11' };
const kubernetes: Shape = {
  kind: 'rsa',
  trust: { issuer: 'https://kubernetes.default.svc.cluster.local', audience: 'agentkeep' },
  rule: {
    sub: { mode: 'only', ids: ['system:serviceaccount:agents:helper'] },
    claims: [{ path: ['kubernetes.io', 'namespace'], value: 'agents' }],
  },
  claims: {
    iss: 'https://kubernetes.default.svc.cluster.local',
    aud: ['agentkeep'],
    sub: 'system:serviceaccount:agents:helper',
    'kubernetes.io': {
      namespace: 'agents',
      node: { name: 'node-1', uid: '5d8b2c66-6b3a-4a58-8f53-4a5f3c2a1b22' },
      pod,
      serviceaccount: { name: 'helper', uid: '9a7d5e1c-0b6f-4c2d-8a39-7f1e2d3c4b33' },
      warnafter: 1_893_456_600,
    },
  },
  others: [
    { sub: 'system:serviceaccount:agents:other' },
    { aud: ['https://kubernetes.default.svc.cluster.local'] },
    { 'kubernetes.io': { namespace: 'others', pod } },
    { 'kubernetes.io': 'agents' },
  ],
};

const spiffe: Shape = {
  kind: 'ec',
  trust: { audience: 'agentkeep' },
  key: { use: 'jwt-svid' },
  header: { typ: 'JOSE' },
  spec: {
    capabilities: ['memory_read', 'act_for'],
    act_for: { mode: 'prefix', prefix: 'spiffe://acme.example/support/' },
  },
  rule: {
    sub: { mode: 'prefix', prefix: 'spiffe://acme.example/support/' },
    subject_claim: ['sub'],
  },
  claims: { aud: ['agentkeep'], sub: 'spiffe://acme.example/support/helper' },
  others: [
    { sub: 'spiffe://acme.example/sales/helper' },
    { sub: 'spiffe://acme.example.evil/support/helper' },
    { aud: ['other'] },
  ],
};

async function exchange(t: Fixture, { kind, key, header, trust, ...shape }: Shape) {
  const issuer = testIssuer('k1', kind);
  const keys = { mode: 'inline', keys: [{ ...issuer.key, ...key }] };
  const trusted = { ...version, expected_revision: 0, ...trust, keys };
  result(await t.admin.call('putTrustedIssuer', { id: 'issuer', document: trusted }));
  const spec = {
    subject_id: 'helper',
    capabilities: ['memory_read'],
    grants: [scope],
    ...shape.spec,
  };
  const federation = { issuer: 'issuer', ...shape.rule };
  const document = { ...version, spec, federation };
  const made = result(await t.admin.call('issueFederatedCredential', { document }));
  const { id } = made.credential;
  return (claims: Members) => {
    const iat = Math.floor(t.clock.now() / 1_000);
    const stated = { ...shape.claims, iat, nbf: iat, exp: iat + 300, ...claims };
    const assertion = issuer.sign(stated, header);
    const body = { ...version, credential_id: id, assertion };
    return t.admin.with('').call('issueFederatedToken', { document: body });
  };
}

for (const [name, shape, subject] of [
  ['GitHub Actions', github, 'helper'],
  ['Kubernetes', kubernetes, 'helper'],
  ['SPIFFE', spiffe, 'spiffe://acme.example/support/helper'],
] as const) {
  testCase(`FED-8, FED-14, FED-19 the tokens of ${name} prove a credential`, async (t) => {
    const ask = await exchange(t, shape);
    const { access_token } = result(await ask({}));
    const { credential } = result(await t.admin.with(access_token).whoAmI());
    expect(credential.spec.subject_id).toBe(subject);
    for (const claims of shape.others) {
      expect([claims, outcome(await ask(claims))]).toEqual([claims, '401 assertion_refused']);
    }
  });
}
