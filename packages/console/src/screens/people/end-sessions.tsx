/** The button that ends all sessions of an account, and its dialog. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.js';
import { TextField, textsOf } from '../../parts/field.js';
import { FormEnd } from '../../parts/form-end.js';
import { useAction } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import type { User } from './account-facts.js';

const words = texts.account;

interface EndProps {
  readonly user: User;
  readonly onEnded: () => void;
}

/** Shows the button, and says when the sessions have ended. */
export function EndSessions({ user, onEnded }: EndProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const [hasEnded, setEnded] = useState(false);
  const end = (): void => {
    setOpen(false);
    setEnded(true);
    onEnded();
  };
  return (
    <>
      <span role="status">{hasEnded ? words.ended : ''}</span>
      <button type="button" class="danger" onClick={() => setOpen(true)}>
        {words.endSessions}
      </button>
      {isOpen ? <AskToEnd user={user} onEnded={end} onLeave={() => setOpen(false)} /> : undefined}
    </>
  );
}

function AskToEnd(props: EndProps & { readonly onLeave: () => void }): JSX.Element {
  const { user, onEnded, onLeave } = props;
  const act = useAction(async (agent, form: Record<string, string>) => {
    const reason = form['reason'] === undefined ? {} : { reason: form['reason'] };
    const includeApiKeys = form['withKeys'] !== undefined;
    await agent.session.revokeAll(user.id, { ...reason, includeApiKeys });
    onEnded();
  });
  return (
    <Dialog title={words.endTitle(user.username)} onLeave={onLeave}>
      <form class="stack" onSubmit={(event) => act.run(textsOf(event))}>
        <p>{words.endText}</p>
        <label class="check">
          <input type="checkbox" name="withKeys" />
          {words.withKeys}
        </label>
        <TextField label={words.reason} name="reason" />
        <FormEnd look="danger" verb={words.endSessions} act={act} onLeave={onLeave} />
      </form>
    </Dialog>
  );
}
