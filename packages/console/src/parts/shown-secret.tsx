/** A new secret, which is shown once, or another text that a program is given. */
import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { texts } from '../texts/en/english.js';
import { Dialog } from './dialog.js';

const words = texts.secret;

/** What is said of a text that is no secret. */
type OpenTextWords = Readonly<Record<'title' | 'text' | 'label' | 'done', string>>;

interface SecretProps {
  readonly secret: string;
  /** Why it has to be kept now. */
  readonly text?: string | undefined;
  /** For a text that is no secret. */
  readonly open?: OpenTextWords | undefined;
  readonly onLeave: () => void;
}

/** Shows a secret in a dialog. */
export function SecretDialog(props: SecretProps): JSX.Element {
  return (
    <Dialog
      key="secret"
      title={(props.open ?? words).title}
      isOnce={props.open === undefined}
      onLeave={props.onLeave}
    >
      <ShownSecret {...props} />
    </Dialog>
  );
}

/** Shows a secret until it is said to be kept. */
function ShownSecret({ secret, text, open, onLeave }: SecretProps): JSX.Element {
  const said = open ?? words;
  const id = useId();
  const [outcome, setOutcome] = useState<'copied' | 'notCopied'>();
  const copy = (): void => {
    // Pages that were not loaded over https have no clipboard.
    const { clipboard } = navigator as { clipboard?: Clipboard };
    const copied = clipboard?.writeText(secret) ?? Promise.reject(new Error('no clipboard'));
    copied.then(
      () => setOutcome('copied'),
      () => setOutcome('notCopied'),
    );
  };
  return (
    <div class="stack">
      <p class={open === undefined ? 'note warned' : 'note'}>{text ?? said.text}</p>
      <div class="stack-tight">
        <strong id={id}>{said.label}</strong>
        <code class="secret" role="group" aria-labelledby={id} tabIndex={0}>
          {secret}
        </code>
      </div>
      <p role="status">{outcome === undefined ? '' : words[outcome]}</p>
      <div class="row">
        <button type="button" class="main" onClick={onLeave}>
          {said.done}
        </button>
        <button type="button" onClick={copy}>
          {words.copy}
        </button>
      </div>
    </div>
  );
}
