/**
 * People who sign in by issuers, from the contract alone (docs/contract/openid.md).
 */
import type { OutputOf } from '@agentkeep/core/clients';
import { Refusal } from './outcome.js';
import { changeAccount, endSessions, isBindable } from './people.js';
import { isActive } from './principal.js';
import { type Account, type AccountLink, nameKey, type World } from './world.js';

type Settings = OutputOf<'getSignInSettings'>;

/** An issuer that is named in an authority. */
export type SignInIssuer = Settings['issuers'][number];

/** A rule of an issuer. */
type SignInRule = SignInIssuer['rules'][number];

/** A person with the claims that rules of the player compare. */
export interface Person {
  readonly sub: string;
  readonly username: string;
  readonly group: string;
}

/** The settings of an authority. */
export function signInSettings(world: World, authority: string): Settings {
  const none = { revision: 0, allows_passwords: true, issuers: [] };
  return world.signIns.get(authority) ?? { ...none, updated_at: null, updated_by: null };
}

/** Refuses passwords where they are turned off. */
export function requirePasswords(world: World, authority: string): void {
  if (!signInSettings(world, authority).allows_passwords) {
    throw new Refusal('passwords_not_allowed');
  }
}

/** The issuer with a name; `undefined` if it is blocked or unknown. */
export function issuerNamed(world: World, authority: string, name: string) {
  const { issuers } = signInSettings(world, authority);
  return issuers.find((each) => each.name === name && !each.is_blocked);
}

/** The account that a person signs in as, or a refusal. `made` is the id of a new account. */
export function admitted(
  world: World,
  authority: string,
  { issuer, rules }: SignInIssuer,
  { person, madeId }: { readonly person: Person; readonly madeId: string },
): Account {
  const refused = new Refusal('sign_in_refused');
  const rule = rules.find(({ claims }) => claims.every(({ value }) => value === person.group));
  const key = linkKey(authority, { issuer, sub: person.sub });
  const known = world.linked.get(key);
  const name = known?.username ?? person.username;
  const isLockedByHand = world.lockouts.get(nameKey(authority, name))?.lock?.expiresAt === null;
  if (known === undefined) {
    const isTaken = world.accountNamed(authority, name) !== undefined;
    if (rule?.creates_accounts !== true || isTaken || isLockedByHand) throw refused;
    requireLive(world, authority, rule.credential_id);
    const account = newAccount(world, { id: madeId, authority, username: name }, rule);
    account.links = [{ issuer, sub: person.sub, follows_rules: true }];
    world.linked.set(key, account);
    return account;
  }
  const link = known.links.find((each) => each.issuer === issuer && each.sub === person.sub);
  if (!isActive(known) || isLockedByHand) throw refused;
  if (link?.follows_rules !== true) {
    requireLive(world, authority, known.credentialId);
    return known;
  }
  if (rule === undefined) throw refused;
  requireLive(world, authority, rule.credential_id);
  follow(world, known, rule);
  return known;
}

/** The key of a person in {@link World.linked}. */
export function linkKey(
  authority: string,
  { issuer, sub }: Pick<AccountLink, 'issuer' | 'sub'>,
): string {
  return nameKey(authority, nameKey(issuer, sub));
}

/** Ends the sessions that an issuer opened, of an account or of a session there. */
export function endSignIns(
  world: World,
  which: (session: World['sessions'][number]) => boolean,
): void {
  for (const session of world.sessions) if (which(session)) session.isEnded = true;
}

function requireLive(world: World, authority: string, credentialId: string | null): void {
  if (credentialId === null || isBindable(world, authority, credentialId)) return;
  throw new Refusal('sign_in_refused');
}

function follow(world: World, account: Account, { roles, credential_id }: SignInRule): void {
  const revisions = account.history.length;
  try {
    changeAccount(world, account, { roles });
  } catch (error) {
    throw error instanceof Refusal ? new Refusal('sign_in_refused') : error;
  }
  if (account.credentialId === credential_id) return;
  account.credentialId = credential_id;
  account.updatedAt = world.now;
  if (account.history.length === revisions) account.history.push('login_account_updated');
  endSessions(world, account);
}

function newAccount(
  world: World,
  made: Pick<Account, 'id' | 'authority' | 'username'>,
  { roles, credential_id: credentialId }: SignInRule,
): Account {
  const account: Account = {
    ...made,
    ...{ credentialId, roles, email: null, links: [] },
    // It is random.
    password: '',
    createdAt: world.now,
    updatedAt: world.now,
    history: ['login_account_created'],
    isActive: true,
    disabledAt: null,
    isDeleted: false,
    lastLogin: null,
  };
  world.accounts.push(account);
  world.count(made.authority, 'user_created');
  return account;
}

type Ways = Pick<Settings, 'allows_passwords' | 'issuers'>;

/** Whether new settings take a way in that an account with these links had. */
export function takesWayIn(links: readonly AccountLink[], before: Ways, after: Ways): boolean {
  if (before.allows_passwords && !after.allows_passwords) return true;
  return links.some(({ issuer: url, follows_rules }) => {
    const [was, is] = [before, after].map(({ issuers }) => {
      const found = issuers.find(({ issuer, is_blocked }) => issuer === url && !is_blocked);
      return found && JSON.stringify([found.client_id, found.scope, follows_rules && found.rules]);
    });
    return was !== undefined && was !== is;
  });
}
