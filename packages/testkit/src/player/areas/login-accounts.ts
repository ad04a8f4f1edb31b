/**
 * Accounts through the platform operations, in both authorities.
 */
import { Refusal } from '../../models/outcome.js';
import * as lockout from '../../models/lockout.js';
import { changeAccount, disableAccount, isBindable, shownAccount } from '../../models/people.js';
import type { Play } from '../play.js';
import { asGlobal, asTenant, type Principal, roleOf } from '../../models/principal.js';
import type { Rule } from '../rule.js';
import { UNKNOWN_ID, PASSWORDS, USERNAMES, VERSION } from '../vocabulary.js';
import { type Account, INSTALLATION } from '../../models/world.js';
import { isCredentialAdmin } from './credentials.js';
import { someAccountId } from './users.js';

/** One of the two views. */
interface View {
  readonly name: 'Tenant' | 'Global';
  readonly isFit: (principal: Principal) => boolean;
  /** The authority that a caller acts in, or a refusal. */
  readonly authorityOf: (principal: Principal) => string;
}

const views: readonly View[] = [
  {
    name: 'Tenant',
    isFit: isCredentialAdmin,
    authorityOf: (principal) => asTenant(principal, 'credential_admin').tenant_id,
  },
  {
    name: 'Global',
    isFit: ({ global }) => global?.isMaster === true,
    authorityOf: (principal) => {
      asGlobal(principal, 'master');
      return INSTALLATION;
    },
  },
];

function create({ name, isFit, authorityOf }: View): Rule {
  return {
    name: `create a login account (${name})`,
    weight: 2,
    run: async (play) => {
      const { dice, world } = play;
      const caller = play.caller(isFit);
      const ids =
        caller.authority === INSTALLATION
          ? [...world.globals.keys()]
          : world.credentials.list(caller.authority).map(({ id }) => id);
      const document = {
        ...VERSION,
        username: dice.one(USERNAMES),
        password: dice.isLucky(90) ? dice.one(PASSWORDS) : 'weak',
        credential_id: dice.isLucky(90) ? (dice.any(ids) ?? UNKNOWN_ID) : UNKNOWN_ID,
      };
      const { username, password, credential_id: credentialId } = document;
      await play.ask(`create${name}LoginAccount`, caller, { document }, (made, who) => {
        const authority = authorityOf(who);
        if (!isBindable(world, authority, credentialId)) throw new Refusal('forbidden');
        if (password === 'weak') throw new Refusal('weak_password');
        const isTaken = world.accountNamed(authority, username) !== undefined;
        if (isTaken) throw new Refusal('revision_conflict');
        const account: Account = {
          ...{ id: made.account.id, authority, username, password, credentialId, email: null },
          roles: ['Read'],
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
        return { account: shownAccount(account) };
      });
    },
  };
}

/** An account of the authority, or a refusal. */
function known({ world }: Play, authority: string, id: string): Account {
  const account = world.accounts.find((each) => each.id === id && each.authority === authority);
  if (account === undefined) throw new Refusal('forbidden');
  return account;
}

/** The account if the caller may change it at this revision. */
function changeable(play: Play, view: View, who: Principal, target: Target): Account {
  const account = known(play, view.authorityOf(who), target.id);
  const isMaster = who.global?.isMaster === true;
  const mayManage =
    roleOf(account) === null || who.role === 'SuperAdmin' || isMaster || who.account === account;
  if (account.disabledAt !== null || !mayManage) throw new Refusal('forbidden');
  if (account.history.length !== target.revision) throw new Refusal('revision_conflict');
  return account;
}

interface Target {
  readonly id: string;
  readonly revision: number;
}

function targetOf(play: Play, authority: string): Target {
  const id = someAccountId(play, authority);
  const known = play.world.accounts.find((each) => each.id === id)?.history.length ?? 1;
  return { id, revision: known + (play.dice.isLucky(15) ? 1 : 0) };
}

function inspect({ name, isFit, authorityOf }: View): Rule {
  return {
    name: `inspect a login account (${name})`,
    weight: 1,
    run: async (play) => {
      const caller = play.caller(isFit);
      const id = someAccountId(play, caller.authority);
      await play.ask(
        `inspect${name}LoginAccount`,
        caller,
        { id, parameters: {} },
        (_made, who) => ({
          account: shownAccount(known(play, authorityOf(who), id)),
        }),
      );
    },
  };
}

function list({ name, isFit, authorityOf }: View): Rule {
  return {
    name: `list login accounts (${name})`,
    weight: 1,
    run: async (play) => {
      const parts = { parameters: { ...VERSION, limit: 100 } };
      await play.ask(`list${name}LoginAccounts`, play.caller(isFit), parts, (_made, who) => {
        const authority = authorityOf(who);
        const accounts = play.world.accounts
          .filter((each) => each.authority === authority)
          .sort((one, other) => (one.username < other.username ? -1 : 1));
        return { page: { items: accounts.map(shownAccount), next_cursor: null } };
      });
    },
  };
}

function changePassword(view: View): Rule {
  return {
    name: `change the password of a login account (${view.name})`,
    weight: 1,
    run: async (play) => {
      const { dice, world } = play;
      const caller = play.caller(view.isFit);
      const target = targetOf(play, caller.authority);
      const password = dice.isLucky(90) ? dice.one(PASSWORDS) : 'weak';
      const document = { ...VERSION, expected_revision: target.revision, password };
      const parts = { id: target.id, document };
      await play.ask(`changePassword${view.name}LoginAccount`, caller, parts, (_made, who) => {
        const account = changeable(play, view, who, target);
        if (password === 'weak') throw new Refusal('weak_password');
        changeAccount(world, account, { password });
        lockout.renew(world, account.authority, account.username);
        return { account: shownAccount(account) };
      });
    },
  };
}

function disable(view: View): Rule {
  return {
    name: `disable a login account (${view.name})`,
    weight: 1,
    run: async (play) => {
      const caller = play.caller(view.isFit);
      const target = targetOf(play, caller.authority);
      const parts = { id: target.id, document: { ...VERSION, expected_revision: target.revision } };
      await play.ask(`disable${view.name}LoginAccount`, caller, parts, (_made, who) => {
        const account = changeable(play, view, who, target);
        disableAccount(play.world, account);
        return { account: shownAccount(account) };
      });
    },
  };
}

/** Steps that manage accounts through the platform operations. */
export const loginAccountRules = views.flatMap((view) => [
  ...[create(view), inspect(view), list(view)],
  ...[changePassword(view), disable(view)],
]);
