/** The buttons of what can be done with a row; each opens a dialog. */
import type { JSX } from 'preact';

/** What a button does, its text, and its name for screen readers, which says the row too. */
export type Verb<V extends string> = readonly [verb: V, text: string, label: string];

/** Shows a button for each verb. */
export function VerbButtons<V extends string>(props: {
  readonly verbs: readonly Verb<V>[];
  readonly onOpen: (verb: V) => void;
}): JSX.Element {
  return (
    <div class="row">
      {props.verbs.map(([verb, text, label]) => (
        <button key={verb} type="button" aria-label={label} onClick={() => props.onOpen(verb)}>
          {text}
        </button>
      ))}
    </div>
  );
}
