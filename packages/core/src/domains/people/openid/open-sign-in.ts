/** Finds, makes or changes the account of a person, and opens its session, in one transaction. */
import type { EventActor } from '../../../kernel/audit/call-events.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { PublicRequest } from '../../../kernel/operation/requests.js';
import type { InputSchemas } from '../../../kernel/input/input-rules.js';
import type { Runtime } from '../../../kernel/services/runtime.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import { boundCredential, isBindingLive } from '../account/account-principal.js';
import { findLinkedAccount } from '../account/account-store.js';
import {
  accountCreated,
  type AccountDraft,
  hashUnknownPassword,
  storeNewAccount,
} from '../account/new-account.js';
import { isActiveAccount, type StoredAccount } from '../account/stored-account.js';
import { usernameOf } from '../account/username.js';
import { readLockout } from '../lockout/change-lockout.js';
import { loggedIn } from '../lockout/lockout-events.js';
import { openSession, type SessionDraft } from '../session/open-session.js';
import { actorOfAccount } from '../session/session-events.js';
import type { StoredSession } from '../session/session-store.js';
import type { SignInRule } from '../sign-in/schema.js';
import { useOnce } from '../sign-in/use-store.js';
import { plannedChange, storeAccountChange } from '../user/change-account.js';
import { changeEvents } from '../user/user-events.js';
import type { ProvedPerson } from './proved-person.js';
import { actorOfPerson } from './sign-in-events.js';
import { findSignInIssuer } from './sign-in-issuer.js';
import { matchingRule, statedUsername } from './sign-in-policy.js';

/** A session of an account. */
export interface OpenedSignIn {
  readonly account: StoredAccount;
  readonly session: StoredSession;
}

/** A person gets no session; the transaction leaves no trace. */
export class SignInRefusal extends Error {
  override readonly name = 'SignInRefusal';
  /** For the audit log. */
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

/** A person with what is prepared before the transaction. */
export interface PreparedSignIn {
  readonly proved: ProvedPerson;
  /** The rule that its claims match. */
  readonly rule: SignInRule | undefined;
  /** The account of a first sign-in, without what the transaction decides. */
  readonly fresh: Pick<AccountDraft, 'id' | 'passwordHash'> | undefined;
}

/** Chooses the rule, and hashes a random password for an account that has to be made. */
export async function prepareSignIn(
  runtime: Runtime,
  proved: ProvedPerson,
): Promise<PreparedSignIn> {
  const { authority, person, issuer, claims } = proved;
  const rule = matchingRule(issuer.rules, claims);
  const isKnown = await runtime.store.read(
    (tx) => findLinkedAccount(tx, authority, person) !== undefined,
  );
  if (isKnown || rule?.creates_accounts !== true) return { proved, rule, fresh: undefined };
  const passwordHash = await hashUnknownPassword(runtime, authority);
  return { proved, rule, fresh: { id: runtime.newId(), passwordHash } };
}

/** A sign-in to store. */
interface SignIn extends PreparedSignIn {
  readonly draft: SessionDraft;
  readonly nowMs: number;
}

/**
 * Signs a person in. Its issuer must still be named by the same revision of the settings.
 *
 * @throws {SignInRefusal} if it gets no session.
 */
export function signIn(
  tx: WriteTx,
  request: PublicRequest<InputSchemas>,
  { draft, nowMs, ...prepared }: SignIn,
): OpenedSignIn {
  const { authority, revision, issuer, person, sid, use } = prepared.proved;
  const current = findSignInIssuer(tx, authority, issuer.name);
  if (current?.settings.revision !== revision) throw new SignInRefusal('issuer');
  const spent = useOnce(tx, use, { clock: request.runtime.clock, calledAtMs: nowMs });
  if (spent !== undefined) throw new SignInRefusal(spent);
  const account = refusing(() => accountOf(tx, request, prepared, nowMs));
  const credential = boundCredential(tx, account);
  if (!isBindingLive(account, credential, nowMs)) throw new SignInRefusal('credential');
  const signInMark = { issuer: person.issuer, sid };
  const session = openSession(tx, { account, credential }, { ...draft, signIn: signInMark }, nowMs);
  const event = loggedIn('jwt', draft.id);
  request.record(tx, {
    ...event,
    metadata: { ...event.metadata, issuer: issuer.name },
    actor: actorOfAccount(account),
    atMillis: nowMs,
  });
  return { account, session };
}

/** Returns the account of a person as it is to sign in. */
function accountOf(
  tx: WriteTx,
  request: PublicRequest<InputSchemas>,
  { proved, rule, fresh }: PreparedSignIn,
  nowMs: number,
): StoredAccount {
  const { authority, person } = proved;
  const known = findLinkedAccount(tx, authority, person);
  if (known === undefined) return newAccount(tx, request, { proved, rule, fresh }, nowMs);
  const { username } = known;
  if (!isActiveAccount(known)) throw new SignInRefusal('account');
  // A lock that failed passwords caused is no concern of those who have none.
  if (readLockout(tx, { authority, username }, nowMs)?.lock?.kind === 'manual') {
    throw new SignInRefusal('locked');
  }
  const link = known.links?.find(
    ({ issuer, sub }) => issuer === person.issuer && sub === person.sub,
  );
  if (link?.follows_rules !== true) return known;
  if (rule === undefined) throw new SignInRefusal('rule');
  const change = { roles: rule.roles, credentialId: rule.credential_id };
  const planned = plannedChange(tx, known, change);
  if (planned === undefined) return known;
  const after = storeAccountChange(tx, known, planned, {
    ...{ actorId: known.id, nowMs },
    record: (event) => request.record(tx, event),
  });
  const actor = actorOfAccount(known);
  for (const event of changeEvents({ before: known, after }))
    request.record(tx, { ...event, actor });
  return after;
}

function newAccount(
  tx: WriteTx,
  request: PublicRequest<InputSchemas>,
  { proved, rule, fresh }: PreparedSignIn,
  nowMs: number,
): StoredAccount {
  const { authority, issuer, claims, person } = proved;
  if (rule?.creates_accounts !== true || fresh === undefined) throw new SignInRefusal('unlinked');
  const username = usernameOf(statedUsername(issuer.username_claim, claims));
  if (username === undefined) throw new SignInRefusal('username');
  if (readLockout(tx, { authority, username }, nowMs)?.lock?.kind === 'manual') {
    throw new SignInRefusal('locked');
  }
  const draft: AccountDraft = {
    ...{ ...fresh, authority, username, nowMs },
    // An address proves nothing here, so none is taken over.
    email: null,
    roles: rule.roles,
    credentialId: rule.credential_id,
    links: [{ ...person, follows_rules: true }],
  };
  const account = storeNewAccount(tx, draft);
  request.record(tx, { ...accountCreated(draft), actor: actorOfAccount(account) });
  return account;
}

/** What an administrator would be told is a refusal here. */
function refusing<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const isRefusal =
      error instanceof AgentkeepError &&
      (error.code === 'already_exists' || error.code === 'last_admin');
    throw isRefusal ? new SignInRefusal(error.code) : error;
  }
}

/** Returns who events name for a person that got no session. */
export function actorOfRefused(tx: ReadTx, { authority, person }: ProvedPerson): EventActor {
  return actorOfPerson(authority, person, findLinkedAccount(tx, authority, person));
}
