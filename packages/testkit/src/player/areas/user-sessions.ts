/** Sessions of accounts, as their owners and their administrators list and end them. */
import { Refusal } from '../../models/outcome.js';
import { boundTo, isActive, isLiveSession, type Principal } from '../../models/principal.js';
import { type Account, type Session, timeText } from '../../models/world.js';
import type { Play } from '../play.js';
import type { Rule } from '../rule.js';
import { UNKNOWN_ID } from '../vocabulary.js';
import {
  isAccountOrAdmin,
  managed,
  requireParty,
  someAccountId,
  tenancy,
  visible,
} from './users.js';

/** An account that the caller is or may manage, or a refusal. */
function ownOrManaged(play: Play, who: Principal, id: string, asked?: string): Account {
  requireParty(who);
  const account = visible(play, who, id, asked);
  return who.account === account ? account : managed(play, who, id, asked);
}

/** The live sessions of an account, in order of login. */
function liveOf({ world }: Play, account: Account): Session[] {
  if (!isActive(account) || !boundTo(world, account).isLive) return [];
  return world.sessions.filter((each) => each.account === account && isLiveSession(world, each));
}

function shown(session: Session, { session: current }: Principal) {
  const { id, kind, createdAt, endsAt, signIn } = session;
  return {
    ...{ session_id: id, kind },
    issuer: signIn?.issuer ?? null,
    created_at: timeText(createdAt),
    expires_at: timeText(endsAt),
    last_used: null,
    is_current: session === current,
  };
}

/** Draws the id of an account, now and then that of the caller. */
function someId(play: Play, self: Principal | undefined, authority: string): string {
  const own = self?.account?.id;
  return own !== undefined && play.dice.isLucky(40) ? own : someAccountId(play, authority);
}

const list: Rule = {
  name: 'list the sessions of an account',
  weight: 1,
  run: async (play) => {
    const caller = play.caller(isAccountOrAdmin);
    const id = someId(play, play.principal(caller), caller.authority);
    const parts = { id, parameters: tenancy(play) };
    await play.ask('listUserSessions', caller, parts, (_made, who) => {
      const account = ownOrManaged(play, who, id, parts.parameters.tenant_id);
      const sessions = liveOf(play, account).map((each) => shown(each, who));
      return { sessions: sessions.reverse() };
    });
  },
};

const end: Rule = {
  name: 'end a session of an account',
  weight: 2,
  run: async (play) => {
    const { dice, world } = play;
    const caller = play.caller(isAccountOrAdmin);
    const open = world.sessions.filter((each) => !each.isEnded);
    const self = play.principal(caller)?.account;
    const own = open.filter(({ account }) => account === self);
    const near = open.filter(({ account }) => account.authority === caller.authority);
    const session = dice.any(dice.isLucky(50) ? own : near);
    const isOfIt = session !== undefined && dice.isLucky(80);
    const id = isOfIt ? session.account.id : someAccountId(play, caller.authority);
    const sessionId = session?.id ?? UNKNOWN_ID;
    const parts = { id, parameters: tenancy(play), document: { session_id: sessionId } };
    await play.ask('endUserSession', caller, parts, (_made, who) => {
      const account = ownOrManaged(play, who, id, parts.parameters.tenant_id);
      const found = liveOf(play, account).find((each) => each.id === sessionId);
      if (found === undefined) throw new Refusal('target_not_found');
      found.isEnded = true;
      world.count(account.authority, 'session_ended');
      return { success: true };
    });
  },
};

/** Steps that list and end single sessions. */
export const userSessionRules = [list, end];
