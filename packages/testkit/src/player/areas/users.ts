/**
 * Accounts through the account operations.
 */
import { Refusal } from '../../models/outcome.js';
import * as lockout from '../../models/lockout.js';
import {
  actingAuthority,
  changeAccount,
  disableAccount,
  endSessions,
  isBindable,
  isEmailTaken,
  requireGrantable,
  requireManager,
  shownUser,
} from '../../models/people.js';
import type { Play } from '../play.js';
import { requirePasswords } from '../../models/sign-in-model.js';
import { asAccount, type Principal, requireRole } from '../../models/principal.js';
import type { Rule } from '../rule.js';
import { UNKNOWN_ID, PASSWORDS, USERNAMES } from '../vocabulary.js';
import { type Account, INSTALLATION } from '../../models/world.js';

/** Lists of roles to give. */
export const ROLES = [['Read'], [], ['Read', 'Write'], ['Admin'], ['SuperAdmin', 'Read']] as const;
const WEAK = 'weak';

/** Whether a principal administers accounts. */
export function isAdmin({ role }: Principal): boolean {
  return role !== null;
}

/** Names another authority now and then. */
export function tenancy({ dice }: Play): { tenant_id?: string } {
  return dice.isLucky(15) ? { tenant_id: dice.one(['tenant-a', 'tenant-b', 'nowhere']) } : {};
}

/** Draws the id of an account, mostly an active one of this authority. */
export function someAccountId({ dice, world }: Play, authority: string): string {
  const near = world.accounts.filter((each) => each.authority === authority && !each.isDeleted);
  const isNear = near.length > 0 && dice.isLucky(85);
  return (dice.any(isNear ? near : world.accounts) ?? { id: UNKNOWN_ID }).id;
}

function emailOf({ dice }: Play): { email?: string | null } {
  if (dice.isLucky(50)) return {};
  return { email: dice.one(['ann@example.test', 'bob@example.test', null]) };
}

/** An account that the caller may see, or a refusal. */
export function visible(play: Play, who: Principal, id: string, asked?: string): Account {
  const { world } = play;
  const authority = actingAuthority(world, who, asked);
  const isSelf = who.account?.id === id && who.account.authority === authority;
  if (who.role === null && !isSelf) throw new Refusal('forbidden');
  const found = world.accounts.find((each) => each.id === id && each.authority === authority);
  if (found === undefined || found.isDeleted) throw new Refusal('target_not_found');
  return found;
}

/** Requires an account or an administrator, who may ask for a single account. */
export function requireParty({ account, role }: Principal): void {
  if (account === undefined && role === null) throw new Refusal('forbidden');
}

/** An account that the caller may manage, or a refusal. */
export function managed(play: Play, who: Principal, id: string, asked?: string): Account {
  const account = visible(play, who, id, asked);
  requireManager(play.world, who, account);
  return account;
}

const create: Rule = {
  name: 'create a user',
  weight: 3,
  run: async (play) => {
    const { dice, world } = play;
    const parameters = tenancy(play);
    const caller = play.caller(isAdmin);
    const own = world.credentials
      .list(parameters.tenant_id ?? caller.authority)
      .map(({ id }) => id);
    const bound = dice.isLucky(40) ? dice.any([...own, ...world.globals.keys()]) : undefined;
    const document = {
      username: dice.one(USERNAMES),
      password: dice.isLucky(90) ? dice.one(PASSWORDS) : WEAK,
      roles: [...dice.one(ROLES)],
      ...emailOf(play),
      ...(bound === undefined ? {} : { credential_id: bound }),
    };
    const { username, password, roles, email = null } = document;
    await play.ask('createUser', caller, { parameters, document }, (made, who) => {
      requireRole(who);
      const authority = actingAuthority(world, who, parameters.tenant_id);
      if (password === WEAK) throw new Refusal('weak_password');
      requireGrantable(who, roles);
      if (bound !== undefined) requireBinder(play, who, authority, bound);
      const isTaken =
        world.accountNamed(authority, username) !== undefined ||
        (email !== null && isEmailTaken(world, { authority, id: UNKNOWN_ID }, email));
      if (isTaken) throw new Refusal('already_exists');
      const account: Account = {
        ...{ id: made.id, authority, username, password, email, roles },
        credentialId: bound ?? null,
        createdAt: world.now,
        updatedAt: world.now,
        history: ['login_account_created'],
        links: [],
        isActive: true,
        disabledAt: null,
        isDeleted: false,
        lastLogin: null,
      };
      world.accounts.push(account);
      world.count(authority, 'user_created');
      return shownUser(account);
    });
  },
};

