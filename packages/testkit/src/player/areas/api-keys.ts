/**
 * API keys of accounts, on both of their paths.
 */
import { Refusal } from '../../models/outcome.js';
import type { Play } from '../play.js';
import { asAccount, isLiveKey, type Principal, requireRole } from '../../models/principal.js';
import type { Rule } from '../rule.js';
import { UNKNOWN_ID } from '../vocabulary.js';
import { type Account, type ApiKey, timeText } from '../../models/world.js';
import { isAdmin, managed, someAccountId, tenancy } from './users.js';

const DAY = 86_400_000;
const KEYS_MAX = 64;

function isAccount({ account }: Principal): boolean {
  return account !== undefined;
}

function shown({ world }: Play, key: ApiKey) {
  const { id, name, createdAt, expiresAt } = key;
  return {
    ...{ id, name },
    created_at: timeText(createdAt),
    expires_at: expiresAt === null ? null : timeText(expiresAt),
    is_active: isLiveKey(world, key),
  };
}

/** The keys of an account, newest first. */
function shownKeys(play: Play, account: Account) {
  const own = play.world.keys.filter((each) => each.account === account && !each.isDeleted);
  return own.map((each) => shown(play, each)).reverse();
}

function create(operation: 'createApiKey' | 'createApiKeyAlias'): Rule {
  return {
    name: operation,
    weight: 1,
    run: async (play) => {
      const { dice, world } = play;
      const days = dice.isLucky(50) ? { expires_in_days: 1 + dice.below(2) } : {};
      const name = dice.one(['ci', 'laptop']);
      const caller = play.caller(({ session }) => session !== undefined);
      let key: ApiKey | undefined;
      const parts = { document: { name, ...days } };
      const made = await play.ask(operation, caller, parts, (it, who) => {
        const account = asAccount(who);
        if (who.session === undefined) throw new Refusal('forbidden');
        const live = world.keys.filter(
          (each) => each.account === account && isLiveKey(world, each),
        );
        if (live.length >= KEYS_MAX) throw new Refusal('api_key_limit');
        const { expires_in_days: life } = days;
        const expiresAt = life === undefined ? null : world.now + life * DAY;
        key = { id: it.id, account, name, createdAt: world.now, expiresAt, isDeleted: false };
        world.keys.push(key);
        world.count(account.authority, 'api_key_created');
        return { ...shown(play, key), is_active: undefined };
      });
      if (made === undefined || key === undefined) return;
      const { authority } = key.account;
      play.join({ kind: 'key', key, authority, proof: { kind: 'api_key', key: made.key } });
    },
  };
}

function list(operation: 'listApiKeys' | 'listApiKeysAlias'): Rule {
  return {
    name: operation,
    weight: 1,
    run: async (play) => {
      await play.ask(operation, play.caller(isAccount), { parameters: {} }, (_made, who) => {
        const account = asAccount(who);
        return { keys: shownKeys(play, account), next_cursor: null };
      });
    },
  };
}

function remove(operation: 'deleteApiKey' | 'deleteApiKeyAlias'): Rule {
  return {
    name: operation,
    weight: 1,
    run: async (play) => {
      const { dice, world } = play;
      const caller = play.caller(isAccount);
      const self = play.principal(caller)?.account;
      const own = world.keys.filter(({ account }) => account === self);
      const id = (dice.any(dice.isLucky(60) ? own : world.keys) ?? { id: UNKNOWN_ID }).id;
      await play.ask(operation, caller, { id }, (_made, who) => {
        const account = asAccount(who);
        const key = world.keys.find((each) => each.id === id && each.account === account);
        if (key === undefined || key.isDeleted) throw new Refusal('target_not_found');
        key.isDeleted = true;
        world.count(account.authority, 'api_key_revoked');
        return { success: true };
      });
    },
  };
}

const listOfUser: Rule = {
  name: 'listUserApiKeys',
  weight: 1,
  run: async (play) => {
    const caller = play.caller(isAdmin);
    const id = someAccountId(play, caller.authority);
    const parts = { id, parameters: tenancy(play) };
    await play.ask('listUserApiKeys', caller, parts, (_made, who) => {
      requireRole(who);
      const account = managed(play, who, id, parts.parameters.tenant_id);
      return { keys: shownKeys(play, account), next_cursor: null };
    });
  },
};

const revokeOfUser: Rule = {
  name: 'revokeUserApiKey',
  weight: 1,
  run: async (play) => {
    const { dice, world } = play;
    const caller = play.caller(isAdmin);
    const key = dice.any(world.keys);
    const id = dice.isLucky(80) && key !== undefined ? key.account.id : UNKNOWN_ID;
    const keyId = key?.id ?? UNKNOWN_ID;
    const parts = { id, parameters: tenancy(play), document: { key_id: keyId } };
    await play.ask('revokeUserApiKey', caller, parts, (_made, who) => {
      requireRole(who);
      const account = managed(play, who, id, parts.parameters.tenant_id);
      const found = world.keys.find((each) => each.id === keyId && each.account === account);
      if (found === undefined || found.isDeleted) throw new Refusal('target_not_found');
      found.isDeleted = true;
      world.count(account.authority, 'api_key_revoked');
      return { success: true };
    });
  },
};

/** Steps that manage API keys. */
export const apiKeyRules = [
  ...[create('createApiKey'), create('createApiKeyAlias')],
  ...[list('listApiKeys'), list('listApiKeysAlias')],
  ...[listOfUser, revokeOfUser],
  ...[remove('deleteApiKey'), remove('deleteApiKeyAlias')],
];
