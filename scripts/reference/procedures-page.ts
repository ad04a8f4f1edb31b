/** The page of procedures: their state machine, from the table that the code uses. */
import {
  acceptedPhase,
  procedureStates,
  procedureTransitions,
} from '../../packages/core/src/domains/learning/procedure/procedure-states.ts';
import { code, page, type ReferencePage, table } from './page.ts';

const introduction =
  'A procedure begins as `Candidate`. Only an admitted evaluation changes its state, and an ' +
  'evaluation is admitted only in the phase that the state requires.';

/** Returns the page of procedures. */
export function proceduresPage(): ReferencePage {
  const source = '`learning/procedure-states.ts`';
  return page('procedures.md', 'Procedures', source, [
    introduction,
    statesTable(),
    '## Transitions',
    transitionsTable(),
  ]);
}

function statesTable(): string {
  const rows = procedureStates.map((state) => {
    const phase = acceptedPhase(state);
    return [code(state), phase === undefined ? 'none; it is final' : code(phase)];
  });
  return table(['State', 'Accepted phase'], rows);
}

function transitionsTable(): string {
  const rows = procedureTransitions.map(({ from, phase, when, to, reason }) => [
    code(from),
    code(phase),
    when,
    code(to),
    reason ?? '',
  ]);
  return table(['From', 'Phase', 'The evaluation is', 'To', 'Reason of the decision'], rows);
}
