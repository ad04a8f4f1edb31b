/** The control that verifies the hash chains of an audit log, part by part. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.js';
import { TextField, textsOf } from '../../parts/field.js';
import { FormEnd } from '../../parts/form-end.js';
import { RunningWork } from '../../parts/running-work.js';
import { administersInstallation, type Caller } from '../../session/caller.js';
import { useLongWork } from '../../session/use-long-work.js';
import { texts } from '../../texts/en/english.js';
import { type ChainVerification, VerifiedChain } from './verified-chain.js';

const words = texts.chain;

/** Shows the button that opens the dialog. */
export function VerifyChain({ caller }: { readonly caller: Caller }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {words.title}
      </button>
      {isOpen ? <VerifyDialog caller={caller} onLeave={() => setOpen(false)} /> : undefined}
    </>
  );
}

function VerifyDialog(props: {
  readonly caller: Caller;
  readonly onLeave: () => void;
}): JSX.Element {
  const { caller, onLeave } = props;
  const [part, setPart] = useState<ChainVerification>();
  const work = useLongWork(async (agent, signal, tenantId: string | undefined) => {
    setPart(undefined);
    await agent.audit.verify({ tenantId, signal, onProgress: setPart });
  });
  const isOver = part !== undefined && part.status !== 'running';
  return (
    <Dialog title={words.title} onLeave={onLeave}>
      <form
        class="stack"
        onSubmit={(event) => {
          work.run(textsOf(event)['tenant']);
        }}
      >
        {isOver ? <VerifiedChain verified={part} /> : <p>{words.about}</p>}
        {work.isRunning || isOver || !administersInstallation(caller) ? undefined : (
          <TextField label={words.tenant} name="tenant" hint={words.tenantHint} />
        )}
        {work.wasStopped ? <p class="note warned">{words.stopped}</p> : undefined}
        <Controls {...{ work, part, isOver, onLeave }} />
      </form>
    </Dialog>
  );
}

function Controls(props: {
  readonly work: ReturnType<typeof useLongWork<[string | undefined]>>;
  readonly part: ChainVerification | undefined;
  readonly isOver: boolean;
  readonly onLeave: () => void;
}): JSX.Element {
  const { work, part, isOver, onLeave } = props;
  if (isOver) {
    return (
      <div class="row">
        <button type="button" onClick={onLeave}>
          {texts.close}
        </button>
      </div>
    );
  }
  if (!work.isRunning) return <FormEnd verb={words.verb} act={work} onLeave={onLeave} />;
  const { events_checked: checked = 0, events_kept: kept = 0 } = part ?? {};
  return (
    <RunningWork
      label={words.running}
      share={Math.min(1, checked / Math.max(1, kept))}
      text={words.soFar(checked, kept)}
      onStop={work.stop}
    />
  );
}
