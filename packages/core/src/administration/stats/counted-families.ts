/** Rules for which subspaces are counted, and what each of their entries adds. */
import { eventsOfHead } from '../audit/audit-store.js';
import { isCurrentRecord } from '../../memory/record/memory-store.js';
import { endOfSession } from '../../people/session/session-store.js';
import { keyspace } from '../../storage/store/keyspace.js';
import type { Entry } from '../../storage/store/store.js';
import { type CountName, sessionCounter } from '../../runtime/counts/count-name.js';

/** What an entry adds to the counts. */
export interface Counted {
  readonly name: CountName;
  readonly by: number;
}

type CountEntry = (entry: Entry) => Counted | undefined;

const eachAs = (name: CountName): CountEntry => {
  const one = { name, by: 1 };
  return () => one;
};

function countSession(entry: Entry): Counted | undefined {
  const endsAtMillis = endOfSession(entry);
  return endsAtMillis === undefined ? undefined : { name: sessionCounter(endsAtMillis), by: 1 };
}

const record: Counted = { name: 'memory_records', by: 1 };

/** Counting rules by subspace number, in ascending order. */
const rules: readonly (readonly [subspace: number, count: CountEntry])[] = [
  [keyspace.tenants.number, eachAs('tenants')],
  [keyspace.credentials.number, eachAs('credentials')],
  // Search entries show tombstones without decoding.
  [keyspace.memoryScan.number, ({ value }) => (isCurrentRecord(value) ? record : undefined)],
  [keyspace.memoryReceipts.number, eachAs('receipts')],
  [keyspace.auditHeads.number, (entry) => ({ name: 'audit_events', by: eventsOfHead(entry) })],
  [keyspace.accounts.number, eachAs('accounts')],
  [keyspace.sessions.number, countSession],
  [keyspace.globalCredentials.number, eachAs('credentials')],
  [keyspace.memoryBatchReceipts.number, eachAs('receipts')],
];

const ruleOf = new Map(rules);

/** The numbers of the counted subspaces. The table of families names the same. */
export const countedNumbers: readonly number[] = rules.map(([number]) => number);

/** Returns the counting rule of a subspace, or `undefined` if it isn't counted. */
export function countingRule(subspace: number): CountEntry | undefined {
  return ruleOf.get(subspace);
}

/** Returns the next counted subspace, in the order of keys. */
export function nextCounted(subspace: number): number | undefined {
  return rules.find(([number]) => number > subspace)?.[0];
}
