/** The dialog that issues a credential and shows its secret once. */
import type { Capability } from '@agentkeep/client';
import type { JSX, TargetedEvent } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.js';
import { ChoiceField, TextField, textsOf } from '../../parts/field.js';
import { FormEnd } from '../../parts/form-end.js';
import { ScopeFields } from '../../scopes/scope-fields.js';
import { useAction } from '../../session/use-loaded.js';
import { texts } from '../../texts/en.js';
import { rightText } from './credential-facts.js';
import { allRights, type Authority, type NewSpec, specOf } from './new-spec.js';
import { SecretDialog } from '../../parts/shown-secret.js';

const words = texts.issue;

/** Asks what the credential is for, issues it, and shows the secret. */
export function IssueCredential(props: {
  readonly onIssued: () => void;
  readonly onLeave: () => void;
}): JSX.Element {
  const { onIssued, onLeave } = props;
  const [secret, setSecret] = useState<string>();
  const act = useAction(async (agent, spec: NewSpec) => {
    const issued = await agent.credentials.issue(spec);
    setSecret(issued.secret);
    onIssued();
  });
  if (secret !== undefined) {
    return <SecretDialog key="secret" secret={secret} onLeave={onLeave} />;
  }
  return (
    <Dialog key="form" title={words.open} onLeave={onLeave}>
      <p class="soft">{words.text}</p>
      <SpecForm onSpec={act.run}>
        <FormEnd verb={words.go} act={act} onLeave={onLeave} />
      </SpecForm>
    </Dialog>
  );
}

function SpecForm(props: {
  readonly onSpec: (spec: NewSpec) => void;
  readonly children: JSX.Element | JSX.Element[];
}): JSX.Element {
  const { onSpec, children } = props;
  const [rights, setRights] = useState<readonly Capability[]>(['memory_read', 'memory_write']);
  const [authority, setAuthority] = useState<Authority>('one');
  const [isMissing, setMissing] = useState(false);
  const send = (event: TargetedEvent<HTMLFormElement>): void => {
    const form = textsOf(event);
    setMissing(rights.length === 0);
    if (rights.length > 0) onSpec(specOf(form, rights, authority));
  };
  return (
    <form class="stack" onSubmit={send}>
      <TextField
        label={texts.credentials.subject}
        name="subject"
        hint={words.subjectHint}
        required
      />
      <Rights chosen={rights} onChoose={setRights} />
      <ChoiceField
        label={words.authority}
        name="authority"
        value={authority}
        choices={words.authorities}
        onChange={(value) => setAuthority(value as Authority)}
      />
      {authority === 'one' ? (
        <div class="fields">
          <ScopeFields />
        </div>
      ) : undefined}
      <TextField
        label={words.expires}
        name="expires"
        type="datetime-local"
        hint={words.expiresHint}
      />
      <div role="alert">{isMissing ? <p class="note danger">{words.noRight}</p> : undefined}</div>
      {children}
    </form>
  );
}

function Rights(props: {
  readonly chosen: readonly Capability[];
  readonly onChoose: (rights: readonly Capability[]) => void;
}): JSX.Element {
  const { chosen, onChoose } = props;
  const toggle = (right: Capability): void => {
    const others = chosen.filter((each) => each !== right);
    onChoose(others.length === chosen.length ? [...chosen, right] : others);
  };
  return (
    <fieldset class="rights">
      <legend>{texts.credentials.rights}</legend>
      {allRights.map((right) => (
        <label key={right} class="check">
          <input type="checkbox" checked={chosen.includes(right)} onChange={() => toggle(right)} />
          {rightText(right)}
        </label>
      ))}
    </fieldset>
  );
}