/** Requires the right to bind an account to a credential, and a credential that is live. */
export function requireBinder(
  { world }: Play,
  who: Principal,
  authority: string,
  id: string,
): void {
  const { credential, global } = who;
  const isTrusted =
    global !== undefined
      ? global.isMaster
      : credential?.tenant_id === authority &&
        credential.spec.capabilities.includes('credential_admin');
  if (!isTrusted || !isBindable(world, authority, id)) throw new Refusal('forbidden');
}

const list: Rule = {
  name: 'list users',
  weight: 2,
  run: async (play) => {
    const parameters = tenancy(play);
    await play.ask('listUsers', play.caller(isAdmin), { parameters }, (_made, who) => {
      requireRole(who);
      const authority = actingAuthority(play.world, who, parameters.tenant_id);
      const users = play.world.accounts
        .filter((each) => each.authority === authority && !each.isDeleted)
        .sort((one, other) => (one.username < other.username ? -1 : 1));
      return { users: users.map(shownUser), next_cursor: null };
    });
  },
};

const get: Rule = {
  name: 'get a user',
  weight: 2,
  run: async (play) => {
    const parameters = tenancy(play);
    const caller = play.caller(isAccountOrAdmin);
    const id = someAccountId(play, caller.authority);
    const parts = { id, parameters };
    await play.ask('getUser', caller, parts, (_made, who) => {
      requireParty(who);
      return shownUser(visible(play, who, id, parameters.tenant_id));
    });
  },
};

/** Whether a principal may ask for a single account. */
export function isAccountOrAdmin({ account, role }: Principal): boolean {
  return account !== undefined || role !== null;
}

const update: Rule = {
  name: 'update a user',
  weight: 3,
  run: async (play) => {
    const { dice, world } = play;
    const parameters = tenancy(play);
    const caller = play.caller(isAccountOrAdmin);
    const self = play.principal(caller)?.account?.id;
    const id =
      dice.isLucky(30) && self !== undefined ? self : someAccountId(play, caller.authority);
    const document = {
      ...emailOf(play),
      ...(dice.isLucky(20) ? { password: dice.one(PASSWORDS) } : {}),
      ...(dice.isLucky(30) ? { is_active: dice.isLucky(70) } : {}),
      ...(dice.isLucky(20) ? { roles: [...dice.one(ROLES)] } : {}),
    };
    await play.ask('updateUser', caller, { id, parameters, document }, (_made, who) => {
      requireParty(who);
      const account = changeable(play, who, { id, parameters, document });
      changeAccount(world, account, document);
      if (document.password !== undefined) {
        lockout.renew(world, account.authority, account.username);
      }
      return shownUser(account);
    });
  },
};

function changeable(
  play: Play,
  who: Principal,
  call: { id: string; parameters: { tenant_id?: string }; document: object },
): Account {
  const { id, parameters, document } = call;
  const isHarmless = Object.keys(document).every((member) => member === 'email');
  // The authority is settled before the rights over the account.
  actingAuthority(play.world, who, parameters.tenant_id);
  const isSelf =
    who.account?.id === id && (parameters.tenant_id ?? who.authority) === who.authority;
  if (isHarmless && isSelf) return visible(play, who, id, parameters.tenant_id);
  if ('roles' in document) requireGrantable(who, document.roles as string[]);
  return managed(play, who, id, parameters.tenant_id);
}

const setRoles: Rule = {
  name: 'set roles',
  weight: 1,
  run: async (play) => {
    const { dice, world } = play;
    const caller = play.caller(isAdmin);
    const id = someAccountId(play, caller.authority);
    const roles = [...dice.one(ROLES)];
    const parts = { id, parameters: tenancy(play), document: { roles } };
    await play.ask('setUserRoles', caller, parts, (_made, who) => {
      requireRole(who);
      actingAuthority(world, who, parts.parameters.tenant_id);
      requireGrantable(who, roles);
      const account = managed(play, who, id, parts.parameters.tenant_id);
      changeAccount(world, account, { roles });
      return shownUser(account);
    });
  },
};

