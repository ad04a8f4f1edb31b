/**
 * Logins, sessions and tokens.
 */
import { Refusal } from '../../models/outcome.js';
import * as lockout from '../../models/lockout.js';
import { shownAccount } from '../../models/people.js';
import { requirePasswords } from '../../models/sign-in-model.js';
import type { Play } from '../play.js';
import {
  boundTo,
  type Caller,
  isActive,
  isLiveSession,
  principalOf,
  requireUnblocked,
} from '../../models/principal.js';
import type { Rule } from '../rule.js';
import { PASSWORDS, TENANTS, USERNAMES, VERSION } from '../vocabulary.js';
import { type Account, INSTALLATION, type Session, type World } from '../../models/world.js';

const SECOND = 1_000;
const OPAQUE_LIFE = 900 * SECOND;
const CHAIN_LIFE = 24 * 60 * 60 * SECOND;
const TOKEN_LIFE = 60 * 60 * SECOND;
const LIVE_MAX = 32;

/** Refresh tokens with their sessions, for each history. */
const refreshTokens = new WeakMap<
  World,
  { token: string; session: Session; authority: string }[]
>();

function refreshTokensOf(world: World) {
  const known = refreshTokens.get(world) ?? [];
  refreshTokens.set(world, known);
  return known;
}

/** Draws a name and a password to log in with. */
interface Attempt {
  readonly authority: string;
  readonly username: string;
  readonly password: string;
}

function attemptOf({ dice, world }: Play, authority: string): Attempt {
  const names = world.accounts.filter((each) => each.authority === authority);
  const username = dice.isLucky(80) ? dice.any(names)?.username : undefined;
  const right = world.accountNamed(authority, username ?? '')?.password;
  return {
    authority,
    username: username ?? dice.one(USERNAMES),
    // An account that a sign-in made has a random password.
    password: dice.isLucky(65) ? right || PASSWORDS[0] : 'wrong',
  };
}

/** The session that a login opens, or a refusal. */
function open(world: World, attempt: Attempt, kind: Session['kind']): Session {
  const { authority, username, password } = attempt;
  requirePasswords(world, authority);
  if (lockout.isLocked(world, authority, username)) throw new Refusal('account_locked');
  const account = world.accountNamed(authority, username);
  const isGood =
    account?.password === password && isActive(account) && boundTo(world, account).isLive;
  if (!isGood) {
    lockout.fail(world, authority, username);
    world.count(authority, 'login_failed');
    throw new Refusal('invalid_login');
  }
  lockout.succeed(world, authority, username);
  return opened(world, account, kind);
}

/** The session of an account that is let in. */
export function opened(
  world: World,
  account: Account,
  kind: Session['kind'],
  signIn?: Session['signIn'],
): Session {
  world.count(account.authority, 'login');
  account.lastLogin = world.now;
  const { revision: pinned, credential, global } = boundTo(world, account);
  const end = credential?.spec.expires_at_millis ?? global?.expiresAt ?? Infinity;
  const endsAt = kind === 'jwt' ? world.now + CHAIN_LIFE : Math.min(world.now + OPAQUE_LIFE, end);
  makeRoom(world, account, kind);
  const { credentialId: boundId } = account;
  const by = signIn === undefined ? {} : { signIn };
  const session: Session = {
    ...{ id: '', account, kind, createdAt: world.now, endsAt, pinned, boundId },
    ...by,
    isEnded: false,
  };
  world.sessions.push(session);
  return session;
}

/** Removes the oldest when there are too many of a kind. */
function makeRoom(world: World, account: Account, kind: Session['kind']): void {
  const own = world.sessions.filter((each) => each.account === account && !each.isEnded);
  for (const each of own) if (!isLiveSession(world, each)) each.isEnded = true;
  const live = own.filter((each) => each.kind === kind && !each.isEnded);
  for (const each of live.slice(0, Math.max(0, live.length - LIVE_MAX + 1))) each.isEnded = true;
}

/** The claims of an access token. Any other claim is a mismatch. */
function claimsOf(token: string, { account, endsAt }: Session, now: number) {
  const text = Buffer.from(token.split('.')[1]!, 'base64url').toString();
  const claims = JSON.parse(text) as Record<string, unknown>;
  const exp = claims['exp'] as number;
  const isRight =
    claims['sub'] === account.id &&
    claims['username'] === account.username &&
    (claims['tenant_id'] ?? INSTALLATION) === account.authority &&
    String(claims['roles']) === String(account.roles) &&
    exp * SECOND <= Math.min(now + TOKEN_LIFE, endsAt);
  if (!isRight) throw new Error(`A token claims ${text}`);
  return { jti: claims['jti'] as string, exp: exp * SECOND, sid: claims['sid'] as string };
}

/** Adds the caller of new tokens. */
export function joinTokens(
  play: Play,
  { access_token, refresh_token }: { access_token: string; refresh_token: string },
  session: Session,
): void {
  const { authority } = session.account;
  joinToken(play, access_token, session);
  refreshTokensOf(play.world).push({ token: refresh_token, session, authority });
}

function joinToken(play: Play, token: string, session: Session): void {
  const { authority } = session.account;
  const proof = { kind: 'bearer', token } as const;
  const { sid, ...claims } = claimsOf(token, session, play.world.now);
  session.id = sid;
  play.join({ kind: 'jwt', session, authority, proof, ...claims });
}

/** The id of the session in an opaque token. */
function idInToken(token: string): string {
  const digits = /^[a-z0-9]+_[0-9a-f]{32}_(?<id>[0-9a-f]{32})_/u.exec(token)?.groups?.['id'] ?? '';
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/u, '$1-$2-$3-$4-');
}

