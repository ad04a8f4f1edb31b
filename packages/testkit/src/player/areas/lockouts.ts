/**
 * Lockouts as administrators see and change them.
 */
import { Refusal } from '../../models/outcome.js';
import * as lockout from '../../models/lockout.js';
import { actingAuthority, requireManager } from '../../models/people.js';
import type { Play } from '../play.js';
import { type Principal, requireRole } from '../../models/principal.js';
import type { Rule } from '../rule.js';
import { USERNAMES } from '../vocabulary.js';
import { isAdmin, tenancy } from './users.js';

function nameOf({ dice }: Play): string {
  return dice.one([...USERNAMES, 'root', 'nobody']);
}

/** The authority, if the caller may lock and unlock this name there. */
function authorityOver({ world }: Play, who: Principal, name: string, asked?: string): string {
  requireRole(who);
  const authority = actingAuthority(world, who, asked);
  const account = world.accountNamed(authority, name);
  if (account !== undefined) requireManager(world, who, account);
  return authority;
}

const list: Rule = {
  name: 'list lockouts',
  weight: 2,
  run: async (play) => {
    const { world } = play;
    const parameters = tenancy(play);
    await play.ask('listLockouts', play.caller(isAdmin), { parameters }, (_made, who) => {
      requireRole(who);
      const authority = actingAuthority(world, who, parameters.tenant_id);
      const names = [...world.lockouts.keys()].map((key) => JSON.parse(key) as [string, string]);
      const locked = names
        .filter(([of, name]) => of === authority && lockout.isLocked(world, of, name))
        .map(([, name]) => [name, lockout.shownLockout(world, authority, name)] as const)
        .sort(([one], [other]) => (one < other ? -1 : 1));
      return { count: locked.length, locked_users: locked, next_cursor: null };
    });
  },
};

const get: Rule = {
  name: 'get a lockout',
  weight: 3,
  run: async (play) => {
    const username = nameOf(play);
    const parts = { id: username, parameters: tenancy(play) };
    await play.ask('getLockout', play.caller(isAdmin), parts, (_made, who) => {
      requireRole(who);
      const authority = actingAuthority(play.world, who, parts.parameters.tenant_id);
      return { username, status: lockout.shownLockout(play.world, authority, username) };
    });
  },
};

const lock: Rule = {
  name: 'lock a name',
  weight: 1,
  run: async (play) => {
    const { dice, world } = play;
    const name = nameOf(play);
    const document = dice.isLucky(50) ? { reason: 'suspicious' } : {};
    const parts = { id: name, parameters: tenancy(play), document };
    await play.ask('lockAccount', play.caller(isAdmin), parts, (_made, who) => {
      const authority = authorityOver(play, who, name, parts.parameters.tenant_id);
      lockout.lock(world, authority, name, document.reason ?? null);
      world.count(authority, 'account_locked');
      return { success: true };
    });
  },
};

const unlock: Rule = {
  name: 'unlock a name',
  weight: 3,
  run: async (play) => {
    const name = nameOf(play);
    const parts = { id: name, parameters: tenancy(play) };
    await play.ask('unlockAccount', play.caller(isAdmin), parts, (_made, who) => {
      const authority = authorityOver(play, who, name, parts.parameters.tenant_id);
      if (!lockout.unlock(play.world, authority, name)) throw new Refusal('lockout_not_found');
      return { success: true };
    });
  },
};

/** Steps that see and change lockouts. */
export const lockoutRules = [list, get, lock, unlock];
