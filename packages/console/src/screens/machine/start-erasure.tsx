/** The dialogs that begin an erasure: what it is about, then whether it is really meant. */
import type { Agent } from '@agentkeep/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.js';
import { ChoiceField, TextField, textsOf } from '../../parts/field.js';
import { FormEnd } from '../../parts/form-end.js';
import { pathOf } from '../../routing/address.js';
import { go } from '../../routing/router.js';
import { ScopeFields } from '../../scopes/scope-fields.js';
import { scopeOfQuery, scopeText } from '../../scopes/scope-query.js';
import { useAction } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import { TypedConfirm } from './typed-confirm.js';

const words = texts.machine.erasures;

/** A subject or a scope. */
export type ErasureTarget = Parameters<Agent['erasures']['start']>[0];

/** Asks for the target, asks for its name again, and begins. */
export function StartErasure(props: {
  /** What it is about; it is asked for if it is left out. */
  readonly target?: ErasureTarget;
  readonly onLeave: () => void;
}): JSX.Element {
  const { onLeave } = props;
  const [target, setTarget] = useState(props.target);
  const act = useAction(async (agent) => {
    if (target === undefined) return;
    const { id } = await agent.erasures.start(target);
    go(pathOf('erasures', { id }));
  });
  if (target === undefined) return <ChooseTarget onTarget={setTarget} onLeave={onLeave} />;
  const name = nameOf(target);
  return (
    <TypedConfirm
      {...{ title: words.confirm(name), name, verb: words.go, act, onLeave }}
      key="confirm"
    >
      <p class="note danger">{words.texts[target.kind]}</p>
      <p>{words.noWayBack}</p>
    </TypedConfirm>
  );
}

function ChooseTarget(props: {
  readonly onTarget: (target: ErasureTarget) => void;
  readonly onLeave: () => void;
}): JSX.Element {
  const { onTarget, onLeave } = props;
  const [kind, setKind] = useState<ErasureTarget['kind']>('subject');
  return (
    <Dialog key="target" title={words.start} onLeave={onLeave}>
      <form
        class="stack"
        onSubmit={(event) => {
          const target = targetOf(kind, textsOf(event));
          if (target !== undefined) onTarget(target);
        }}
      >
        <ChoiceField
          label={words.kind}
          name="kind"
          value={kind}
          choices={{ subject: words.kinds.subject, scope: words.kinds.scope }}
          onChange={(value) => setKind(value as ErasureTarget['kind'])}
        />
        {kind === 'subject' ? (
          <TextField label={words.subject} name="subject" hint={words.subjectHint} required />
        ) : (
          <div class="fields">
            <ScopeFields />
            <TextField label={words.privateTo} name="subject" hint={words.privateHint} />
          </div>
        )}
        <FormEnd verb={words.next} onLeave={onLeave} />
      </form>
    </Dialog>
  );
}

function targetOf(
  kind: ErasureTarget['kind'],
  form: Record<string, string>,
): ErasureTarget | undefined {
  const { subject } = form;
  if (kind === 'subject') return { kind, subject_id: subject ?? '' };
  const scope = scopeOfQuery(new URLSearchParams(form))?.scope;
  return scope && { kind, scope, subject_id: subject ?? null };
}

function nameOf(target: ErasureTarget): string {
  return target.kind === 'subject' ? target.subject_id : scopeText(target.scope);
}
