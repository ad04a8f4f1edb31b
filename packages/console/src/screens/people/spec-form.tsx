/** The form of a new credential. */
import type { Capability } from '@agentkeep/client';
import type { JSX, TargetedEvent } from 'preact';
import { useState } from 'preact/hooks';
import { ChoiceField, TextField, textsOf } from '../../parts/field.js';
import { ProblemNote } from '../../parts/notes.js';
import { Repeated } from '../../parts/repeated.js';
import { ScopeFields } from '../../scopes/scope-fields.js';
import { texts } from '../../texts/en/english.js';
import { KeyField } from './key-field.js';
import { type NewProof, newProof, type ProofMode } from './new-proof.js';
import { type Authority, newScopes, type NewSpec, specOf } from './new-spec.js';
import { RightFields } from './right-fields.js';
import { RuleFields } from './rule-fields.js';
import { SelectorFields } from './selector-fields.js';

const words = texts.issue;

/** Asks for the spec and the proof, and says what is wrong before anything is sent. */
export function SpecForm(props: {
  readonly onSend: (spec: NewSpec, proof: NewProof) => void;
  readonly onProblem: () => void;
  readonly children: JSX.Element;
}): JSX.Element {
  const { onSend, onProblem, children } = props;
  const [rights, setRights] = useState<readonly Capability[]>(['memory_read', 'memory_write']);
  const [authority, setAuthority] = useState<Authority>('some');
  const [mode, setMode] = useState<ProofMode>('secret');
  const [problem, setProblem] = useState<string>();
  const send = (event: TargetedEvent<HTMLFormElement>): void => {
    const [form, fields] = [textsOf(event), new FormData(event.currentTarget)];
    const wrong = wrongRights(rights, authority);
    const proved =
      wrong === undefined ? newProof(mode, { texts: form, fields, rights }) : { problem: wrong };
    const stated = specOf(form, rights, newScopes(authority, fields));
    const found = 'problem' in proved ? proved : 'problem' in stated ? stated : undefined;
    setProblem(found?.problem);
    if ('problem' in proved || 'problem' in stated) {
      onProblem();
      return;
    }
    onSend(stated.spec, proved.proof);
  };
  return (
    <form class="stack" onSubmit={send}>
      <TextField
        label={texts.credentials.subject}
        name="subject"
        hint={words.subjectHint}
        required
      />
      <ChoiceField
        label={words.proof}
        name="proof"
        value={mode}
        choices={words.proofs}
        onChange={(value) => setMode(value as ProofMode)}
      />
      {mode === 'key' ? <KeyField /> : undefined}
      {mode === 'issuer' ? <RuleFields /> : undefined}
      <RightFields chosen={rights} onChoose={setRights} />
      {rights.includes('act_for') ? (
        <SelectorFields label={words.actsFor} name="act_for" />
      ) : undefined}
      <ChoiceField
        label={words.authority}
        name="authority"
        value={authority}
        choices={words.authorities}
        onChange={(value) => setAuthority(value as Authority)}
      />
      {authority === 'some' ? (
        <Repeated words={words.grants} least={1} group={() => <ScopeFields />} />
      ) : undefined}
      <TextField
        label={words.expires}
        name="expires"
        type="datetime-local"
        hint={words.expiresHint}
      />
      <ProblemNote problem={problem} />
      {children}
    </form>
  );
}

function wrongRights(rights: readonly Capability[], authority: Authority): string | undefined {
  if (rights.length === 0) return words.noRight;
  const isAdministrator = rights.includes('credential_admin');
  return isAdministrator && authority === 'all' ? words.noAdministrator : undefined;
}
