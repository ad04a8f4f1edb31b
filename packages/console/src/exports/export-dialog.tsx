/** The dialog that saves an export to a file. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { sizeText } from '../parts/amounts.js';
import { Dialog, LeaveButton } from '../parts/dialog.js';
import { ChoiceField, TextField, textsOf } from '../parts/field.js';
import { FormEnd } from '../parts/form-end.js';
import { seenText } from '../parts/name.js';
import { RunningWork } from '../parts/running-work.js';
import { scopeText, type ShownScope } from '../scopes/scope-query.js';
import type { Caller } from '../session/caller.js';
import { useLongWork } from '../session/use-long-work.js';
import { texts } from '../texts/en/english.js';
import { openExportFile, writesFiles } from './export-file.js';
import { type ExportedPart, exportName, partOfScope } from './exported-part.js';

const words = texts.exports;

/** Shows the dialog: for a scope, for a subject, or for the tenant and its subjects. */
export function ExportDialog(props: {
  readonly caller: Caller;
  readonly shown: ShownScope | undefined;
  readonly subject?: string;
  readonly onLeave: () => void;
}): JSX.Element {
  const { caller, shown, subject, onLeave } = props;
  const [bytes, setBytes] = useState(0);
  const [saved, setSaved] = useState<string>();
  const work = useLongWork(async (agent, signal, part: ExportedPart, withHistory: boolean) => {
    const name = exportName(part, caller.tenantId ?? '', Date.now());
    const file = await openExportFile(name);
    if (file === undefined) return;
    let size = 0;
    setBytes(size);
    try {
      for await (const text of agent.exports.texts(part, { withHistory, signal })) {
        await file.write(text);
        size += new TextEncoder().encode(text).length;
        setBytes(size);
      }
      signal.throwIfAborted();
      await file.close();
    } catch (error) {
      await file.abort();
      throw error;
    }
    setSaved(words.saved(name, sizeText(size)));
  });
  return (
    <Dialog title={words.title} onLeave={onLeave}>
      {saved === undefined ? (
        <form
          class="stack"
          onSubmit={(event) => {
            const { subject: typed, history } = textsOf(event);
            work.run(partOf(shown, subject ?? typed), history !== undefined);
          }}
        >
          {work.isRunning ? undefined : <Choices shown={shown} subject={subject} />}
          {work.wasStopped ? <p class="note warned">{words.stopped}</p> : undefined}
          {work.isRunning ? (
            <RunningWork
              {...{ label: words.running, text: words.soFar(sizeText(bytes)), onStop: work.stop }}
            />
          ) : (
            <FormEnd verb={words.verb} act={work} onLeave={onLeave} />
          )}
        </form>
      ) : (
        <>
          <p class="note" role="status">
            {saved}
          </p>
          <div class="row">
            <LeaveButton text={texts.close} onLeave={onLeave} />
          </div>
        </>
      )}
    </Dialog>
  );
}

function partOf(shown: ShownScope | undefined, subject: string | undefined): ExportedPart {
  if (shown !== undefined) return partOfScope(shown);
  return subject === undefined ? { type: 'tenant' } : { type: 'subject', subject_id: subject };
}

function Choices(props: {
  readonly shown: ShownScope | undefined;
  readonly subject: string | undefined;
}): JSX.Element {
  const { shown, subject } = props;
  return (
    <>
      {shown === undefined ? undefined : <p>{words.scope(scopeText(shown.scope))}</p>}
      {subject === undefined ? undefined : <p>{words.subject(seenText(subject))}</p>}
      {shown === undefined && subject === undefined ? <PartChoice /> : undefined}
      <label class="check">
        <input type="checkbox" name="history" />
        {words.history}
      </label>
      <p class="soft">
        {words.content} {writesFiles() ? '' : words.kept}
      </p>
    </>
  );
}

function PartChoice(): JSX.Element {
  const [kind, setKind] = useState('tenant');
  return (
    <>
      <ChoiceField
        {...{ label: words.what, name: 'what', value: kind, choices: words.kinds }}
        onChange={setKind}
      />
      {kind === 'subject' ? (
        <TextField label={texts.scopes.subject} name="subject" required />
      ) : undefined}
      <p class="soft">{words.oneScope}</p>
    </>
  );
}
