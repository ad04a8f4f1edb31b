/** Who a standby lets in once it takes over: whom the first server let in, and nothing twice. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testIssuer } from '@agentkeep/testkit/test-issuer';
import {
  callbackOf,
  logoutToken,
  PEOPLE_CLIENT,
  PEOPLE_ISSUER,
  peoplePorts,
} from '@agentkeep/testkit/test-sign-in';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ReplicatedStore } from '../../../test/replicated-store.js';
import { codeOf, PASSWORD } from '../../../test/servers.js';
import { operations } from '../../domains.js';
import type { Keep } from '../../keep/keep.js';
import { openKeep } from '../../keep/open-keep.js';
import { embeddedInput } from '../../kernel/input/input.js';
import {
  bootstrapTenant,
  createAdmin,
  followReplica,
  promoteReplica,
  restoreReplica,
} from '../../operator.js';

const claims = { sub: 'u1', preferred_username: 'ann', groups: ['dev'] };
const ci = testIssuer();

let home: string;
let target: string;
let source: ReplicatedStore;
const open: Keep[] = [];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentkeep-people-'));
  target = join(home, 'target');
  source = await ReplicatedStore.open(join(home, 'data'), target);
});

afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
  await rm(home, { recursive: true });
});

async function opened(where: Parameters<typeof openKeep>[0]): Promise<Keep> {
  const keep = await openKeep({ ...where, ...peoplePorts });
  open.push(keep);
  return keep;
}

function begin(keep: Keep) {
  const document = { issuer: 'staff', redirect_uri: 'https://memory.example.test/back' };
  return keep.invoke(operations.beginSignIn, embeddedInput({ document }), {});
}

function complete(keep: Keep, { attempt, authorization_url: url }: Begun, person: object) {
  const document = { attempt, callback: callbackOf(url, { ...claims, ...person }) };
  return keep.invoke(operations.completeSignIn, embeddedInput({ document }), {});
}

type Begun = Awaited<ReturnType<typeof begin>>;

function logOut(keep: Keep, token: string) {
  const document = { issuer: 'staff', logout_token: token };
  return keep.invoke(operations.receiveIssuerLogout, embeddedInput({ document }), {});
}

function exchange(keep: Keep, credentialId: string, assertion: string) {
  const document = { contract_version: 1, credential_id: credentialId, assertion } as const;
  return keep.invoke(operations.issueFederatedToken, embeddedInput({ document }), {});
}

/** Gets a token of a service for a subject. */
async function actFor(keep: Keep, token: string): Promise<string> {
  const document = { contract_version: 1, subject_id: 'user-1' } as const;
  const input = embeddedInput({ document });
  const made = await keep.invoke(operations.issueSubjectToken, input, {
    proof: { kind: 'bearer', token },
  });
  return made.access_token;
}

/** What people and programs hold of the first server, and what each of them used once. */
async function heldOf(keep: Keep) {
  const login = { username: 'root', password: PASSWORD };
  await createAdmin(keep, login);
  const { administrator: root, tokens } = await keep.logIn(login);
  const { key } = await root.keys.create('program');
  const rule = { claims: [{ path: ['groups'], value: 'dev' }], creates_accounts: true };
  const staff = { name: 'staff', issuer: PEOPLE_ISSUER, client_id: PEOPLE_CLIENT, rules: [rule] };
  await root.signIn.putSettings({ issuers: [staff] }, 0);
  const people = [await begin(keep), await begin(keep)] as const;
  const { access_token: person } = await complete(keep, people[0], { sid: 's1' });
  const ended = await begin(keep);
  const { access_token: loggedOut } = await complete(keep, ended, { sid: 's2' });
  const logout = logoutToken(Date.now(), { sid: 's2' });
  await logOut(keep, logout);
  const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const admin = await keep.authenticate(secret);
  const keys = { mode: 'inline' as const, keys: [ci.key as never] };
  const trust = { audience: 'agentkeep', keys };
  await admin.issuers.put('ci', trust, 0);
  await admin.issuers.put('old', { ...trust, is_blocked: true }, 0);
  const spec = { subject_id: 'deployer', capabilities: ['memory_read' as const], grants: [] };
  const sub = { mode: 'prefix' as const, prefix: 'repo:' };
  const { id } = await admin.credentials.issueFederated(spec, { issuer: 'ci', sub });
  const blocked = await admin.credentials.issueFederated(spec, { issuer: 'old', sub });
  const exp = Math.floor(Date.now() / 1_000) + 600;
  const assertion = ci.sign({ aud: 'agentkeep', sub: 'repo:acme', exp });
  const { access_token: deployer } = await exchange(keep, id, assertion);
  const service = await admin.credentials.issue({
    ...{ subject_id: 'support', capabilities: ['memory_read', 'act_for'], grants: [] },
    act_for: { mode: 'prefix', prefix: 'user-' },
  });
  const acting = await actFor(keep, service.secret);
  return {
    secrets: { access: tokens.access_token, key, person, secret, deployer, acting },
    people,
    loggedOut,
    logout,
    federated: { id, blocked: blocked.id, assertion },
  };
}

async function expectSame(keep: Keep, held: Awaited<ReturnType<typeof heldOf>>): Promise<void> {
  for (const [name, secret] of Object.entries(held.secrets)) {
    expect([name, await codeOf(keep.authenticate(secret))]).toEqual([name, 'none']);
  }
  const { federated, people, logout, loggedOut } = held;
  expect(await codeOf(keep.authenticate(loggedOut))).toBe('unauthorized');
  expect(await codeOf(exchange(keep, federated.id, federated.assertion))).toBe('none');
  const refused = exchange(keep, federated.blocked, federated.assertion);
  expect(await codeOf(refused)).toBe('assertion_refused');
  expect(await codeOf(logOut(keep, logout))).toBe('logout_token_refused');
  expect(await codeOf(complete(keep, people[0], {}))).toBe('sign_in_refused');
  expect(await codeOf(complete(keep, people[1], {}))).toBe('none');
}

test('REP-53 a directory that takes over accepts what the first one did, and nothing twice', async () => {
  const keep = await opened({ store: source.store, dataDir: join(home, 'beside') });
  const held = await heldOf(keep);
  await source.ship();
  const [standby, restored] = [join(home, 'standby'), join(home, 'restored')];
  await (await followReplica({ target, dataDir: standby, pollMs: 3_600_000 })).close();
  await restoreReplica({ from: target, dataDir: restored });
  await promoteReplica({ target, dataDir: standby });
  await promoteReplica({ target, dataDir: restored });
  for (const dataDir of [standby, restored]) await expectSame(await opened({ dataDir }), held);
});
