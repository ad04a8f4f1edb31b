/** The buttons that change an account: roles, password, activity, deletion. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Confirm } from '../../parts/confirm.js';
import { Dialog } from '../../parts/dialog.js';
import { TextField, textsOf } from '../../parts/field.js';
import { FormEnd } from '../../parts/form-end.js';
import { FailureNote } from '../../parts/notes.js';
import { SecretDialog } from '../../parts/shown-secret.js';
import { pathOf } from '../../routing/address.js';
import { go } from '../../routing/router.js';
import { useAction } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import type { User } from './account-facts.js';
import { LinkDialog } from './invite-user.js';
import { newPassword } from './new-password.js';

const words = texts.accountChanges;

interface ChangeProps {
  readonly user: User;
  readonly onChanged: () => void;
}

type DialogProps = ChangeProps & { readonly onLeave: () => void };

const dialogs = {
  roles: ChangeRoles,
  link: ResetLink,
  reset: ResetPassword,
  deactivate: Deactivate,
  delete: DeleteAccount,
} as const;

/** Shows the buttons for an account that the caller manages. */
export function AccountChanges({ user, onChanged }: ChangeProps): JSX.Element {
  const [open, setOpen] = useState<keyof typeof dialogs>();
  const activate = useAction(async (agent) => {
    await agent.users.update(user.id, { is_active: true });
    onChanged();
  });
  const leave = (): void => setOpen(undefined);
  const Opened = open === undefined ? undefined : dialogs[open];
  return (
    <>
      <FailureNote failure={activate.failure} />
      <button type="button" onClick={() => setOpen('roles')}>
        {words.roles}
      </button>
      {user.is_active ? (
        <button type="button" onClick={() => setOpen('link')}>
          {words.link}
        </button>
      ) : undefined}
      <button type="button" onClick={() => setOpen('reset')}>
        {words.reset}
      </button>
      {user.is_active ? (
        <button type="button" onClick={() => setOpen('deactivate')}>
          {words.deactivate}
        </button>
      ) : (
        <button type="button" disabled={activate.isRunning} onClick={() => activate.run()}>
          {words.activate}
        </button>
      )}
      <button type="button" class="danger" onClick={() => setOpen('delete')}>
        {words.delete}
      </button>
      {Opened === undefined ? undefined : (
        <Opened user={user} onChanged={onChanged} onLeave={leave} />
      )}
    </>
  );
}

function ChangeRoles({ user, onChanged, onLeave }: DialogProps): JSX.Element {
  const act = useAction(async (agent, { roles = '' }: Record<string, string>) => {
    const names = roles.split(',').map((each) => each.trim());
    await agent.users.setRoles(user.id, [...new Set(names.filter((each) => each !== ''))]);
    onLeave();
    onChanged();
  });
  return (
    <Dialog title={words.rolesTitle(user.username)} onLeave={onLeave}>
      <form class="stack" onSubmit={(event) => act.run(textsOf(event))}>
        <TextField
          label={words.rolesLabel}
          name="roles"
          value={user.roles.join(', ')}
          hint={words.rolesHint}
        />
        <FormEnd verb={texts.save} act={act} onLeave={onLeave} />
      </form>
    </Dialog>
  );
}

function ResetLink({ user, onLeave }: DialogProps): JSX.Element {
  const [link, setLink] = useState<string>();
  const act = useAction(async (agent) => {
    setLink(location.origin + (await agent.users.createResetLink(user.id)).path);
  });
  if (link !== undefined) return <LinkDialog link={link} onLeave={onLeave} />;
  return (
    <Confirm title={words.linkTitle(user.username)} verb={words.linkGo} act={act} onLeave={onLeave}>
      <p>{words.linkText}</p>
    </Confirm>
  );
}

function ResetPassword({ user, onChanged, onLeave }: DialogProps): JSX.Element {
  const [password, setPassword] = useState<string>();
  const act = useAction(async (agent) => {
    const made = newPassword();
    await agent.users.resetPassword(user.id, made);
    setPassword(made);
  });
  const leave = (): void => {
    onLeave();
    onChanged();
  };
  if (password !== undefined) {
    return <SecretDialog secret={password} open={words.resetDone} onLeave={leave} />;
  }
  const title = words.resetTitle(user.username);
  return (
    <Confirm title={title} verb={words.reset} act={act} onLeave={onLeave}>
      <p>{words.resetText}</p>
    </Confirm>
  );
}

function Deactivate({ user, onChanged, onLeave }: DialogProps): JSX.Element {
  const act = useAction(async (agent) => {
    await agent.users.update(user.id, { is_active: false });
    onLeave();
    onChanged();
  });
  const title = words.deactivateTitle(user.username);
  return (
    <Confirm title={title} verb={words.deactivate} act={act} onLeave={onLeave}>
      <p>{words.deactivateText}</p>
    </Confirm>
  );
}

function DeleteAccount({ user, onLeave }: DialogProps): JSX.Element {
  const act = useAction(async (agent) => {
    await agent.users.delete(user.id);
    go(pathOf('access', { show: 'accounts' }));
  });
  return (
    <Confirm
      title={words.deleteTitle(user.username)}
      verb={words.deleteGo}
      act={act}
      onLeave={onLeave}
    >
      <p>{words.deleteText}</p>
    </Confirm>
  );
}
