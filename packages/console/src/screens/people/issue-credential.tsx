/** The dialog that issues a credential, and shows once what its program needs. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.js';
import { FormEnd } from '../../parts/form-end.js';
import { SecretDialog } from '../../parts/shown-secret.js';
import { useAction } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import { type Handed, issueCredential, type NewProof } from './new-proof.js';
import type { NewSpec } from './new-spec.js';
import { SpecForm } from './spec-form.js';

const words = texts.issue;
const issuedWords = { secret: undefined, key: texts.publicKey.issued, issuer: texts.rule.issued };

/** Asks what the credential is for, issues it, and shows its secret, its token or its id. */
export function IssueCredential(props: {
  readonly onIssued: () => void;
  readonly onLeave: () => void;
}): JSX.Element {
  const { onIssued, onLeave } = props;
  const [handed, setHanded] = useState<Handed>();
  const act = useAction(async (agent, spec: NewSpec, proof: NewProof) => {
    setHanded(await issueCredential(agent, spec, proof));
    onIssued();
  });
  if (handed !== undefined) {
    const shown = { secret: handed.text, open: issuedWords[handed.mode], onLeave };
    return <SecretDialog key="secret" {...shown} />;
  }
  return (
    <Dialog key="form" title={words.open} onLeave={onLeave}>
      <p class="soft">{words.text}</p>
      <SpecForm onSend={act.run} onProblem={act.forget}>
        <FormEnd verb={words.go} act={act} onLeave={onLeave} />
      </SpecForm>
    </Dialog>
  );
}
