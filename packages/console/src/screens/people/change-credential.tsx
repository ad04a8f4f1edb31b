/** The dialogs that replace the secret of a credential, and that revoke it. */
import type { Credential } from '@agentkeep/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Confirm } from '../../parts/confirm.js';
import { ChoiceField } from '../../parts/field.js';
import { useAction } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import { SecretDialog } from '../../parts/shown-secret.js';

interface ChangeProps {
  readonly credential: Credential;
  readonly onLeave: () => void;
}

/** Asks when the present secret ends, replaces it, and shows the new one. */
export function RotateCredential({ credential, onLeave }: ChangeProps): JSX.Element {
  const words = texts.rotate;
  const [overlap, setOverlap] = useState('0');
  const [secret, setSecret] = useState<string>();
  const act = useAction(async (agent) => {
    const { id, revision } = credential;
    const overlapSeconds = Number(overlap);
    const rotated = await agent.credentials.rotate(id, revision, { overlapSeconds });
    setSecret(rotated.secret);
  });
  if (secret !== undefined) {
    return <SecretDialog key="secret" secret={secret} onLeave={onLeave} />;
  }
  return (
    <Confirm key="ask" title={words.title} verb={words.go} act={act} onLeave={onLeave}>
      <p>{words.text}</p>
      <ChoiceField
        label={words.overlap}
        name="overlap"
        value={overlap}
        choices={words.overlaps}
        onChange={setOverlap}
      />
    </Confirm>
  );
}

/** Asks, then revokes a credential for good. */
export function RevokeCredential({ credential, onLeave }: ChangeProps): JSX.Element {
  const words = texts.revoke;
  const act = useAction(async (agent) => {
    await agent.credentials.revoke(credential.id, credential.revision);
    onLeave();
  });
  const title = words.title(credential.spec.subject_id);
  return (
    <Confirm title={title} verb={words.go} act={act} onLeave={onLeave}>
      <p>{words.text}</p>
    </Confirm>
  );
}
