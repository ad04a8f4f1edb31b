/**
 * Rules that both views of accounts share (docs/contract/login-accounts.md).
 */
import { newest } from './histories.js';
import { Refusal } from './outcome.js';
import { isLiveCredential, isLiveGlobal, type Principal, roleOf } from './principal.js';
import { type Account, INSTALLATION, timeText, type World } from './world.js';

/** An account as the account operations show it. */
export function shownUser(account: Account) {
  const { id, username, email, roles, authority, lastLogin } = account;
  return {
    ...{ id, username, email, roles },
    is_active: account.isActive && account.disabledAt === null,
    created_at: timeText(account.createdAt),
    updated_at: timeText(account.updatedAt),
    last_login: lastLogin === null ? null : timeText(lastLogin),
    tenant_id: authority === INSTALLATION ? null : authority,
    credential_id: account.credentialId,
  };
}

/** An account as the platform operations show it. */
export function shownAccount({ id, username, authority, ...account }: Account) {
  return {
    ...{ id, username },
    authority:
      authority === INSTALLATION ? { kind: 'global' } : { kind: 'tenant', tenant_id: authority },
    credential_id: account.credentialId,
    revision: account.history.length,
    disabled_at_millis: account.disabledAt,
    history: newest(account.history.map((action, index) => ({ revision: index + 1, action }))),
  };
}

/** The authority of a call. A global administrator may name a tenant. */
export function actingAuthority(
  world: World,
  { authority, role }: Principal,
  asked: string | undefined,
): string {
  if (asked === undefined || asked === authority) return authority;
  if (authority !== INSTALLATION || role === null) throw new Refusal('forbidden');
  if (!world.tenants.has(asked)) throw new Refusal('tenant_not_found');
  return asked;
}

/** Requires the right to manage an account. */
export function requireManager(world: World, who: Principal, account: Account): void {
  const isByCredential = who.account === undefined;
  const needsMore = roleOf(account) !== null || (isPrivileged(world, account) && !isByCredential);
  const isEnough = who.role === 'SuperAdmin' || (who.role === 'Admin' && !needsMore);
  if (!isEnough) throw new Refusal('forbidden');
}

/**
 * Requires the right to manage each administrator of an authority, other than the caller, from
 * which a change takes a way in.
 */
export function requireMayShutOut(
  world: World,
  who: Principal,
  authority: string,
  isShutOut: (account: Account) => boolean,
): void {
  for (const account of world.accounts) {
    if (account.authority !== authority || account.disabledAt !== null) continue;
    if (account === who.account || !isShutOut(account)) continue;
    if (roleOf(account) !== null || isPrivileged(world, account)) {
      requireManager(world, who, account);
    }
  }
}

/** Whether its credential issues others or belongs to the installation. */
function isPrivileged(world: World, { authority, credentialId }: Account): boolean {
  if (credentialId === null) return false;
  if (authority === INSTALLATION) return true;
  return world.credentials.get(credentialId).shown.spec.capabilities.includes('credential_admin');
}

/** Requires the right to grant these roles. */
export function requireGrantable({ role }: Principal, roles: readonly string[]): void {
  if (roleOf({ roles }) !== null && role !== 'SuperAdmin') throw new Refusal('forbidden');
}

/** Whether an account of an authority can be bound to a credential now. */
export function isBindable(world: World, authority: string, credentialId: string): boolean {
  if (authority === INSTALLATION) {
    const global = world.globals.get(credentialId);
    return global !== undefined && isLiveGlobal(global, world.now);
  }
  const own = world.credentials.list(authority).find(({ id }) => id === credentialId);
  return own !== undefined && isLiveCredential(own, world.now);
}

/** The members of an account to change. */
export interface AccountChange {
  readonly email?: string | null;
  readonly password?: string;
  readonly is_active?: boolean;
  readonly roles?: readonly string[];
}

/** Makes all changes of an account or none, and ends sessions that don't outlive them. */
export function changeAccount(world: World, account: Account, change: AccountChange): void {
  const { email, password, is_active, roles } = change;
  if (Object.keys(change).length === 0) return;
  if (account.disabledAt !== null) throw new Refusal('account_disabled');
  if (email !== undefined && email !== null && isEmailTaken(world, account, email)) {
    throw new Refusal('already_exists');
  }
  const isSameRoles =
    roles === undefined || [...roles].sort().join() === [...account.roles].sort().join();
  const after = {
    roles: isSameRoles ? account.roles : roles,
    isActive: is_active ?? account.isActive,
  };
  requireAdminLeft(world, account, after);
  const isSame =
    isSameRoles &&
    after.isActive === account.isActive &&
    (email ?? account.email) === account.email;
  const isCleared = email === null && account.email !== null;
  if (isSame && !isCleared && password === undefined) return;
  Object.assign(account, after);
  if (email !== undefined) account.email = email;
  if (password !== undefined) account.password = password;
  if (!isSameRoles || !after.isActive || password !== undefined) endSessions(world, account);
  account.updatedAt = world.now;
  account.history.push(password === undefined ? 'login_account_updated' : 'login_password_changed');
}

/** Disables an account for good. */
export function disableAccount(world: World, account: Account): void {
  if (account.disabledAt !== null) throw new Refusal('account_disabled');
  requireAdminLeft(world, account, { roles: [], isActive: false });
  account.disabledAt = world.now;
  account.updatedAt = world.now;
  account.history.push('login_account_disabled');
  endSessions(world, account);
}

/** Whether another account of the authority uses an address. */
export function isEmailTaken(
  world: World,
  { authority, id }: Pick<Account, 'authority' | 'id'>,
  email: string,
): boolean {
  return world.accounts.some(
    (each) => each.authority === authority && each.email === email && each.id !== id,
  );
}

/** Ends all sessions of an account. */
export function endSessions(world: World, account: Account): void {
  for (const each of world.sessions) if (each.account === account) each.isEnded = true;
}

function requireAdminLeft(
  world: World,
  account: Account,
  after: Pick<Account, 'roles' | 'isActive'>,
): void {
  const isAdmin = (each: Pick<Account, 'roles' | 'isActive'>): boolean =>
    each.isActive && each.roles.includes('SuperAdmin');
  if (account.authority !== INSTALLATION || !isAdmin(account) || isAdmin(after)) return;
  const others = world.accounts.filter(
    (each) => each !== account && each.authority === INSTALLATION && each.disabledAt === null,
  );
  if (!others.some(isAdmin)) throw new Refusal('last_admin');
}
