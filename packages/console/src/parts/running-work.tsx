/** Shows that long work is running, how far it is, and a way to stop it. */
import type { JSX } from 'preact';
import { texts } from '../texts/en/english.js';

/** Shows a bar, which has no end unless a share from 0 to 1 is known. */
export function RunningWork(props: {
  readonly label: string;
  readonly share?: number;
  readonly text: string;
  readonly onStop: () => void;
}): JSX.Element {
  const { label, share, text, onStop } = props;
  return (
    <>
      <progress aria-label={label} {...(share === undefined ? {} : { value: share, max: 1 })} />
      <div class="row">
        <span role="status">{text}</span>
        <button type="button" onClick={onStop}>
          {texts.stop}
        </button>
      </div>
    </>
  );
}
