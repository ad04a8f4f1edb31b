/**
 * The principal behind a proof, and its rights.
 */
import type { Capability, Credential, GlobalCapability } from '@agentkeep/core';
import type { CallerProof } from '@agentkeep/core/operator';
import { Refusal } from './outcome.js';
import {
  type Account,
  type ApiKey,
  type GlobalCredential,
  INSTALLATION,
  type Session,
  type World,
} from './world.js';

/** A proof that is a secret. */
type SecretCallerProof = Extract<CallerProof, { kind: 'bearer' | 'api_key' }>;

/** The holder of a proof, live or dead. */
export type Caller = { readonly proof: SecretCallerProof; readonly authority: string } & (
  | { readonly kind: 'credential'; readonly id: string; readonly secretNumber: number }
  | { readonly kind: 'global'; readonly id: string; readonly secretNumber: number }
  | {
      readonly kind: 'delegated';
      readonly id: string;
      readonly secretNumber: number;
      readonly subject: string;
      readonly endsAt: number;
    }
  | {
      readonly kind: 'federated';
      readonly id: string;
      /** The revision of the issuer that its token was got with. */
      readonly issuerRevision: number;
      readonly endsAt: number;
    }
  | { readonly kind: 'opaque'; readonly session: Session }
  | { readonly kind: 'jwt'; readonly session: Session; readonly jti: string; readonly exp: number }
  | { readonly kind: 'key'; readonly key: ApiKey }
);

/** The principal of a live proof. */
export interface Principal {
  readonly kind: Caller['kind'];
  readonly authority: string;
  readonly role: 'Admin' | 'SuperAdmin' | null;
  readonly account?: Account | undefined;
  readonly session?: Session | undefined;
  /** The credential of the tenant that it acts with. */
  readonly credential?: Credential | undefined;
  /** The subject that it acts for with that credential. */
  readonly actingFor?: string | undefined;
  /** The credential of the installation that it acts with. */
  readonly global?: GlobalCredential | undefined;
}

/** The principal behind a proof, or a refusal. */
export function principalOf(world: World, caller: Caller): Principal {
  const { kind, authority } = caller;
  if (caller.kind === 'credential') {
    const { id: credentialId, secretNumber } = caller;
    const credential = world.credentials.authenticate({ credentialId, secretNumber }, world.now);
    const isAdmin = credential.spec.capabilities.includes('credential_admin');
    return { kind, authority, credential, role: isAdmin ? 'Admin' : null };
  }
  if (caller.kind === 'delegated') {
    const { id: credentialId, secretNumber, subject: actingFor, endsAt } = caller;
    const holder = { credentialId, secretNumber, actingFor };
    if (world.now >= endsAt) throw new Refusal('unauthorized');
    const credential = world.credentials.authenticate(holder, world.now);
    return { kind, authority, credential, actingFor, role: null };
  }
  if (caller.kind === 'federated') {
    const { shown: credential } = world.credentials.get(caller.id);
    const { subject_id } = credential.spec;
    const isSame = issuerOf(world, credential)?.revision === caller.issuerRevision;
    const isBlocked = world.credentials.limitsOf(authority, subject_id)?.is_blocked === true;
    const isLive = isProvable(world, caller.id) && world.now < caller.endsAt;
    if (!isSame || isBlocked || !isLive) throw new Refusal('unauthorized');
    const isAdmin = credential.spec.capabilities.includes('credential_admin');
    return { kind, authority, credential, role: isAdmin ? 'Admin' : null };
  }
  if (caller.kind === 'global') {
    const global = world.globals.get(caller.id)!;
    const age = global.secretNumber - caller.secretNumber;
    const isCurrent = age === 0 || (age === 1 && world.now < global.previousEndsAt);
    if (!isCurrent || !isLiveGlobal(global, world.now)) throw new Refusal('unauthorized');
    return { kind, authority, global, role: global.isMaster ? 'SuperAdmin' : null };
  }
  return accountOf(world, caller);
}

/** Whether an issuer can prove a credential. */
export function isProvable(world: World, id: string): boolean {
  const { shown } = world.credentials.get(id);
  return issuerOf(world, shown)?.is_blocked === false && isLiveCredential(shown, world.now);
}

/** The issuer that proves a credential. */
function issuerOf(world: World, { tenant_id, federation }: Credential) {
  return federation && world.issuers.get(`${tenant_id}/${federation.issuer}`);
}

