/** The dialog that trusts an issuer, or changes one. */
import type { Agent } from '@agentkeep/client';
import type { JSX, TargetedEvent } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.js';
import { ChoiceField, Field, TextField, textsOf } from '../../parts/field.js';
import { FormEnd } from '../../parts/form-end.js';
import { ProblemNote } from '../../parts/notes.js';
import { useAction } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import { type IssuerKeys, issuerKeys } from './issuer-keys.js';

const words = texts.issuers;

/** An issuer as the server shows it. */
export type Issuer = Awaited<ReturnType<Agent['issuers']['get']>>;

/** Asks for what an issuer is known by. A blocked one stays blocked. */
export function IssuerForm(props: {
  /** Absent for a new one. */
  readonly issuer?: Issuer;
  readonly onPut: () => void;
  readonly onLeave: () => void;
}): JSX.Element {
  const { issuer, onPut, onLeave } = props;
  const [mode, setMode] = useState<IssuerKeys['mode']>(issuer?.keys.mode ?? 'discovery');
  const [isWrong, setWrong] = useState(false);
  const act = useAction(async (agent, form: Record<string, string>, keys: IssuerKeys) => {
    const { name = '', issuer: iss = null, audience = '' } = form;
    const trust = { issuer: iss, audience, keys, is_blocked: issuer?.is_blocked ?? false };
    await agent.issuers.put(issuer?.name ?? name, trust, issuer?.revision ?? 0);
    onPut();
    onLeave();
  });
  const send = (event: TargetedEvent<HTMLFormElement>): void => {
    const form = textsOf(event);
    const keys = issuerKeys(mode, form);
    setWrong(keys === undefined);
    if (keys !== undefined) act.run(form, keys);
  };
  const title = issuer === undefined ? words.create : words.changeName(issuer.name);
  return (
    <Dialog title={title} onLeave={onLeave}>
      <form class="stack" onSubmit={send}>
        <p class="soft">{issuer === undefined ? words.createText : words.changeText}</p>
        {issuer === undefined ? <TextField label={words.name} name="name" required /> : undefined}
        <TextField
          label={words.issuer}
          name="issuer"
          value={issuer?.issuer ?? ''}
          required={mode === 'discovery'}
          hint={words.issuerHint}
        />
        <TextField
          label={words.audience}
          name="audience"
          value={issuer?.audience ?? ''}
          hint={words.audienceHint}
          required
        />
        <ChoiceField
          label={words.keys}
          name="mode"
          value={mode}
          choices={words.modes}
          onChange={(value) => setMode(value as IssuerKeys['mode'])}
        />
        <KeyFields mode={mode} keys={issuer?.keys} />
        <ProblemNote problem={isWrong ? words.wrongKeys : undefined} />
        <FormEnd verb={texts.save} act={act} onLeave={onLeave} />
      </form>
    </Dialog>
  );
}

function KeyFields(props: {
  readonly mode: IssuerKeys['mode'];
  readonly keys: IssuerKeys | undefined;
}): JSX.Element | null {
  const { mode, keys } = props;
  if (mode === 'discovery') return null;
  if (mode === 'address') {
    const uri = keys?.mode === 'address' ? keys.jwks_uri : '';
    return <TextField label={words.address} name="address" type="url" value={uri} required />;
  }
  const shown = keys?.mode === 'inline' ? JSON.stringify(keys.keys, undefined, 2) : '';
  return (
    <Field
      label={words.inline}
      hint={words.inlineHint}
      field={(id) => <textarea id={id} name="keys" rows={6} defaultValue={shown} required />}
    />
  );
}
