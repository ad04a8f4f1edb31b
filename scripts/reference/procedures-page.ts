/**
 * The page of procedures: the state machine, as the table that the code runs on states it.
 *
 * @module
 */
import {
  acceptedPhase,
  procedureStates,
  procedureTransitions,
} from '../../packages/core/src/learning/procedure/procedure-states.ts';
import { code, page, type ReferencePage, table } from './page.ts';

const introduction = `A procedure begins as \`Candidate\`. Only an accepted evaluation changes \
anything, and it is accepted only in the phase that the state of the procedure names.`;

/** The page of procedures. */
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
