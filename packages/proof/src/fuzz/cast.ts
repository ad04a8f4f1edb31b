/** Every kind of caller, in two tenants and in the installation. */
import type { Keep } from '@agentkeep/core';
import { bootstrapMaster, bootstrapTenant, createAdmin } from '@agentkeep/core/operator';
import { type Caller, GLOBAL, type Login, unauthenticated } from './caller.js';
import { givesCredential, holderOf, type Issued, proofIn } from './issued.js';
import type { World } from './world.js';

/** The tenants of all callers. */
const TENANTS = ['alpha', 'beta'] as const;

/**
 * Sends a request of the setup and returns its answer.
 * @throws {RefusedError} The request fails.
 */
export type Ask = (
  method: string,
  path: string,
  proof: Caller['proof'],
  document?: unknown,
) => Promise<Issued>;

/** A failed request of the setup. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly status: number;

  constructor(what: string, status: number) {
    super(`A request of the setup was refused: ${what}`);
    this.status = status;
  }
}

/** Each account has its own password, so that no proof works for another account. */
const passwordOf = (username: string, authority: string): string =>
  `Correct-Horse-7 ${username} ${authority}`;

const named = (username: string, authority: string) => ({
  username,
  password: passwordOf(username, authority),
});
const version = { contract_version: 1 };
const ALL = [
  ...['memory_read', 'memory_write', 'memory_propose', 'memory_review'],
  ...['procedure_propose', 'procedure_evaluate', 'policy_admin'],
  ...['experience_read', 'experience_write', 'experience_report'],
  ...['tool_read', 'tool_develop', 'tool_report', 'tool_admin'],
];
const GLOBAL_ALL = ['tenant_create', 'tenant_inspect', 'tenant_admin', 'global_credential_admin'];

/** Scopes that agents are granted, with and without a mission. */
const SCOPES: Caller['scopes'] = [
  { project_id: 'p', agent_id: 'a', visibility: 'private' },
  { project_id: 'p', agent_id: 'a', visibility: 'shared' },
  { project_id: 'p', mission_id: 'm', agent_id: 'a', visibility: 'shared' },
];

/** Creates the callers of a new keep. */
export async function assemble(world: World, keep: Keep, ask: Ask): Promise<void> {
  world.cast(unauthenticated);
  await assembleInstallation(world, keep, ask);
  for (const tenantId of TENANTS) {
    world.marks.watch(tenantId);
    await assembleTenant(world, keep, ask, tenantId);
  }
}

const blankOf = (name: string): Caller => ({ ...unauthenticated, name });

async function assembleInstallation(world: World, keep: Keep, ask: Ask): Promise<void> {
  const made = await bootstrapMaster(keep, 'root');
  const held = holderOf(made, blankOf('the master'));
  const master = withRights(held, ['master', 'Admin', 'installation Admin']);
  world.cast(master);
  for (const [name, capabilities] of [
    ['a delegate', GLOBAL_ALL],
    ['an inspecting delegate', ['tenant_inspect']],
  ] as const) {
    const spec = { subject_id: name, capabilities };
    const path = '/api/v1/admin/credentials';
    const issued = await ask('POST', path, master.proof, { ...version, spec });
    if (givesCredential(issued)) world.cast(holderOf(issued, blankOf(name)));
  }
  const admin = ['Admin', 'installation Admin'];
  await createAdmin(keep, named('chief', GLOBAL));
  await createAdmin(keep, { ...named('clerk', GLOBAL), role: 'Admin' });
  await createAdmin(keep, { ...named('rooted', GLOBAL), credentialId: made.credential.id });
  await ask('POST', '/api/v1/users', master.proof, named('viewer', GLOBAL));
  await ask('POST', '/api/v1/users', master.proof, named('spare', GLOBAL));
  const enter = entrance(world, ask, GLOBAL);
  await enter('chief', admin, { withKey: true });
  await enter('clerk', admin, {});
  await enter('rooted', [...master.rights], { isOpaque: true });
  await enter('viewer', [], {});
  learnLogin(world, GLOBAL, 'spare');
}

