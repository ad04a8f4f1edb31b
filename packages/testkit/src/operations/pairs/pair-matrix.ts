/**
 * Which of the newer capabilities was tried with which other: for each pair the tests that try it,
 * or the reason why there is none.
 */
import { type NamedTest, test } from './named-test.js';
import { webhookNames, webhookTests } from './webhook-pairs.js';

/**
 * The capabilities whose pairs are tried. What `proposeMemory` makes are `proposals`; `review` is a
 * scope that requires it of every command.
 */
export const capabilityNames = [
  ...(['branches', 'proposals', 'as_of', 'lineage', 'consumers', 'exports', 'imports'] as const),
  ...(['erasure', 'encryption', 'snapshots', 'delegation'] as const),
  ...webhookNames,
  ...(['quotas', 'retention', 'reads', 'review', 'superseding', 'invitations'] as const),
  ...(['blocks'] as const),
] as const;

/** The name of a capability. */
export type CapabilityName = (typeof capabilityNames)[number];

/** Two capabilities, in the order of {@link capabilityNames}. */
export type Pair = readonly [one: CapabilityName, other: CapabilityName];

/** How a pair was tried. */
export interface Cell {
  /** Whether the steps of both run one after the other in both orders of checks. */
  readonly isTriedBySteps: boolean;
  /** Tests of their own, where more than that is promised. */
  readonly tests: readonly NamedTest[];
  /** Why there is no test. */
  readonly reason?: string;
}

const CASES = 'packages/contract-cases/test';
const CORE = 'packages/core/src';
const READS = `${CASES}/history/reader-cases.test.ts`;

/** Tests of pairs beside the steps. */
const ownTests: Readonly<Record<string, readonly NamedTest[]>> = {
  'branches proposals': [
    test(`${CASES}/review/rights.test.ts`, 'REV-C4 writes in own branches only'),
  ],
  'branches as_of': [
    test(`${CASES}/branches/cases.test.ts`, 'BRA-C2 can be over an earlier state'),
  ],
  'branches lineage': [
    test(`${CASES}/branches/cases.test.ts`, 'BRA-C8 take no state beside them'),
    test(`${CASES}/branches/private-cases.test.ts`, 'BRA-C17 keep what was derived'),
  ],
  'branches exports': [
    test(`${CASES}/exports/branch-cases.test.ts`, 'XPT-C10'),
    test(`${CASES}/branches/private-cases.test.ts`, 'BRA-C18 are exported'),
  ],
  'branches imports': [test(`${CASES}/exports/branch-cases.test.ts`, 'XPT-C11')],
  'branches erasure': [test(`${CASES}/branches/private-cases.test.ts`, 'BRA-C19 leave nothing')],
  ...webhookTests,
  'as_of consumers': [
    test(`${CORE}/domains/memory/consumers/consumers.test.ts`, 'CNS-C9 a position'),
  ],
  'as_of exports': [test(`${CASES}/exports/branch-cases.test.ts`, 'XPT-C12')],
  'as_of erasure': [test(`${CASES}/erasure/held-cases.test.ts`, 'ERA-C18 an earlier state')],
  'as_of retention': [test(`${CASES}/as-of/cases.test.ts`, 'ASO-C5 what is no longer kept')],
  'exports imports': [test(`${CASES}/exports/export-cases.test.ts`, 'XPT-C1')],
  'exports erasure': [test(`${CASES}/erasure/held-cases.test.ts`, 'ERA-C18 an export that')],
  'imports erasure': [test(`${CASES}/erasure/import-cases.test.ts`, 'ERA-C13 an older export')],
  'erasure encryption': [
    test(`${CORE}/upkeep/sealing/erased-keys.process.test.ts`, 'ENC-14 the erasure of'),
  ],
  'erasure snapshots': [test(`${CORE}/upkeep/snapshot/erasure-ledger.process.test.ts`, 'ERA-C12')],
  'branches review': [
    test(`${CASES}/review/required.test.ts`, 'REV-C14 leaves private scopes, branches'),
    test(`${CASES}/review/repeats.test.ts`, 'REV-C28 of a merge is answered the same'),
  ],
  'proposals review': [
    test(`${CASES}/review/repeats.test.ts`, 'REV-C26 of a proposal is that of a command too'),
  ],
  'imports review': [test(`${CASES}/exports/reviewed-imports.test.ts`, 'XPT-C18')],
  'erasure review': [test(`${CASES}/erasure/branch-cases.test.ts`, 'ERA-C19 what the subject')],
  'delegation review': [test(`${CASES}/review/places.test.ts`, 'REV-C33 withdraws what a')],
  'branches superseding': [test(`${CASES}/superseding/cases.test.ts`, 'SUP-C10 what a branch')],
  'proposals superseding': [test(`${CASES}/superseding/cases.test.ts`, 'SUP-C8 a proposal')],
  'exports superseding': [test(`${CASES}/superseding/cases.test.ts`, 'SUP-C9 is exported')],
  'erasure invitations': [test(`${CASES}/invitations/accept.test.ts`, 'INV-14 what an erased')],
  'branches reads': [test(READS, 'HIS-C21 HIS-41 in a branch count')],
  'exports reads': [test(READS, 'HIS-C25 HIS-47 of a record are in no export')],
  'imports reads': [test(READS, 'HIS-C25 HIS-47 of a record are in no export')],
  'erasure reads': [
    test(READS, 'HIS-C24 of a reader remove what it read'),
    test(READS, 'HIS-C24 of an owner remove'),
  ],
  'delegation reads': [test(READS, 'HIS-C21 HIS-42 are those of the service')],
  'erasure blocks': [
    test(`${CASES}/erasure/running-cases.test.ts`, 'DLG-26'),
    test(`${CASES}/erasure/refused-cases.test.ts`, 'DLG-23'),
  ],
  'delegation blocks': [test(`${CASES}/delegation/blocked-cases.test.ts`, 'DLG-C9, DLG-20')],
  'quotas retention': [test('packages/server/test/attacks/beyond-quota.test.ts', 'QUO-15')],
};

/** Why no steps are run with snapshots. */
const COPIED =
  'A snapshot copies every page of the data file and verifies each entry by its family, whatever ' +
  'wrote it: stored-values.test.ts has a sample of every family.';

/** Returns every pair once. */
export function everyPair(): readonly Pair[] {
  return capabilityNames.flatMap((one, at) =>
    capabilityNames.slice(at + 1).map((other): Pair => [one, other]),
  );
}

/** Returns how a pair was tried. */
export function cellOf([one, other]: Pair): Cell {
  const tests = ownTests[`${one} ${other}`] ?? [];
  const isCopied = one === 'snapshots' || other === 'snapshots';
  return {
    isTriedBySteps: !isCopied,
    tests,
    ...(isCopied && tests.length === 0 ? { reason: COPIED } : {}),
  };
}

/** The pairs that `contract-cases/test/pairs` tries. */
export const pairsBySteps: readonly Pair[] = everyPair().filter(
  (pair) => cellOf(pair).isTriedBySteps,
);

/** The pairs with tests of their own, as they are named in the table. */
export const pairsWithTests: readonly string[] = Object.keys(ownTests);