/** Draws an authority to log in to. */
function somewhere({ dice }: Play): string {
  return dice.one([INSTALLATION, ...TENANTS, ...TENANTS, 'nowhere']);
}

const logIn: Rule = {
  name: 'log in',
  weight: 8,
  run: async (play) => {
    const { world } = play;
    const attempt = attemptOf(play, somewhere(play));
    const { authority, username, password } = attempt;
    const tenancy = authority === INSTALLATION ? {} : { tenant_id: authority };
    let session: Session | undefined;
    const model = () => {
      session = open(world, attempt, 'jwt');
      return { user_id: session.account.id, username, token_type: 'Bearer' };
    };
    const parts = { document: { username, password, ...tenancy } };
    const made = await play.askWithoutProof('authLogin', parts, model, authority);
    if (made === undefined || session === undefined) return;
    joinTokens(play, made, session);
  },
};

function platformLogIn(name: 'loginTenant' | 'loginGlobal'): Rule {
  return {
    name: `log in to the platform (${name})`,
    weight: 4,
    run: async (play) => {
      const { world, dice } = play;
      const authority = name === 'loginGlobal' ? INSTALLATION : dice.one(TENANTS);
      const attempt = attemptOf(play, authority);
      const { username, password } = attempt;
      const document = { ...VERSION, username, password };
      let session: Session | undefined;
      const model = () => {
        session = open(world, attempt, 'opaque');
        const account = shownAccount(session.account);
        return { session: { account, expires_at_millis: session.endsAt } };
      };
      const made =
        name === 'loginGlobal'
          ? await play.askWithoutProof(name, { document }, model, authority)
          : await play.askWithoutProof(
              name,
              { document: { ...document, tenant_id: authority } },
              model,
              authority,
            );
      if (made === undefined || session === undefined) return;
      const proof = { kind: 'bearer', token: made.session.token } as const;
      session.id = idInToken(made.session.token);
      play.join({ kind: 'opaque', session, authority, proof });
    },
  };
}

const refresh: Rule = {
  name: 'refresh',
  weight: 3,
  run: async (play) => {
    const { world, dice } = play;
    const given = dice.any(refreshTokensOf(world));
    if (given === undefined) return;
    const { token, session, authority } = given;
    const parts = { document: { refresh_token: token } };
    const made = await play.askWithoutProof(
      'authRefresh',
      parts,
      () => refreshed(world, session),
      authority,
    );
    if (made !== undefined) joinToken(play, made.access_token, session);
  },
};

function refreshed(world: World, session: Session) {
  const { account } = session;
  const isGood =
    isActive(account) && boundTo(world, account).isLive && isLiveSession(world, session);
  if (!isGood) throw new Refusal('unauthorized');
  requireUnblocked(world, account);
  return {
    token_type: 'Bearer',
    refresh_expires_in: Math.floor((session.endsAt - world.now) / SECOND),
  };
}

const refreshByToken: Rule = {
  name: 'refresh with an access token',
  weight: 1,
  run: async (play) => {
    const caller = play.caller(({ kind }) => kind === 'jwt');
    const made = await play.ask(
      'authRefresh',
      caller,
      { document: {} },
      (_made, { session, kind }) => {
        if (session === undefined || kind !== 'jwt') throw new Refusal('unauthorized');
        return refreshed(play.world, session);
      },
    );
    if (made !== undefined && caller.kind === 'jwt')
      joinToken(play, made.access_token, caller.session);
  },
};

function logOut(name: 'authLogout' | 'logout'): Rule {
  return {
    name,
    weight: 1,
    run: async (play) => {
      const caller = play.caller(({ session }) => session !== undefined);
      await play.ask(name, caller, {}, (_made, { session }) => {
        if (session === undefined) throw new Refusal('unauthorized');
        session.isEnded = true;
        play.world.count(session.account.authority, 'logout');
        return name === 'logout' ? { logged_out: true } : { success: true };
      });
    },
  };
}

const revoke: Rule = {
  name: 'revoke a token',
  weight: 1,
  run: async (play) => {
    const { world, dice } = play;
    const tokens = play.callers.filter((each) => each.kind === 'jwt');
    const caller: Extract<Caller, { kind: 'jwt' }> | undefined = dice.any(tokens);
    if (caller?.proof.kind !== 'bearer') return;
    const { jti, exp, authority } = caller;
    const parts = { document: { token: caller.proof.token } };
    const model = () => {
      if (world.now >= exp) throw new Refusal('invalid_token');
      if (!world.revokedTokens.has(jti)) world.count(authority, 'token_revoked');
      world.revokedTokens.add(jti);
      return { success: true, jti };
    };
    await play.askWithoutProof('revokeToken', parts, model, authority);
  },
};

/** Asks for the principal of any proof, live or dead. */
const prove: Rule = {
  name: 'prove all',
  weight: 1,
  run: async (play) => {
    for (const caller of [...play.callers]) {
      if (caller.authority === INSTALLATION) continue;
      await play.ask('whoAmI', caller, {}, (_made) => {
        const { credential } = principalOf(play.world, caller);
        if (credential === undefined) throw new Refusal('forbidden');
        return { credential };
      });
    }
  },
};

/** Steps that log in and out. */
export const loginRules = [
  ...[logIn, platformLogIn('loginTenant'), platformLogIn('loginGlobal')],
  ...[refresh, refreshByToken, logOut('authLogout'), logOut('logout'), revoke, prove],
];
