/**
 * People who sign in by issuers: settings, links, sign-ins and logouts.
 */
import type { PartsOf } from '@agentkeep/core/clients';
import { Refusal } from '../../models/outcome.js';
import { actingAuthority, requireGrantable, requireMayShutOut } from '../../models/people.js';
import { actorOf, requireRole } from '../../models/principal.js';
import {
  admitted,
  endSignIns,
  issuerNamed,
  linkKey,
  type SignInIssuer,
  signInSettings,
  takesWayIn,
} from '../../models/sign-in-model.js';
import { type Account, INSTALLATION, type Session, timeText } from '../../models/world.js';
import { callbackOf, logoutToken, PEOPLE_CLIENT, PEOPLE_ISSUER } from '../../test-sign-in.js';
import { Whole } from '../compare.js';
import type { Play } from '../play.js';
import type { Rule } from '../rule.js';
import { TENANTS, USERNAMES } from '../vocabulary.js';
import { joinTokens, opened } from './logins.js';
import {
  isAdmin,
  managed,
  requireBinder,
  ROLES,
  someAccountId,
  tenancy,
  visible,
} from './users.js';

const ISSUERS = { staff: PEOPLE_ISSUER, guests: 'https://guests.example.test' } as const;
const NAMES = ['staff', 'guests'] as const;
const GROUPS = ['dev', 'ops', 'none'] as const;
const SUBS = ['u1', 'u2', 'u3'] as const;
const REDIRECT = 'https://memory.example.test/back';

const put: Rule = {
  name: 'state sign-in settings',
  weight: 3,
  run: async (play) => {
    const { dice, world } = play;
    const parameters = tenancy(play);
    const caller = play.caller(isAdmin);
    const authority = parameters.tenant_id ?? caller.authority;
    const issuers = NAMES.filter(() => dice.isLucky(80)).map((name) =>
      issuerOf(play, authority, name),
    );
    const isOpen = issuers.some((each) => !each.is_blocked);
    const allows_passwords = !isOpen || dice.isLucky(93);
    const { revision: known } = signInSettings(world, authority);
    const expected_revision = known + (dice.isLucky(8) ? 1 : 0);
    const asked = issuers.map(({ has_client_secret: _, ...issuer }) => issuer);
    const document = { expected_revision, allows_passwords, issuers: asked };
    await play.ask('putSignInSettings', caller, { parameters, document }, (_made, who) => {
      requireRole(who);
      const acting = actingAuthority(world, who, parameters.tenant_id);
      for (const { roles, credential_id } of issuers.flatMap(({ rules }) => rules)) {
        requireGrantable(who, roles);
        if (credential_id !== null) requireBinder(play, who, acting, credential_id);
      }
      const before = signInSettings(world, acting);
      const { revision } = before;
      if (revision !== expected_revision) throw new Refusal('revision_conflict');
      const after = { allows_passwords, issuers };
      requireMayShutOut(world, who, acting, ({ links }) => takesWayIn(links, before, after));
      const made = { updated_at: timeText(world.now), updated_by: actorOf(who) };
      const settings = { revision: revision + 1, allows_passwords, issuers, ...made };
      world.signIns.set(acting, settings);
      return new Whole(settings);
    });
  },
};

function issuerOf(
  { dice, world }: Play,
  authority: string,
  name: keyof typeof ISSUERS,
): SignInIssuer {
  const own = [...world.credentials.list(authority).map(({ id }) => id), ...world.globals.keys()];
  const rules = GROUPS.slice(0, dice.below(3)).map((value) => ({
    claims: [{ path: ['groups'], value }],
    roles: [...dice.one(ROLES)],
    credential_id: dice.isLucky(30) ? (dice.any(own) ?? null) : null,
    creates_accounts: dice.isLucky(70),
  }));
  return {
    ...{ name, issuer: ISSUERS[name], client_id: PEOPLE_CLIENT, scope: 'openid' },
    ...{ username_claim: ['preferred_username'], rules, has_client_secret: false },
    is_blocked: dice.isLucky(10),
  };
}

const show: Rule = {
  name: 'show sign-in settings',
  weight: 1,
  run: async (play) => {
    const parameters = tenancy(play);
    await play.ask('getSignInSettings', play.caller(isAdmin), { parameters }, (_made, who) => {
      requireRole(who);
      const authority = actingAuthority(play.world, who, parameters.tenant_id);
      return new Whole(signInSettings(play.world, authority));
    });
    const authority = somewhere(play);
    const parts = { parameters: authority === INSTALLATION ? {} : { tenant_id: authority } };
    await play.askWithoutProof('getSignInMethods', parts, () => {
      const { allows_passwords, issuers } = signInSettings(play.world, authority);
      const names = issuers.filter((each) => !each.is_blocked).map(({ name }) => name);
      return new Whole({ allows_passwords, issuers: names });
    });
  },
};

function somewhere({ dice }: Play): string {
  return dice.one([INSTALLATION, ...TENANTS, ...TENANTS, 'nowhere']);
}

