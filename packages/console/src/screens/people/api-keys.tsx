/** The API keys of the signed-in account. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.js';
import { TextField, textsOf } from '../../parts/field.js';
import { FormEnd } from '../../parts/form-end.js';
import { SecretDialog } from '../../parts/shown-secret.js';
import { useAction } from '../../session/use-loaded.js';
import { useWalk } from '../../session/use-walk.js';
import { texts } from '../../texts/en/english.js';
import { KeyList } from './key-list.js';

const words = texts.keys;

/** Shows the keys, and lets the person make and revoke them. */
export function ApiKeys(): JSX.Element {
  const [changed, setChanged] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const walked = useWalk((agent, signal) => agent.keys.list({ limit: 100, signal }), [changed]);
  const change = (): void => setChanged(changed + 1);
  return (
    <>
      <div class="row">
        <button type="button" class="main" onClick={() => setOpen(true)}>
          {words.create}
        </button>
      </div>
      {isOpen ? <CreateKey onMade={change} onLeave={() => setOpen(false)} /> : undefined}
      <KeyList walked={walked} revoke={(agent, id) => agent.keys.delete(id)} onRevoked={change} />
    </>
  );
}

/** Asks for a name, makes the key, and shows it. */
function CreateKey(props: {
  readonly onMade: () => void;
  readonly onLeave: () => void;
}): JSX.Element {
  const { onMade, onLeave } = props;
  const [secret, setSecret] = useState<string>();
  const act = useAction(async (agent, { name = '', days }: Record<string, string>) => {
    const expiresInDays = days === undefined ? undefined : Number(days);
    setSecret((await agent.keys.create(name, { expiresInDays })).key);
    onMade();
  });
  if (secret !== undefined) {
    return <SecretDialog key="secret" secret={secret} onLeave={onLeave} />;
  }
  return (
    <Dialog key="form" title={words.create} onLeave={onLeave}>
      <form class="stack" onSubmit={(event) => act.run(textsOf(event))}>
        <p class="soft">{words.createText}</p>
        <TextField label={words.name} name="name" required />
        <TextField label={words.days} name="days" type="number" hint={words.daysHint} />
        <FormEnd verb={words.go} act={act} onLeave={onLeave} />
      </form>
    </Dialog>
  );
}
