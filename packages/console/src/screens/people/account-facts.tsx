/** What the screens of accounts share: who may manage one, and its states. */
import type { Agent } from '@agentkeep/client';
import type { JSX } from 'preact';
import { type Caller, isAdministrator, may } from '../../session/caller.js';
import { texts } from '../../texts/en/english.js';

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
  const right = caller.tenantId === undefined ? 'global_credential_admin' : 'credential_admin';
  return isAdministrator(caller) && may(caller, right);
}

/** Shows whether an account is active, and whether its name is locked where that is known. */
export function AccountStates(props: {
  readonly user: User;
  readonly isLocked?: boolean | undefined;
}): JSX.Element {
  const { active, disabled, locked } = texts.accounts.states;
  const { is_active: isActive } = props.user;
  return (
    <span class="tags">
      <span class={isActive ? 'tag good' : 'tag bad'}>{isActive ? active : disabled}</span>
      {props.isLocked === true ? <span class="tag bad">{locked}</span> : undefined}
    </span>
  );
}
