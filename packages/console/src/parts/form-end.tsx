/** The end of a form in a dialog: what failed, and the buttons that send it or leave it. */
import type { JSX } from 'preact';
import type { Action } from '../session/use-loaded.js';
import { texts } from '../texts/en/english.js';
import { LeaveButton } from './dialog.js';
import { FailureNote } from './notes.js';

/** Shows the buttons. Without `act`, the form only leads to the next step. */
export function FormEnd(props: {
  readonly verb: string;
  readonly look?: 'main' | 'danger';
  readonly act?: Pick<Action<never>, 'isRunning' | 'failure'>;
  readonly onLeave: () => void;
}): JSX.Element {
  const { verb, look = 'main', act, onLeave } = props;
  return (
    <>
      <FailureNote failure={act?.failure} />
      <div class="row">
        <button type="submit" class={look} disabled={act?.isRunning === true}>
          {verb}
        </button>
        <LeaveButton text={texts.cancel} onLeave={onLeave} />
      </div>
    </>
  );
}
