/** One account: its state, its sessions and their end, and its API keys. */
import type { Agent } from '@agentkeep/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { FailureNote, Loading } from '../../parts/notes.js';
import { Screen } from '../../parts/screen.js';
import { Tags } from '../../parts/tags.js';
import { Time } from '../../parts/time.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import type { Caller } from '../../session/caller.js';
import { isRefusal } from '../../session/refusals.js';
import { useLoaded } from '../../session/use-loaded.js';
import { useWalk } from '../../session/use-walk.js';
import { texts } from '../../texts/en/english.js';
import {
  AccountStates,
  type Invitation,
  invitationOf,
  mayManage,
  type User,
} from './account-facts.js';
import { AccountChanges } from './account-changes.js';
import { EndSessions } from './end-sessions.js';
import { KeyList } from './key-list.js';
import { PauseSubject } from './pause-subject.js';
import { SessionList, type UserSession } from './session-list.js';

const words = texts.account;

/** Shows an account, and to those who manage it also its sessions and keys. */
export function AccountDetail(props: {
  readonly caller: Caller;
  readonly id: string;
}): JSX.Element {
  const { caller, id } = props;
  const [ended, setEnded] = useState(0);
  const [allEnded, setAllEnded] = useState(0);
  const { value, failure } = useLoaded(
    async (agent, signal) => {
      const user = await agent.users.get(id, { signal });
      const [sessions, invitation] = await Promise.all([
        managedSessions(agent, caller, { user, signal }),
        invitationOf(agent, user, signal),
      ]);
      return { user, sessions, invitation };
    },
    [id, ended, allEnded],
  );
  const { user, sessions, invitation } = value ?? {};
  const isManaged = user !== undefined && sessions !== undefined;
  return (
    <Screen
      title={user?.username ?? texts.people.accounts}
      above={<Link to={pathOf('access', { show: 'accounts' })}>{words.back}</Link>}
      actions={
        isManaged ? (
          <>
            <AccountChanges user={user} onChanged={() => setAllEnded(allEnded + 1)} />
            <EndSessions user={user} onEnded={() => setAllEnded(allEnded + 1)} />
          </>
        ) : undefined
      }
    >
      {failure === undefined ? undefined : <FailureNote failure={failure} />}
      {user === undefined && failure === undefined ? <Loading /> : undefined}
      {user === undefined ? undefined : <Facts user={user} invitation={invitation} />}
      {user === undefined || user.credential_id === null ? undefined : (
        <PauseSubject caller={caller} credentialId={user.credential_id} />
      )}
      {isManaged ? (
        <>
          <section class="stack" aria-label={words.sessions}>
            <h2>{words.sessions}</h2>
            <SessionList sessions={sessions} accountId={id} onEnded={() => setEnded(ended + 1)} />
          </section>
          <KeysOf key={allEnded} id={id} />
        </>
      ) : undefined}
      {user !== undefined && sessions === undefined ? (
        <NotManaged isOwn={caller.accountId === id} />
      ) : undefined}
    </Screen>
  );
}

/** Returns the live sessions of an account; undefined where the caller does not manage it. */
async function managedSessions(
  agent: Agent,
  caller: Caller,
  { user, signal }: { readonly user: User; readonly signal: AbortSignal },
): Promise<readonly UserSession[] | undefined> {
  if (!mayManage(caller, user)) return undefined;
  return agent.users.sessions(user.id, { signal }).catch((error: unknown) => {
    // Only the server knows whether its credential administers others.
    if (isRefusal(error, 'forbidden')) return undefined;
    throw error;
  });
}

/** Says who manages the account, or where its owner finds what belongs to it. */
function NotManaged({ isOwn }: { readonly isOwn: boolean }): JSX.Element {
  if (!isOwn) return <p class="soft">{words.ofOthers}</p>;
  return (
    <p class="soft">
      {words.own} <Link to={pathOf('account', { show: 'sessions' })}>{words.ownSessions}</Link>
    </p>
  );
}

function Facts(props: {
  readonly user: User;
  readonly invitation: Invitation | undefined;
}): JSX.Element {
  const { user, invitation } = props;
  const { username, last_login: lastLogin } = user;
  const { state, roles, lastLogin: lastLoginLabel, never } = texts.accounts;
  return (
    <section class="card" aria-label={username}>
      <dl class="facts">
        <dt>{state}</dt>
        <dd>
          <AccountStates user={user} invitation={invitation} />
        </dd>
        <dt>{roles}</dt>
        <dd>
          <Tags words={user.roles} />
        </dd>
        <dt>{lastLoginLabel}</dt>
        <dd>{lastLogin === null ? never : <Time millis={new Date(lastLogin).getTime()} />}</dd>
      </dl>
    </section>
  );
}

/** Keys of another account. */
function KeysOf({ id }: { readonly id: string }): JSX.Element {
  const [revoked, setRevoked] = useState(0);
  const walked = useWalk(
    (agent, signal) => agent.users.keys(id, { limit: 100, signal }),
    [revoked],
  );
  return (
    <section class="stack" aria-label={words.keys}>
      <h2>{words.keys}</h2>
      <KeyList
        walked={walked}
        revoke={(agent, keyId) => agent.users.revokeKey(id, keyId)}
        onRevoked={() => setRevoked(revoked + 1)}
      />
    </section>
  );
}