async function assembleTenant(world: World, keep: Keep, ask: Ask, tenantId: string): Promise<void> {
  const made = await bootstrapTenant(keep, { tenantId, subjectId: 'ops' });
  const admin = holderOf(made, blankOf(`administrator of ${tenantId}`));
  world.cast(admin);
  const issue = async (subject_id: string, capabilities: readonly string[], grants: unknown) => {
    const spec = { subject_id, capabilities, grants };
    const issued = await ask('POST', '/api/v1/credentials', admin.proof, { ...version, spec });
    if (!givesCredential(issued)) throw new Error('The answer contains no secret.');
    const caller = holderOf(issued, blankOf(`${subject_id} of ${tenantId}`));
    world.cast(caller);
    return { caller, id: issued.credential.id };
  };
  const agent = await issue('agent', ALL, SCOPES);
  await issue('reader', ['memory_read', 'tool_read', 'experience_read'], SCOPES.slice(1));
  // The first administrator has no scope to report on, and an author never reviews its own.
  await issue(
    'keeper',
    ['credential_admin', 'memory_read', 'memory_write', 'memory_review'],
    SCOPES,
  );
  const bound = { ...named('worker', tenantId), credential_id: agent.id };
  await ask('POST', '/api/v1/login-accounts', admin.proof, { ...version, ...bound });
  const person = (username: string, roles: readonly string[]) =>
    ask('POST', '/api/v1/users', admin.proof, { ...named(username, tenantId), roles });
  await createAdmin(keep, { ...named('boss', tenantId), tenantId });
  await createAdmin(keep, { ...named('ann', tenantId), tenantId, role: 'Admin' });
  await person('ben', ['Read']);
  await person('spare', []);
  const enter = entrance(world, ask, tenantId);
  const { rights, scopes, subjectId } = agent.caller;
  await enter('worker', [...rights], { withKey: true, isOpaque: true, scopes, subjectId });
  await enter('boss', ['Admin'], {});
  await enter('ann', ['Admin'], { withKey: true });
  await enter('ben', [], {});
  learnLogin(world, tenantId, 'spare');
}

/** Adds an account that requests may log in with, lock, and change the password of. */
function learnLogin(world: World, authority: string, username: string): void {
  const tenant_id = authority === GLOBAL ? null : authority;
  world.pool.learn('login', authority, username, { ...named(username, authority), tenant_id });
}

interface Entering extends Partial<Pick<Caller, 'scopes' | 'subjectId'>> {
  readonly withKey?: boolean;
  readonly isOpaque?: boolean;
}

/**
 * Returns a function that logs an account in and adds callers for its access token and, on request,
 * for an opaque session and an API key.
 */
function entrance(world: World, ask: Ask, authority: string) {
  return async (username: string, rights: readonly string[], entering: Entering): Promise<void> => {
    const { withKey = false, isOpaque = false, ...members } = entering;
    const tenancy = authority === GLOBAL ? {} : { tenantId: authority };
    const login: Login = { ...named(username, authority), ...tenancy };
    const blank = { ...unauthenticated, authority, login, ...members };
    const session = new Set([...rights, 'account', 'session']);
    const name = `${username} of ${authority}`;
    const bearer: Caller = { ...blank, name: `${name} by token`, rights: session };
    const entered = await enterAgain(ask, bearer);
    world.cast(entered);
    if (isOpaque) {
      world.cast(await enterAgain(ask, { ...bearer, name: `${name} by ${OPAQUE}` }));
    }
    if (!withKey) return;
    const issued = await ask('POST', '/api/v1/keys', entered.proof, { name: 'cast' });
    const keyRights = new Set([...rights, 'account']);
    const plain = { ...unauthenticated, authority, ...members };
    world.cast({ ...plain, name: `${name} by key`, rights: keyRights, proof: proofIn(issued) });
  };
}

const OPAQUE = 'opaque session';

/** Returns the same caller with a new session. */
export async function enterAgain(ask: Ask, caller: Caller): Promise<Caller> {
  const { username, password, tenantId } = caller.login ?? {};
  const tenancy = tenantId === undefined ? {} : { tenant_id: tenantId };
  const document = { username, password, ...tenancy };
  const isOpaque = caller.name.endsWith(OPAQUE);
  const opaquePath = tenantId === undefined ? '/api/v1/admin/login' : '/api/v1/login';
  const issued = isOpaque
    ? await ask('POST', opaquePath, [], { ...version, ...document })
    : await ask('POST', '/api/v1/auth/login', [], document);
  return { ...caller, proof: proofIn(issued) };
}

function withRights(caller: Caller, more: readonly string[]): Caller {
  return { ...caller, rights: new Set([...caller.rights, ...more]) };
}
