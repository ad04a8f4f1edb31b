/** The accounts of the tenant, and the names that are locked. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Cut, Name } from '../../parts/name.js';
import { Table } from '../../parts/table.js';
import { Tags } from '../../parts/tags.js';
import { Time } from '../../parts/time.js';
import { WalkedList } from '../../parts/walked-list.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import type { Caller } from '../../session/caller.js';
import { useLoaded } from '../../session/use-loaded.js';
import { useWalk } from '../../session/use-walk.js';
import { texts } from '../../texts/en/english.js';
import {
  AccountStates,
  type Invitation,
  mayInvite,
  mayManage,
  rightToInvite,
  type User,
} from './account-facts.js';
import { Invitations } from './invitations.js';
import { InviteUser } from './invite-user.js';
import { LockButton } from './lock-button.js';
import { LockedNames, lockedNames } from './locked-names.js';

const words = texts.accounts;

/** Shows accounts with their state, and lets the caller lock and unlock them. */
export function Accounts({ caller }: { readonly caller: Caller }): JSX.Element {
  const [changed, setChanged] = useState(0);
  const [isInviting, setInviting] = useState(false);
  const walked = useWalk((agent, signal) => agent.users.list({ limit: 100, signal }), [changed]);
  const invited = useWalk(
    (agent, signal) => agent.users.invitations({ limit: 100, signal }),
    [changed],
  );
  const invitationOf = new Map(invited.items?.map((each) => [each.user.id, each] as const));
  const { value: locked, failure } = useLoaded(lockedNames, [changed]);
  const change = (): void => setChanged(changed + 1);
  /** Undefined where it is not known. */
  const isLocked = (username: string): boolean | undefined => {
    if (locked === undefined) return undefined;
    const isListed = locked.names.some(([name]) => name === username);
    return isListed || !locked.hasMore ? isListed : undefined;
  };
  return (
    <>
      {mayInvite(caller) ? (
        <div class="row">
          <button type="button" class="main" onClick={() => setInviting(true)}>
            {texts.invite.open}
          </button>
        </div>
      ) : (
        <p class="soft">{texts.invite.needs(rightToInvite(caller))}</p>
      )}
      {isInviting ? (
        <InviteUser caller={caller} onInvited={change} onLeave={() => setInviting(false)} />
      ) : undefined}
      <Invitations caller={caller} walked={invited} onChanged={change} />
      <WalkedList walked={walked} empty={words.empty} emptyText={words.emptyText}>
        {(users) => (
          <Table
            columns={[
              words.username,
              words.state,
              { label: words.roles, wideOnly: true },
              { label: words.lastLogin, wideOnly: true },
              words.actions,
            ]}
          >
            {users.map((user) => (
              <AccountRow
                key={user.id}
                user={user}
                invitation={invitationOf.get(user.id)}
                isLocked={isLocked(user.username)}
                mayLock={mayManage(caller, user)}
                onChanged={change}
              />
            ))}
          </Table>
        )}
      </WalkedList>
      <LockedNames locked={locked} failure={failure} onChanged={change} />
    </>
  );
}

function AccountRow(props: {
  readonly user: User;
  readonly invitation: Invitation | undefined;
  readonly isLocked: boolean | undefined;
  readonly mayLock: boolean;
  readonly onChanged: () => void;
}): JSX.Element {
  const { user, invitation, isLocked, onChanged } = props;
  const { id, username, roles, last_login: lastLogin } = user;
  return (
    <tr>
      <td>
        <Link to={pathOf('access', { show: 'accounts', id })}>
          <Name of={username} />
        </Link>
        {user.email === null ? undefined : (
          <div class="soft small">
            <Cut text={user.email} />
          </div>
        )}
      </td>
      <td>
        <AccountStates user={user} invitation={invitation} isLocked={isLocked} />
      </td>
      <td class="wide-only">
        <Tags words={roles} />
      </td>
      <td class="wide-only">
        {lastLogin === null ? words.never : <Time millis={new Date(lastLogin).getTime()} />}
      </td>
      <td>
        {props.mayLock && isLocked !== undefined ? (
          <LockButton name={username} isLocked={isLocked} onChanged={onChanged} />
        ) : undefined}
      </td>
    </tr>
  );
}
