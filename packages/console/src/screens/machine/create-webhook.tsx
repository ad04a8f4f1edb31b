/** The dialog that makes a webhook, and shows its secret once. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.js';
import { TextField, textsOf } from '../../parts/field.js';
import { FormEnd } from '../../parts/form-end.js';
import { SecretDialog } from '../../parts/shown-secret.js';
import { useAction } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';

const words = texts.machine.webhooks;

/** Asks for a name and an address, makes the webhook, and shows the secret. */
export function CreateWebhook(props: {
  readonly onMade: () => void;
  readonly onLeave: () => void;
}): JSX.Element {
  const { onMade, onLeave } = props;
  const [secret, setSecret] = useState<string>();
  const act = useAction(async (agent, { name = '', url = '' }: Record<string, string>) => {
    setSecret((await agent.webhooks.create({ name, url })).secret);
    onMade();
  });
  if (secret !== undefined) {
    return <SecretDialog key="secret" secret={secret} text={words.secretText} onLeave={onLeave} />;
  }
  return (
    <Dialog key="form" title={words.create} onLeave={onLeave}>
      <form class="stack" onSubmit={(event) => act.run(textsOf(event))}>
        <p class="soft">{words.createText}</p>
        <TextField label={words.name} name="name" required />
        <TextField label={words.url} name="url" type="url" hint={words.urlHint} required />
        <FormEnd verb={words.go} act={act} onLeave={onLeave} />
      </form>
    </Dialog>
  );
}
