/** What an import did, or what a dry run found that it would do. */
import type { Agent } from '@agentkeep/client';
import type { JSX } from 'preact';
import { texts } from '../texts/en/english.js';

const words = texts.imports;

/** The numbers of lines, and why some were refused. */
export type ImportTotals = Awaited<ReturnType<Agent['exports']['import']>>;

/** Shows the numbers, and the lines that were refused. */
export function Outcome(props: {
  readonly totals: ImportTotals;
  readonly isDry: boolean;
}): JSX.Element {
  const { totals, isDry } = props;
  const { stored, unchanged, refused, problems } = totals;
  return (
    <section class="stack-tight">
      <p class={stored === 0 && refused === 0 ? 'note' : ''} role="status">
        {isDry ? words.would(stored) : words.did(stored)}{' '}
        {unchanged === 0 ? '' : words.unchanged(unchanged)}
      </p>
      {refused === 0 ? undefined : (
        <>
          <p class="note warned">
            {words.refused(refused)} {isDry ? words.onItsOwn : ''}
          </p>
          <ul class="plain-list problems" tabIndex={0} aria-label={words.problems}>
            {problems.map(({ line, reason }) => (
              <li key={line}>{words.problem(line, words.reasons[reason])}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
