/** A dialog that asks before something that cannot be undone, or that ends something. */
import type { ComponentChildren, JSX } from 'preact';
import type { Action } from '../session/use-loaded.js';
import { texts } from '../texts/en/english.js';
import { Dialog, LeaveButton } from './dialog.js';
import { FailureNote } from './notes.js';

/** Asks, then does it. */
export function Confirm(props: {
  readonly title: string;
  readonly verb: string;
  readonly act: Action<[]>;
  readonly onLeave: () => void;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { title, verb, act, onLeave, children } = props;
  return (
    <Dialog title={title} onLeave={onLeave}>
      {children}
      <FailureNote failure={act.failure} />
      <div class="row">
        <button type="button" class="danger" disabled={act.isRunning} onClick={() => act.run()}>
          {verb}
        </button>
        <LeaveButton text={texts.cancel} onLeave={onLeave} />
      </div>
    </Dialog>
  );
}