const remove: Rule = {
  name: 'delete a user',
  weight: 1,
  run: async (play) => {
    const { world } = play;
    const caller = play.caller(isAdmin);
    const id = someAccountId(play, caller.authority);
    const parts = { id, parameters: tenancy(play) };
    await play.ask('deleteUser', caller, parts, (_made, who) => {
      requireRole(who);
      const account = managed(play, who, id, parts.parameters.tenant_id);
      disableAccount(world, account);
      Object.assign(account, { isDeleted: true, email: null });
      for (const key of world.keys) if (key.account === account) key.isDeleted = true;
      world.count(account.authority, 'user_deleted');
      return { success: true };
    });
  },
};

const reset: Rule = {
  name: 'reset a password',
  weight: 1,
  run: async (play) => {
    const { dice, world } = play;
    const caller = play.caller(isAdmin);
    const id = someAccountId(play, caller.authority);
    const password = dice.isLucky(90) ? dice.one(PASSWORDS) : WEAK;
    const parts = { id, parameters: tenancy(play), document: { new_password: password } };
    await play.ask('resetPassword', caller, parts, (_made, who) => {
      requireRole(who);
      actingAuthority(world, who, parts.parameters.tenant_id);
      if (password === WEAK) throw new Refusal('weak_password');
      const account = managed(play, who, id, parts.parameters.tenant_id);
      changeAccount(world, account, { password });
      lockout.renew(world, account.authority, account.username);
      return { success: true };
    });
  },
};

const changeOwn: Rule = {
  name: 'change the own password',
  weight: 2,
  run: async (play) => {
    const { dice, world } = play;
    const document = { current_password: dice.one(PASSWORDS), new_password: dice.one(PASSWORDS) };
    const { current_password: current, new_password: next } = document;
    const caller = play.caller(({ account }) => account !== undefined);
    await play.ask('changeOwnPassword', caller, { document }, (_made, who) => {
      const account = asAccount(who);
      const { authority, username } = account;
      requirePasswords(world, authority);
      if (lockout.isLocked(world, authority, username)) throw new Refusal('account_locked');
      if (account.password !== current) {
        lockout.fail(world, authority, username);
        world.count(authority, 'login_failed');
        throw new Refusal('invalid_login');
      }
      if (next === current) throw new Refusal('invalid_request');
      changeAccount(world, account, { password: next });
      lockout.succeed(world, authority, username);
      return { success: true };
    });
  },
};

const revokeAll: Rule = {
  name: 'revoke all tokens',
  weight: 1,
  run: async (play) => {
    const { dice, world } = play;
    const caller = play.caller(isAdmin);
    const id = someAccountId(play, caller.authority);
    const reason = dice.isLucky(30) ? { reason: 'security_incident' } : {};
    const keys = dice.isLucky(30) ? { include_api_keys: dice.isLucky(50) } : {};
    const parts = { parameters: tenancy(play), document: { user_id: id, ...reason, ...keys } };
    await play.ask('revokeAllTokens', caller, parts, (_made, who) => {
      requireRole(who);
      const account = managed(play, who, id, parts.parameters.tenant_id);
      endSessions(world, account);
      if (keys.include_api_keys ?? reason.reason !== undefined) {
        for (const key of world.keys) {
          if (key.account !== account || key.isDeleted) continue;
          key.isDeleted = true;
          world.count(account.authority, 'api_key_revoked');
        }
      }
      world.count(account.authority, 'all_tokens_revoked');
      return { success: true, user_id: id };
    });
  },
};

/** Steps that manage accounts through the account operations. */
export const userRules = [
  ...[create, list, get, update, setRoles, remove],
  ...[reset, changeOwn, revokeAll],
];

/** Adds an account of the installation that the operator made. */
export function operatorAccount(play: Play, id: string, username: string): void {
  play.world.accounts.push({
    ...{ id, username, authority: INSTALLATION, password: PASSWORDS[0], email: null },
    roles: ['SuperAdmin'],
    credentialId: null,
    createdAt: play.clock.now(),
    updatedAt: play.clock.now(),
    history: ['login_account_created'],
    links: [],
    isActive: true,
    disabledAt: null,
    isDeleted: false,
    lastLogin: null,
  });
}
