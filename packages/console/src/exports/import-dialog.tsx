/** The dialog that imports an export: first as a dry run, then for good. */
import type { Agent } from '@agentkeep/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { sizeText } from '../parts/amounts.js';
import { Dialog, LeaveButton } from '../parts/dialog.js';
import { Field } from '../parts/field.js';
import { FormEnd } from '../parts/form-end.js';
import { RunningWork } from '../parts/running-work.js';
import { useLongWork } from '../session/use-long-work.js';
import { texts } from '../texts/en/english.js';
import { isExport, textsOfFile } from './import-file.js';
import { type ImportTotals, Outcome } from './import-outcome.js';

const words = texts.imports;

/** How an import got on. `tried` is what a dry run found, `done` what was stored. */
interface Progress {
  readonly file?: File;
  readonly isForeign?: boolean;
  readonly read?: number;
  readonly tried?: ImportTotals;
  readonly done?: ImportTotals;
}

/** Shows the dialog. `onStored` is called after something was stored. */
export function ImportDialog(props: {
  readonly onStored: () => void;
  readonly onLeave: () => void;
}): JSX.Element {
  const { onStored, onLeave } = props;
  const [progress, setProgress] = useState<Progress>({});
  const { file, isForeign = false, read = 0, tried, done } = progress;
  const work = useLongWork(async (agent, signal, chosen: File, dryRun: boolean) => {
    const before = { file: chosen };
    if (!(await isExport(chosen))) {
      setProgress({ ...before, isForeign: true });
      return;
    }
    const totals = await importFile(agent, chosen, {
      ...{ dryRun, signal },
      onRead: (bytes) => setProgress({ ...before, read: bytes }),
    }).finally(() => {
      if (!dryRun) onStored();
    });
    setProgress(dryRun ? { ...before, tried: totals } : { ...before, done: totals });
  });
  const wouldStore = tried !== undefined && tried.stored > 0;
  const isOver = done !== undefined || (tried !== undefined && !wouldStore);
  return (
    <Dialog title={words.title} onLeave={onLeave}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (file !== undefined) work.run(file, !wouldStore);
        }}
      >
        {done === undefined ? (
          <FileField
            isFixed={work.isRunning}
            onChoose={(chosen) => setProgress({ file: chosen })}
          />
        ) : undefined}
        {isForeign ? <p class="note warned">{words.foreign}</p> : undefined}
        {work.wasStopped ? <p class="note warned">{words.stopped}</p> : undefined}
        {tried === undefined ? undefined : <Outcome totals={tried} isDry />}
        {done === undefined ? undefined : <Outcome totals={done} isDry={false} />}
        {work.isRunning ? (
          <RunningWork
            label={words.running}
            share={file === undefined ? 0 : read / Math.max(1, file.size)}
            text={words.read(sizeText(read), sizeText(file?.size ?? 0))}
            onStop={work.stop}
          />
        ) : isOver ? (
          <div class="row">
            <LeaveButton text={texts.close} onLeave={onLeave} />
          </div>
        ) : (
          <FormEnd
            verb={wouldStore ? words.verb(tried.stored) : words.tryVerb}
            {...{ act: work, onLeave }}
          />
        )}
      </form>
    </Dialog>
  );
}

function FileField(props: {
  readonly isFixed: boolean;
  readonly onChoose: (file: File) => void;
}): JSX.Element {
  return (
    <Field
      label={words.file}
      hint={words.hint}
      field={(id) => (
        <input
          id={id}
          type="file"
          required
          disabled={props.isFixed}
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? [];
            if (file !== undefined) props.onChoose(file);
          }}
        />
      )}
    />
  );
}

function importFile(
  agent: Agent,
  file: File,
  options: {
    readonly dryRun: boolean;
    readonly signal: AbortSignal;
    readonly onRead: (bytes: number) => void;
  },
): Promise<ImportTotals> {
  const { dryRun, signal, onRead } = options;
  let bytes = 0;
  const lines = textsOfFile(file, (read) => {
    bytes = read;
  });
  return agent.exports.import(lines, { dryRun, signal, onProgress: () => onRead(bytes) });
}
