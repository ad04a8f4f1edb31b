/** The invitations that were not accepted. */
import type { Agent } from '@agentkeep/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Confirm } from '../../parts/confirm.js';
import { Name } from '../../parts/name.js';
import { FailureNote } from '../../parts/notes.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { WalkedList } from '../../parts/walked-list.js';
import type { Caller } from '../../session/caller.js';
import { useAction } from '../../session/use-loaded.js';
import type { Walked } from '../../session/use-walk.js';
import { texts } from '../../texts/en/english.js';
import { type Invitation, mayInvite, mayManage } from './account-facts.js';
import { LinkDialog, linkTo } from './invite-user.js';

const words = texts.invitations;

interface ListProps {
  readonly caller: Caller;
  readonly onChanged: () => void;
}

/** Shows them, where there are any, and lets the caller renew and revoke them. */
export function Invitations(
  props: ListProps & { readonly walked: Walked<Invitation> },
): JSX.Element | null {
  const { walked, ...rest } = props;
  if ((walked.items ?? []).length === 0 && walked.failure === undefined) return null;
  return (
    <section class="stack" aria-label={words.title}>
      <h2>{words.title}</h2>
      <p class="soft">{words.about}</p>
      <WalkedList walked={walked} empty={words.title} emptyText={words.about}>
        {(items) => (
          <Table
            columns={[
              words.name,
              { label: words.role, wideOnly: true },
              words.state,
              { label: words.expires, wideOnly: true },
              words.actions,
            ]}
          >
            {items.map((each) => (
              <InvitationRow key={each.user.id} invitation={each} {...rest} />
            ))}
          </Table>
        )}
      </WalkedList>
    </section>
  );
}

function InvitationRow(props: ListProps & { readonly invitation: Invitation }): JSX.Element {
  const { invitation, caller, onChanged } = props;
  const { user, role, state, expires_at: end } = invitation;
  const [link, setLink] = useState<string>();
  const renew = useAction(async (agent) => {
    setLink(await linkTo(agent, await offerOf(agent, invitation)));
  });
  const leave = (): void => {
    setLink(undefined);
    onChanged();
  };
  const isManaged = mayManage(caller, user);
  return (
    <tr>
      <td>
        <Name of={user.username} />
      </td>
      <td class="wide-only">{words.roles[role]}</td>
      <td>
        <span class={state === 'waiting' ? 'tag good' : 'tag'}>{words.states[state]}</span>
      </td>
      <td class="wide-only">
        <Time millis={new Date(end).getTime()} />
      </td>
      <td>
        <div class="row">
          {isManaged && mayInvite(caller) ? (
            <button
              type="button"
              aria-label={words.renewName(user.username)}
              disabled={renew.isRunning}
              onClick={() => renew.run()}
            >
              {words.renew}
            </button>
          ) : undefined}
          {isManaged && state !== 'revoked' ? (
            <RevokeButton user={user} onChanged={onChanged} />
          ) : undefined}
        </div>
        <FailureNote failure={renew.failure} />
        {link === undefined ? undefined : <LinkDialog link={link} onLeave={leave} />}
      </td>
    </tr>
  );
}

/** Returns what was offered, to offer it again. The scopes are those of the credential. */
async function offerOf(agent: Agent, { user, role }: Invitation) {
  const { username, email, credential_id: id, tenant_id: tenantId } = user;
  const isOfTenant = id !== null && tenantId !== null;
  const scopes = isOfTenant ? (await agent.credentials.inspect(id)).spec.grants : [];
  return { username, email, role, scopes };
}

function RevokeButton(props: {
  readonly user: Invitation['user'];
  readonly onChanged: () => void;
}): JSX.Element {
  const { user, onChanged } = props;
  const [isOpen, setOpen] = useState(false);
  const act = useAction(async (agent) => {
    await agent.users.revokeInvitation(user.id);
    setOpen(false);
    onChanged();
  });
  return (
    <>
      <button
        type="button"
        aria-label={words.revokeName(user.username)}
        onClick={() => setOpen(true)}
      >
        {words.revoke}
      </button>
      {isOpen ? (
        <Confirm
          title={words.revokeTitle(user.username)}
          verb={words.revokeGo}
          act={act}
          onLeave={() => setOpen(false)}
        >
          <p>{words.revokeText}</p>
        </Confirm>
      ) : undefined}
    </>
  );
}
