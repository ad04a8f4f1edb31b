/** The dialog that says that a change waits for others to agree. */
import type { JSX } from 'preact';
import { Dialog } from '../../parts/dialog.js';
import { texts } from '../../texts/en/english.js';

const words = texts.record;

/** Shows the dialog, which can only be left. */
export function ChangeWaits({ onLeave }: { readonly onLeave: () => void }): JSX.Element {
  return (
    <Dialog key="waits" title={words.waitsTitle} onLeave={onLeave}>
      <p class="note">{words.waits}</p>
      <div class="row">
        <button type="button" onClick={onLeave}>
          {texts.close}
        </button>
      </div>
    </Dialog>
  );
}
