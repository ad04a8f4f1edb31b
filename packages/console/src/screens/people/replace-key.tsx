/** The dialog that replaces the key of a credential. */
import type { Credential } from '@agentkeep/client';
import type { JSX, TargetedEvent } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.js';
import { ChoiceField, textsOf } from '../../parts/field.js';
import { FormEnd } from '../../parts/form-end.js';
import { ProblemNote } from '../../parts/notes.js';
import { useAction } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import { KeyField } from './key-field.js';
import { type PublicKey, publicKeyOf } from './public-key.js';

const words = texts.publicKey.replace;

/** Asks for another key and when the present one ends, and replaces it. */
export function ReplaceKey(props: {
  readonly credential: Credential;
  readonly onLeave: () => void;
}): JSX.Element {
  const { credential, onLeave } = props;
  const [problem, setProblem] = useState<string>();
  const act = useAction(async (agent, key: PublicKey, overlapSeconds: number) => {
    const { id, revision } = credential;
    await agent.credentials.replaceKey(id, key, revision, { overlapSeconds });
    onLeave();
  });
  const send = (event: TargetedEvent<HTMLFormElement>): void => {
    const { key: text = '', overlap } = textsOf(event);
    const pasted = publicKeyOf(text);
    setProblem('problem' in pasted ? pasted.problem : undefined);
    if ('key' in pasted) act.run(pasted.key, Number(overlap));
    else act.forget();
  };
  return (
    <Dialog title={words.title} onLeave={onLeave}>
      <form class="stack" onSubmit={send}>
        <p>{words.text}</p>
        <KeyField />
        <ChoiceField
          label={words.overlap}
          name="overlap"
          value="0"
          choices={texts.rotate.overlaps}
        />
        <ProblemNote problem={problem} />
        <FormEnd look="danger" verb={texts.rotate.go} act={act} onLeave={onLeave} />
      </form>
    </Dialog>
  );
}
