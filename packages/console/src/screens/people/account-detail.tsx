/** One account: its state, its API keys, and the end of its sessions. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { FailureNote, Loading } from '../../parts/notes.js';
import { Screen } from '../../parts/screen.js';
import { Tags } from '../../parts/tags.js';
import { Time } from '../../parts/time.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import type { Caller } from '../../session/caller.js';
import { useLoaded } from '../../session/use-loaded.js';
import { useWalk } from '../../session/use-walk.js';
import { texts } from '../../texts/en.js';
import { AccountStates, mayManage, type User } from './account-facts.js';
import { EndSessions } from './end-sessions.js';
import { KeyList } from './key-list.js';

const words = texts.account;

/** Shows an account, and to those who manage it also its keys. */
export function AccountDetail(props: {
  readonly caller: Caller;
  readonly id: string;
}): JSX.Element {
  const { caller, id } = props;
  const [changed, setChanged] = useState(0);
  const { value: user, failure } = useLoaded(
    (agent, signal) => agent.users.get(id, { signal }),
    [id, changed],
  );
  const isManaged = user !== undefined && mayManage(caller, user);
  return (
    <Screen
      title={user?.username ?? texts.people.accounts}
      above={<Link to={pathOf('people', { show: 'accounts' })}>{words.back}</Link>}
      actions={
        isManaged ? <EndSessions user={user} onEnded={() => setChanged(changed + 1)} /> : undefined
      }
    >
      {failure === undefined ? undefined : <FailureNote failure={failure} />}
      {user === undefined && failure === undefined ? <Loading /> : undefined}
      {user === undefined ? undefined : <Facts user={user} />}
      {isManaged ? <KeysOf key={changed} id={id} /> : undefined}
    </Screen>
  );
}

function Facts({ user }: { readonly user: User }): JSX.Element {
  const { username, last_login: lastLogin } = user;
  const { state, roles, lastLogin: lastLoginLabel, never } = texts.accounts;
  return (
    <section class="card" aria-label={username}>
      <dl class="facts">
        <dt>{state}</dt>
        <dd>
          <AccountStates user={user} />
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
