/** The session of the page: who is signed in, and the agents that act with its proof. */
import {
  type Administrator,
  type Agent,
  AgentkeepError,
  connect,
  connectAdministrator,
  logIn,
} from '@agentkeep/client';
import { signal } from '@preact/signals';
import { type Caller, findCaller } from './caller.js';
import { type Access, closeDoor, openDoor } from './door.js';
import { forgetSecret, keepSecret, keptSecret } from './kept-secret.js';
import { type Failure, failureOf } from './refusals.js';

/** Why a session has ended: elsewhere, or with the password of its account. */
export type CloseReason = 'ended' | 'passwordChanged';

/** Whether somebody is signed in; `changing` while that is found out, or is ended. */
export type SessionState =
  | { readonly kind: 'changing' }
  /** `reason` says why, if there was a session. */
  | { readonly kind: 'closed'; readonly reason?: CloseReason }
  | { readonly kind: 'open'; readonly caller: Caller };

/** The session, which screens follow. */
export const session = signal<SessionState>({ kind: 'changing' });

/** Why the link that was followed was refused, until a person has read it. */
export const linkFailure = signal<Failure | undefined>(undefined);

/** An agent for one piece of work, and the request that it made last. */
export interface Work {
  readonly agent: Agent;
  /** The same caller, for what belongs to the installation. */
  readonly administrator: Administrator;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  requestId: string | undefined;
}

/** The proof: a secret, or an access token that is renewed. It is kept in memory only. */
interface Held {
  readonly token: string;
  readonly isAccount: boolean;
}

let held: Held | undefined;
let renewing: Promise<boolean> | undefined;

/** Returns an agent for one piece of work. */
export function beginWork(): Work {
  const provedFetch = async (url: string, init: RequestInit): Promise<Response> => {
    const answer = await fetchProved(url, init);
    work.requestId = answer.headers.get('x-request-id') ?? undefined;
    return answer;
  };
  // The proof is put into each request, because it changes.
  const server = { url: location.origin, secret: 'in-memory', fetch: provedFetch };
  const work: Work = {
    agent: connect(server),
    administrator: connectAdministrator(server),
    fetch: provedFetch,
    requestId: undefined,
  };
  return work;
}

async function fetchProved(url: string, init: RequestInit): Promise<Response> {
  const used = held;
  const answer = await fetch(url, withProof(init, used));
  if (answer.status !== 401 || used === undefined) return answer;
  // Another request may have renewed it meanwhile.
  if (held === used && !(await renew(used))) return answer;
  return held === undefined ? answer : fetch(url, withProof(init, held));
}

function withProof(init: RequestInit, proof: Held | undefined): RequestInit {
  const headers = new Headers(init.headers);
  if (proof !== undefined) headers.set('Authorization', `Bearer ${proof.token}`);
  return { ...init, headers };
}

/** Renews the proof, or ends the session of the page. */
async function renew({ isAccount }: Held): Promise<boolean> {
  renewing ??= (isAccount ? openDoor() : Promise.resolve(undefined))
    .then((access) => {
      held = access && { token: access.access_token, isAccount: true };
      if (held === undefined) close('ended');
      return held !== undefined;
    })
    .finally(() => {
      renewing = undefined;
    });
  return renewing;
}

/**
 * Opens the session of a link, or the one that the browser keeps. A link that is refused changes
 * nothing of the latter.
 */
export async function resume(link: string | undefined): Promise<void> {
  const opened = link === undefined ? undefined : await followed(link);
  if (opened === undefined && held !== undefined) return;
  const secret = opened === undefined ? keptSecret() : undefined;
  const access =
    opened ?? (secret === undefined ? await openDoor().catch(() => undefined) : undefined);
  const proof = access === undefined ? secret : access.access_token;
  const isAccount = access !== undefined;
  // A session that ends at this moment leads to the sign-in, too.
  if (proof === undefined) close();
  else await enter({ token: proof, isAccount }, beginWork()).catch(() => undefined);
}

async function followed(link: string): Promise<Access | undefined> {
  try {
    return await openDoor({ link });
  } catch (error) {
    linkFailure.value = failureOf(error);
    return undefined;
  }
}

/** Signs in with the password of an account. */
export async function signInWithPassword(
  work: Work,
  account: { readonly tenantId: string; readonly username: string; readonly password: string },
): Promise<void> {
  const { tenantId, username, password } = account;
  const tenancy = tenantId === '' ? {} : { tenantId };
  const url = location.origin;
  const { fetch } = work;
  const { tokens } = await logIn({ url, fetch, username, password, ...tenancy });
  // Where the door does not take it, the session ends with the page.
  const access = await openDoor({ refresh_token: tokens.refresh_token }).catch(() => undefined);
  linkFailure.value = undefined;
  await enterWith(access ?? tokens, work);
}

/** Signs in with the secret of a credential, which the tab keeps until it is closed. */
export async function signInWithSecret(work: Work, secret: string): Promise<void> {
  linkFailure.value = undefined;
  await enter({ token: secret, isAccount: false }, work);
  keepSecret(secret);
}

/** Signs out: at the server, as far as it answers, and then here. */
export async function signOut(reason?: CloseReason): Promise<void> {
  const isAccount = held?.isAccount === true;
  held = undefined;
  session.value = { kind: 'changing' };
  if (isAccount) await closeDoor().catch(() => undefined);
  close(reason);
}

/** Ends the session of the page, and forgets its secret. */
function close(reason?: CloseReason): void {
  forgetSecret();
  session.value = { kind: 'closed', ...(reason === undefined ? {} : { reason }) };
}

async function enterWith({ access_token: token }: Access, work: Work): Promise<void> {
  await enter({ token, isAccount: true }, work);
}

async function enter(proof: Held, work: Work): Promise<void> {
  held = proof;
  try {
    const caller = await findCaller(work, proof);
    session.value = { kind: 'open', caller };
  } catch (error) {
    held = undefined;
    close();
    throw error instanceof AgentkeepError ? error : new AgentkeepError('server_unreachable');
  }
}
