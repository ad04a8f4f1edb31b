/** Whether a subject is paused, why, and the button that pauses it or lets it go on. */
import type { Agent } from '@agentkeep/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.js';
import { TextField, textsOf } from '../../parts/field.js';
import { FormEnd } from '../../parts/form-end.js';
import { FailureNote } from '../../parts/notes.js';
import { Time } from '../../parts/time.js';
import { type Caller, may } from '../../session/caller.js';
import { useAction, useLoaded } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';

const words = texts.pause;

type Subject = Awaited<ReturnType<Agent['subjects']['get']>>;

/** Shows the subject of a credential; nothing for those who may not pause it. */
export function PauseSubject(props: {
  readonly caller: Caller;
  /** That of an agent, or that an account acts with. */
  readonly credentialId: string;
}): JSX.Element | null {
  const { caller, credentialId } = props;
  const isAllowed = may(caller, 'credential_admin') && caller.tenantId !== undefined;
  return isAllowed ? <Pausable caller={caller} credentialId={credentialId} /> : null;
}

function Pausable(props: {
  readonly caller: Caller;
  readonly credentialId: string;
}): JSX.Element | null {
  const { caller, credentialId } = props;
  const [changed, setChanged] = useState(0);
  const { value, failure } = useLoaded(
    async (agent, signal) => {
      const { spec } = await agent.credentials.inspect(credentialId, { signal });
      return { name: spec.subject_id, subject: await knownSubject(agent, spec.subject_id, signal) };
    },
    [credentialId, changed],
  );
  if (failure !== undefined) return <FailureNote failure={failure} />;
  if (value === undefined || value.name === caller.credential?.spec.subject_id) return null;
  const { name, subject } = value;
  const change = (): void => setChanged(changed + 1);
  return (
    <section class="card stack" aria-label={words.label}>
      <div class="row" role="status">
        {subject?.is_blocked === true ? <Paused subject={subject} /> : words.active(name)}
      </div>
      <PauseButton name={name} subject={subject} onChanged={change} />
    </section>
  );
}

/** Returns what is stored of a subject; undefined for most. Few subjects are in the list. */
async function knownSubject(
  agent: Agent,
  name: string,
  signal: AbortSignal,
): Promise<Subject | undefined> {
  for await (const subject of agent.subjects.list({ limit: 100, signal })) {
    if (subject.subject_id === name) return subject;
  }
  return undefined;
}

function Paused({ subject }: { readonly subject: Subject }): JSX.Element {
  return (
    <>
      <span class="tag bad">{words.paused}</span>
      <span dir="auto">{subject.reason ?? words.noReason}</span>
      <Time millis={subject.updated_at_millis} />
    </>
  );
}

interface PauseProps {
  readonly name: string;
  /** As the page shows it, so that no change in between is overwritten. */
  readonly subject: Subject | undefined;
  readonly onChanged: () => void;
}

function PauseButton(props: PauseProps): JSX.Element {
  const { name, subject, onChanged } = props;
  const [isOpen, setOpen] = useState(false);
  const resume = useAction(async (agent) => {
    await putBlock(agent, props, { is_blocked: false });
    onChanged();
  });
  return (
    <div class="row">
      {subject?.is_blocked === true ? (
        <button type="button" disabled={resume.isRunning} onClick={() => resume.run()}>
          {words.resumeName(name)}
        </button>
      ) : (
        <button type="button" class="danger" onClick={() => setOpen(true)}>
          {words.pauseName(name)}
        </button>
      )}
      <FailureNote failure={resume.failure} />
      {isOpen ? <PauseDialog {...props} onLeave={() => setOpen(false)} /> : undefined}
    </div>
  );
}

function PauseDialog(props: PauseProps & { readonly onLeave: () => void }): JSX.Element {
  const { name, onChanged, onLeave } = props;
  const act = useAction(async (agent, reason: string) => {
    await putBlock(agent, props, { is_blocked: true, reason });
    onLeave();
    onChanged();
  });
  return (
    <Dialog title={words.title(name)} onLeave={onLeave}>
      <form class="stack" onSubmit={(event) => act.run(textsOf(event)['reason'] ?? '')}>
        <p>{words.text}</p>
        <TextField label={words.reason} name="reason" hint={words.reasonHint} required />
        <FormEnd look="danger" verb={words.go} act={act} onLeave={onLeave} />
      </form>
    </Dialog>
  );
}

function putBlock(
  { subjects }: Agent,
  { name, subject }: PauseProps,
  block: { readonly is_blocked: boolean; readonly reason?: string },
): Promise<Subject> {
  const { revision = 0, capabilities = null, scope_policy = null } = subject ?? {};
  return subjects.put(name, { capabilities, scope_policy, ...block }, revision);
}
