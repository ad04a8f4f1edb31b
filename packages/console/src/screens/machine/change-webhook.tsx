/** The buttons that pause a webhook, replace its secret, and delete it. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Confirm } from '../../parts/confirm.js';
import { SecretDialog } from '../../parts/shown-secret.js';
import { pathOf } from '../../routing/address.js';
import { go } from '../../routing/router.js';
import { type Caller, may } from '../../session/caller.js';
import { useAction } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import type { Webhook } from './webhooks.js';

const words = texts.machine.webhooks;

interface ChangeProps {
  readonly webhook: Webhook;
  readonly onLeave: () => void;
}

/** Shows the buttons. */
export function WebhookChanges(props: {
  readonly caller: Caller;
  readonly webhook: Webhook;
  readonly onChanged: () => void;
}): JSX.Element {
  const { caller, webhook, onChanged } = props;
  const [open, setOpen] = useState<'toggle' | 'rotate' | 'delete'>();
  const leave = (): void => {
    setOpen(undefined);
    onChanged();
  };
  return (
    <div class="row">
      {may(caller, 'memory_read') ? (
        <button type="button" onClick={() => setOpen('toggle')}>
          {webhook.enabled ? words.pause : words.resume}
        </button>
      ) : undefined}
      <button type="button" onClick={() => setOpen('rotate')}>
        {words.rotate}
      </button>
      <button type="button" class="danger" onClick={() => setOpen('delete')}>
        {words.delete}
      </button>
      {open === 'toggle' ? <ToggleWebhook webhook={webhook} onLeave={leave} /> : undefined}
      {open === 'rotate' ? <RotateSecret webhook={webhook} onLeave={leave} /> : undefined}
      {open === 'delete' ? <DeleteWebhook webhook={webhook} onLeave={leave} /> : undefined}
    </div>
  );
}

/** The settings are replaced as a whole, so all of them are sent. */
function ToggleWebhook({ webhook, onLeave }: ChangeProps): JSX.Element {
  const { id, revision, name, url, scopes, actions, enabled } = webhook;
  const act = useAction(async (agent) => {
    const settings = { name, url, scopes, actions, enabled: !enabled };
    await agent.webhooks.update({ id, revision }, settings);
    onLeave();
  });
  const title = enabled ? words.pauseTitle(name) : words.resumeTitle(name);
  return (
    <Confirm title={title} verb={enabled ? words.pause : words.resume} act={act} onLeave={onLeave}>
      <p>{enabled ? words.pauseText : words.resumeText}</p>
      <p>{words.ownerText}</p>
    </Confirm>
  );
}

function RotateSecret({ webhook, onLeave }: ChangeProps): JSX.Element {
  const { id, revision, name } = webhook;
  const [secret, setSecret] = useState<string>();
  const act = useAction(async (agent) => {
    setSecret((await agent.webhooks.rotateSecret({ id, revision })).secret);
  });
  if (secret !== undefined) {
    return <SecretDialog key="secret" secret={secret} text={words.secretText} onLeave={onLeave} />;
  }
  const asked = { title: words.rotateTitle(name), verb: words.rotate, act, onLeave };
  return (
    <Confirm key="ask" {...asked}>
      <p>{words.rotateText}</p>
    </Confirm>
  );
}

function DeleteWebhook({ webhook: { id, name }, onLeave }: ChangeProps): JSX.Element {
  const act = useAction(async (agent) => {
    await agent.webhooks.delete(id);
    go(pathOf('webhooks'));
  });
  const asked = { title: words.deleteTitle(name), verb: words.delete, act, onLeave };
  return (
    <Confirm {...asked}>
      <p>{words.deleteText}</p>
    </Confirm>
  );
}
