/**
 * Brings the answers of commands that ran at once into an order in which they may have run.
 */
import type { Receipt } from '../../src/index.js';
import type { Caller } from './callers.js';
import type { Outcome } from '@agentkeep/testkit/outcome';

/** What one of several callers was answered. */
export interface RaceAnswer {
  readonly caller: Caller;
  readonly actual: Outcome<Receipt>;
}

/**
 * Those whose own command took effect, by the ids that they made, then all others: a receipt that
 * was given again names the credential that won it.
 */
export function winnersFirst<T extends RaceAnswer>(answers: readonly T[]): T[] {
  const winners = answers.filter(({ caller, actual }) => {
    return 'value' in actual && actual.value.author.credential_id === caller.credentialId;
  });
  winners.sort((one, other) => (idOf(one) < idOf(other) ? -1 : 1));
  return [...winners, ...answers.filter((each) => !winners.includes(each))];
}

function idOf({ actual }: RaceAnswer): string {
  return 'value' in actual ? actual.value.record_id : '';
}
