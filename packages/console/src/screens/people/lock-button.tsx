/** A button that locks a name, with a reason, or unlocks it. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.js';
import { TextField, textsOf } from '../../parts/field.js';
import { FormEnd } from '../../parts/form-end.js';
import { FailureNote } from '../../parts/notes.js';
import { useAction } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';

const words = texts.accounts;

interface NameProps {
  readonly name: string;
  readonly onChanged: () => void;
}

/** Shows the button for the other state. */
export function LockButton(props: NameProps & { readonly isLocked: boolean }): JSX.Element {
  const { name, isLocked, onChanged } = props;
  const [isOpen, setOpen] = useState(false);
  const unlock = useAction(async (agent) => {
    await agent.lockouts.unlock(name);
    onChanged();
  });
  if (isLocked) {
    return (
      <>
        <button
          type="button"
          aria-label={words.unlockName(name)}
          disabled={unlock.isRunning}
          onClick={() => unlock.run()}
        >
          {words.unlock}
        </button>
        <FailureNote failure={unlock.failure} />
      </>
    );
  }
  return (
    <>
      <button type="button" aria-label={words.lockName(name)} onClick={() => setOpen(true)}>
        {words.lock}
      </button>
      {isOpen ? (
        <LockName name={name} onChanged={onChanged} onLeave={() => setOpen(false)} />
      ) : undefined}
    </>
  );
}

function LockName(props: NameProps & { readonly onLeave: () => void }): JSX.Element {
  const { name, onChanged, onLeave } = props;
  const act = useAction(async (agent, reason: string) => {
    await agent.lockouts.lock(name, { reason });
    onLeave();
    onChanged();
  });
  return (
    <Dialog title={words.lockTitle(name)} onLeave={onLeave}>
      <form class="stack" onSubmit={(event) => act.run(textsOf(event)['reason'] ?? '')}>
        <p>{words.lockText}</p>
        <TextField label={words.reason} name="reason" required />
        <FormEnd look="danger" verb={words.lock} act={act} onLeave={onLeave} />
      </form>
    </Dialog>
  );
}