function accountOf(
  world: World,
  caller: Extract<Caller, { kind: 'opaque' | 'jwt' | 'key' }>,
): Principal {
  const session = caller.kind === 'key' ? undefined : caller.session;
  const account = caller.kind === 'key' ? caller.key.account : caller.session.account;
  const bound = boundTo(world, account);
  const isLive =
    isActive(account) &&
    (account.credentialId === null || bound.isLive) &&
    (caller.kind !== 'key' || isLiveKey(world, caller.key)) &&
    (session === undefined || isLiveSession(world, session)) &&
    (caller.kind !== 'jwt' || (world.now < caller.exp && !world.revokedTokens.has(caller.jti)));
  if (!isLive) throw new Refusal('unauthorized');
  requireUnblocked(world, account);
  const { kind, authority } = caller;
  const { credential, global } = bound;
  return { kind, authority, account, session, credential, global, role: roleOf(account) };
}

/** Refuses an account that acts with a credential of a blocked subject. */
export function requireUnblocked(world: World, account: Account): void {
  const { credential } = boundTo(world, account);
  if (credential === undefined) return;
  const limits = world.credentials.limitsOf(account.authority, credential.spec.subject_id);
  if (limits?.is_blocked === true) throw new Refusal('subject_blocked');
}

/** Whether a session is open and its credential unchanged since the login. */
export function isLiveSession(world: World, session: Session): boolean {
  const { isEnded, endsAt, pinned, boundId, account } = session;
  const isPinned = boundId === account.credentialId && pinned === boundTo(world, account).revision;
  return !isEnded && world.now < endsAt && isPinned;
}

/** Whether a key is live, regardless of its account. */
export function isLiveKey(world: World, { isDeleted, expiresAt }: ApiKey): boolean {
  return !isDeleted && (expiresAt === null || world.now < expiresAt);
}

/** Whether an account is active. */
export function isActive({ isActive: active, disabledAt, isDeleted }: Account): boolean {
  return active && disabledAt === null && !isDeleted;
}

/** The credential that an account is bound to. */
export function boundTo(world: World, { authority, credentialId }: Account) {
  if (credentialId === null) return { revision: null, isLive: true };
  if (authority === INSTALLATION) {
    const global = world.globals.get(credentialId)!;
    return { global, revision: global.history.length, isLive: isLiveGlobal(global, world.now) };
  }
  const credential = world.credentials.get(credentialId).shown;
  return {
    credential,
    revision: credential.revision,
    isLive: isLiveCredential(credential, world.now),
  };
}

/** Whether a credential of a tenant is neither revoked nor expired. */
export function isLiveCredential({ revoked_at_millis, spec }: Credential, now: number): boolean {
  const { expires_at_millis } = spec;
  return revoked_at_millis === null && (expires_at_millis === null || now < expires_at_millis);
}

/** Whether a credential of the installation is neither revoked nor expired. */
export function isLiveGlobal({ revokedAt, expiresAt }: GlobalCredential, now: number): boolean {
  return revokedAt === null && (expiresAt === null || now < expiresAt);
}

/** The strongest of the roles that have rights. */
export function roleOf({ roles }: Pick<Account, 'roles'>): Principal['role'] {
  if (roles.includes('SuperAdmin')) return 'SuperAdmin';
  return roles.includes('Admin') ? 'Admin' : null;
}

/** The credential that serves platform operations of a tenant, or a refusal. */
export function asTenant(principal: Principal, capability?: Capability): Credential {
  const { credential, global } = principal;
  if (global !== undefined) throw new Refusal('unauthorized');
  if (credential === undefined) throw new Refusal('forbidden');
  if (capability !== undefined && !credential.spec.capabilities.includes(capability)) {
    throw new Refusal('forbidden');
  }
  return credential;
}

/** The credential that serves operations of the installation, or a refusal. */
export function asGlobal(
  { global }: Principal,
  needs: GlobalCapability | 'master' | 'any',
): GlobalCredential {
  const isEnough =
    global !== undefined &&
    (needs === 'any' ||
      (needs === 'master' ? global.isMaster : global.capabilities.includes(needs)));
  if (!isEnough) throw new Refusal('forbidden');
  return global;
}

/** Requires an administrator of its authority. */
export function requireRole({ role }: Principal, needs: 'Admin' | 'SuperAdmin' = 'Admin'): void {
  if (role !== 'SuperAdmin' && role !== needs) throw new Refusal('forbidden');
}

/** The account of the principal, or a refusal. */
export function asAccount({ account }: Principal): Account {
  if (account === undefined) throw new Refusal('forbidden');
  return account;
}

/** The id of the actor of a change in histories. */
export function actorOf({ credential, global, account }: Principal): string {
  return (credential ?? global ?? account)!.id;
}
