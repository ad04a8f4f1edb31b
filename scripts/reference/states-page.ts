/** The page of states, from the tables that the code uses. */
import { outcomeRules } from '../../packages/core/src/domains/learning/experience/outcome-policy.ts';
import {
  developmentStates,
  type DevelopmentTransition,
  developmentTransitions,
  isTerminal,
} from '../../packages/core/src/domains/learning/tool/development-policy.ts';
import { code, page, type ReferencePage, table } from './page.ts';

const introduction =
  'These tables govern everything that changes by commands. A change without a row is refused ' +
  'with `idempotency_conflict` and changes nothing.';

/** Returns the page of states. */
export function statesPage(): ReferencePage {
  const source = 'the tables of states in the sources';
  return page('states.md', 'States', source, [introduction, ...developments(), ...outcomes()]);
}

const budgets: Readonly<Record<NonNullable<DevelopmentTransition['consumption']>, string>> = {
  over: 'a known total over the budget',
  unknown: 'no known total over the budget, and one unknown',
  within: 'both known and within the budget',
};

function developments(): string[] {
  const final = developmentStates.filter(isTerminal).map(code).join(', ');
  const rows = developmentTransitions.map((row) => [
    row.from.map(code).join(', '),
    code(row.action),
    row.consumption === undefined ? 'any' : budgets[row.consumption],
    code(row.to),
    code(row.reason),
    row.storesArtifact === true ? 'yes' : 'no',
  ]);
  return [
    '## Developments of tools',
    'A development begins as `requested`, for the reason `request_recorded`. Final ' +
      `states: ${final}.`,
    table(['From', 'Action', 'Totals', 'To', 'Reason', 'Stores the artifact'], rows),
  ];
}

function outcomes(): string[] {
  const rows = outcomeRules.map(({ current, next }) => [
    current === null ? 'none yet' : code(current),
    next.map(code).join(', '),
  ]);
  return ['## Outcomes of attempts', table(['Current outcome', 'Possible next outcomes'], rows)];
}