const signIn: Rule = {
  name: 'sign in by an issuer',
  weight: 5,
  run: async (play) => {
    const { dice, world } = play;
    const authority = somewhere(play);
    const issuer = dice.one(NAMES);
    const tenant = authority === INSTALLATION ? {} : { tenant_id: authority };
    const document = { issuer, redirect_uri: REDIRECT, ...tenant };
    const begun = await play.askWithoutProof(
      'beginSignIn',
      { document },
      () => {
        if (issuerNamed(world, authority, issuer) === undefined) {
          throw new Refusal('issuer_not_found');
        }
        return { expires_in: 600 };
      },
      authority,
    );
    if (begun === undefined) return;
    const person = { sub: dice.one(SUBS), username: dice.one(USERNAMES), group: dice.one(GROUPS) };
    const { sub, username: preferred_username, group } = person;
    const sid = `${sub} ${dice.below(3)}`;
    const claims = { sub, sid, preferred_username, groups: ['all', group] };
    const isOurs = dice.isLucky(95);
    const callback = isOurs ? callbackOf(begun.authorization_url, claims) : 'code=x&state=x';
    await complete(
      play,
      { attempt: begun.attempt, callback },
      (madeId) => {
        const named = issuerNamed(world, authority, issuer);
        if (!isOurs || named === undefined) throw new Refusal('sign_in_refused');
        const account = admitted(world, authority, named, { person, madeId });
        return opened(world, account, 'jwt', { issuer: named.issuer, sid });
      },
      authority,
    );
  },
};

async function complete(
  play: Play,
  document: PartsOf<'completeSignIn'>['document'],
  model: (madeId: string) => Session,
  authority: string,
): Promise<void> {
  let session: Session | undefined;
  const made = await play.askWithoutProof(
    'completeSignIn',
    { document },
    ({ user_id }) => {
      session = model(user_id);
      const { id, username } = session.account;
      return { user_id: id, username, token_type: 'Bearer' };
    },
    authority,
  );
  if (made !== undefined && session !== undefined) joinTokens(play, made, session);
}

const logOut: Rule = {
  name: 'log out at the issuer',
  weight: 1,
  run: async (play) => {
    const { dice, world, clock } = play;
    const authority = dice.one([INSTALLATION, ...TENANTS]);
    const sub = dice.one(SUBS);
    const sid = dice.isLucky(50) ? `${sub} ${dice.below(3)}` : undefined;
    const tenant = authority === INSTALLATION ? {} : { tenant_id: authority };
    const claims = sid === undefined ? { sub } : dice.isLucky(50) ? { sid } : { sub, sid };
    const logout_token = logoutToken(clock.now(), claims);
    const document = { issuer: 'staff', logout_token, ...tenant };
    await play.askWithoutProof('receiveIssuerLogout', { document }, () => {
      const named = issuerNamed(world, authority, 'staff');
      if (named === undefined) throw new Refusal('logout_token_refused');
      const { issuer } = named;
      const account = world.linked.get(linkKey(authority, { issuer, sub }));
      endSignIns(world, (session) => {
        if (session.account.authority !== authority) return false;
        if (session.signIn?.issuer !== issuer) return false;
        if (sid !== undefined && session.signIn.sid !== sid) return false;
        return !('sub' in claims) || session.account === account;
      });
      world.count(authority, 'logout');
      return { success: true };
    });
  },
};

const putLinks: Rule = {
  name: 'link an account',
  weight: 2,
  run: async (play) => {
    const { dice, world } = play;
    const parameters = tenancy(play);
    const caller = play.caller(isAdmin);
    const id = someAccountId(play, caller.authority);
    const links = NAMES.filter(() => dice.isLucky(50)).map((name) => ({
      issuer: ISSUERS[name],
      sub: dice.one(SUBS),
      follows_rules: dice.isLucky(30),
    }));
    const parts = { id, parameters, document: { links } };
    await play.ask('putUserLinks', caller, parts, (_made, who) => {
      requireRole(who);
      actingAuthority(world, who, parameters.tenant_id);
      const account = managed(play, who, id, parameters.tenant_id);
      const { authority } = account;
      for (const link of links) {
        const holder = world.linked.get(linkKey(authority, link)) ?? account;
        if (holder !== account && holder.disabledAt === null) throw new Refusal('already_exists');
      }
      if (JSON.stringify(links) !== JSON.stringify(account.links)) relink(play, account, links);
      return new Whole({ links });
    });
  },
};

function relink({ world }: Play, account: Account, links: Account['links']): void {
  if (account.disabledAt !== null) throw new Refusal('account_disabled');
  const { authority } = account;
  for (const link of account.links) {
    world.linked.delete(linkKey(authority, link));
    const isKept = links.some((each) => each.issuer === link.issuer && each.sub === link.sub);
    if (isKept) continue;
    endSignIns(world, (each) => each.account === account && each.signIn?.issuer === link.issuer);
  }
  for (const link of links) world.linked.set(linkKey(authority, link), account);
  account.links = links;
  account.updatedAt = world.now;
  account.history.push('login_account_updated');
}

const showLinks: Rule = {
  name: 'show links of an account',
  weight: 1,
  run: async (play) => {
    const parameters = tenancy(play);
    const caller = play.caller(isAdmin);
    const id = someAccountId(play, caller.authority);
    await play.ask('getUserLinks', caller, { id, parameters }, (_made, who) => {
      if (who.account === undefined && who.role === null) throw new Refusal('forbidden');
      return new Whole({ links: visible(play, who, id, parameters.tenant_id).links });
    });
  },
};

/** Steps of people who sign in by issuers. */
export const signInRules = [put, show, signIn, logOut, putLinks, showLinks];
