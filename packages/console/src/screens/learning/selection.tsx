/** What selection chooses, and why. */
import type { JSX } from 'preact';
import { texts } from '../../texts/en/english.js';
import type { Procedure } from './procedure-figures.js';

const words = texts.learning;

/** What the server answers to a selection. It decides by bounds alone. */
export type Selected =
  | { readonly type: 'baseline'; readonly baseline_revision: string }
  | { readonly type: 'procedure'; readonly procedure: Procedure };

/** Shows it. `shown` is the procedure whose page it is on, if it is on one. */
export function Selection(props: {
  readonly selection: Selected;
  readonly shown?: string;
}): JSX.Element {
  const { selection, shown } = props;
  if (selection.type === 'baseline') {
    return (
      <p>
        {words.chosenBaseline(selection.baseline_revision)}{' '}
        <span class="soft">{words.baselineWhy}</span>
      </p>
    );
  }
  const chosen = selection.procedure.receipt.request.id;
  return (
    <p>
      {chosen === shown ? words.isChosen : words.chosen(chosen)}{' '}
      <span class="soft">{words.chosenWhy}</span>
    </p>
  );
}
