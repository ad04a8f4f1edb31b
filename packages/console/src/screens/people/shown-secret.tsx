/** A new secret, which is shown once. */
import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { texts } from '../../texts/en.js';

const words = texts.secret;

/** Shows a secret until it is said to be kept. */
export function ShownSecret(props: {
  readonly secret: string;
  readonly onLeave: () => void;
}): JSX.Element {
  const { secret, onLeave } = props;
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
      <p class="note warned">{words.text}</p>
      <div class="stack-tight">
        <strong id={id}>{words.label}</strong>
        <code class="secret" role="group" aria-labelledby={id} tabIndex={0}>
          {secret}
        </code>
      </div>
      <p role="status">{outcome === undefined ? '' : words[outcome]}</p>
      <div class="row">
        <button type="button" class="main" onClick={onLeave}>
          {words.done}
        </button>
        <button type="button" onClick={copy}>
          {words.copy}
        </button>
      </div>
    </div>
  );
}
