/** The dialog that invites a person, and shows the link once. */
import type { Agent } from '@agentkeep/client';
import type { JSX, TargetedEvent } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.js';
import { ChoiceField, TextField, textsOf } from '../../parts/field.js';
import { FormEnd } from '../../parts/form-end.js';
import { Repeated } from '../../parts/repeated.js';
import { SecretDialog } from '../../parts/shown-secret.js';
import { ScopeFields } from '../../scopes/scope-fields.js';
import type { Caller } from '../../session/caller.js';
import { useAction } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import { grantsOf } from './new-spec.js';

const words = texts.invite;

/** A new invitation, as the client takes it. */
export type NewInvitation = Parameters<Agent['users']['invite']>[0];

type Role = NewInvitation['role'];

/** Returns the link of an invitation at this server. */
export async function linkTo(agent: Agent, invitation: NewInvitation): Promise<string> {
  return location.origin + (await agent.users.invite(invitation)).path;
}

/** Shows the link of an invitation until it is said to be kept. */
export function LinkDialog(props: {
  readonly link: string;
  readonly onLeave: () => void;
}): JSX.Element {
  return <SecretDialog secret={props.link} open={words.link} onLeave={props.onLeave} />;
}

/** Asks who is invited to what, makes the account, and shows the link. */
export function InviteUser(props: {
  readonly caller: Caller;
  readonly onInvited: () => void;
  readonly onLeave: () => void;
}): JSX.Element {
  const { caller, onInvited, onLeave } = props;
  const isInstallation = caller.tenantId === undefined;
  const [role, setRole] = useState<Role>('reader');
  const [link, setLink] = useState<string>();
  const act = useAction(async (agent, invitation: NewInvitation) => {
    setLink(await linkTo(agent, invitation));
    onInvited();
  });
  const send = (event: TargetedEvent<HTMLFormElement>): void => {
    const fields = new FormData(event.currentTarget);
    const { name = '', days } = textsOf(event);
    act.run({
      username: name.trim(),
      ...(name.includes('@') ? { email: name.trim() } : {}),
      role,
      scopes: grantsOf(fields),
      ...(days === undefined ? {} : { valid_days: Number(days) }),
    });
  };
  if (link !== undefined) return <LinkDialog link={link} onLeave={onLeave} />;
  return (
    <Dialog key="form" title={words.open} onLeave={onLeave}>
      <form class="stack" onSubmit={send}>
        <p class="soft">{words.text}</p>
        <TextField label={words.name} name="name" hint={words.nameHint} required />
        <ChoiceField
          label={words.role}
          name="role"
          value={role}
          choices={isInstallation ? words.installationRoles : words.roles}
          onChange={(value) => setRole(value as Role)}
        />
        {isInstallation ? undefined : (
          <Repeated
            key={role === 'admin' ? 'any' : 'some'}
            words={words.scopes}
            least={role === 'admin' ? 0 : 1}
            most={64}
            group={() => <ScopeFields values={{ visibility: 'shared' }} />}
          />
        )}
        <TextField
          label={words.days}
          name="days"
          type="number"
          value="7"
          hint={words.daysHint}
          min={1}
          max={30}
        />
        <FormEnd verb={words.go} act={act} onLeave={onLeave} />
      </form>
    </Dialog>
  );
}
