/** What the screens of accounts share: who may manage one, and its states. */
import type { Agent } from '@agentkeep/client';
import type { JSX } from 'preact';
import { Time } from '../../parts/time.js';
import { type Caller, isAdministrator, may } from '../../session/caller.js';
import { isRefusal } from '../../session/refusals.js';
import { texts } from '../../texts/en/english.js';

const words = texts.accounts.states;

/** An account as the server shows it. */
export type User = Awaited<ReturnType<Agent['users']['get']>>;

/** Administrators are left to those who administer them, and nobody manages itself here. */
export function mayManage(caller: Caller, { username, roles }: User): boolean {
  const isMaster = caller.installation?.is_master === true;
  const isAboveAll = isMaster || caller.roles.includes('SuperAdmin');
  const isAdmin = roles.includes('Admin') || roles.includes('SuperAdmin');
  return (isAboveAll || !isAdmin) && username !== caller.name;
}

/** Who invites makes an account, and issues its credential. */
export function mayInvite(caller: Caller): boolean {
  return isAdministrator(caller) && may(caller, rightToInvite(caller));
}

/** Returns the capability that inviting needs where the caller is signed in. */
export function rightToInvite({ tenantId }: Caller) {
  return tenantId === undefined ? 'global_credential_admin' : 'credential_admin';
}

/** An invitation that was not accepted. */
export type Invitation =
  ReturnType<Agent['users']['invitations']> extends AsyncGenerator<infer T> ? T : never;

/** How many invitations are looked through for that of one account. */
const INVITATIONS_MAX = 1_000;

/** Returns the invitation of an account that it has not accepted, if the caller may see it. */
export async function invitationOf(
  agent: Agent,
  user: User,
  signal: AbortSignal,
): Promise<Invitation | undefined> {
  if (user.last_login !== null) return undefined;
  let seen = 0;
  try {
    for await (const each of agent.users.invitations({ limit: 100, signal })) {
      seen += 1;
      if (each.user.id === user.id) return each;
      if (seen === INVITATIONS_MAX) return undefined;
    }
  } catch (error) {
    if (!isRefusal(error, 'forbidden')) throw error;
  }
  return undefined;
}

/**
 * Shows whether an account is active or waits for its person to set a password, and whether its
 * name is locked where that is known.
 */
export function AccountStates(props: {
  readonly user: User;
  readonly invitation: Invitation | undefined;
  readonly isLocked?: boolean | undefined;
}): JSX.Element {
  const { user, invitation, isLocked } = props;
  return (
    <span class="tags">
      {user.is_active && invitation !== undefined && invitation.state !== 'revoked' ? (
        <InvitedTag invitation={invitation} />
      ) : (
        <span class={user.is_active ? 'tag good' : 'tag bad'}>
          {user.is_active ? words.active : words.disabled}
        </span>
      )}
      {isLocked === true ? <span class="tag bad">{words.locked}</span> : undefined}
    </span>
  );
}

function InvitedTag({ invitation }: { readonly invitation: Invitation }): JSX.Element {
  if (invitation.state !== 'waiting') return <span class="tag bad">{words.uninvited}</span>;
  return (
    <>
      <span class="tag">{words.invited}</span>{' '}
      <span class="soft small">
        {words.until} <Time millis={new Date(invitation.expires_at).getTime()} />
      </span>
    </>
  );
}
