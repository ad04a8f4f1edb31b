/**
 * The tests that play long: `npm test` leaves them out, and `npm run test:full` runs nothing else.
 * Shorter tests of each kind stay in `npm test`; the table in CONTRIBUTING.md says which.
 */

/** Files of each kind, by their paths in the workspace. */
const kinds: Readonly<Record<string, readonly RegExp[]>> = {
  'random histories beside a model, at full length': [
    /\/tenant-isolation\.property/,
    /\/(?:learning|development|memory|reopened)-model\.property/,
    /\/branching\/branch\.property/,
    /\/(?:known-ranks|search|as-of|segment-follower|caller-state|tally)\.property/,
    /\/(?:several-servers|replica-log)\.property/,
    /\/follow-histories\.process/,
    /\/pairs\/history-cases\./,
    /^packages\/postgres\/test\/(?:histories|serializable)\./,
    /\/evidence\/(?:betting|degradation)-policy\./,
    /^packages\/langgraph\/test\/store-(?:oracle|queries)\./,
    /^packages\/openai-agents\/test\/session\.property/,
  ],
  'proofs, kills, faults and fuzz': [
    /^packages\/proof\/src\/(?:proofs|fuzz\/round|kills\/(?:snapshots|webhooks|evaluations|revoked-tokens))\./,
    /\/erasure-ledger\.process/,
    /\/every-commit\./,
    /\/(?:verify-store|make-snapshot|restore-snapshot|snapshots|snapshot-scheduler)\.process/,
    /\/sealing\/(?:encryption|erased-keys)\.process/,
    /\/lmdb-store\/data-pages\./,
    /\/(?:merge|coding-agents|evaluate|follow|restore)-kills\./,
    /\/replication\/(?:bucket|kills|target-away|later-layout)\.process/,
    /\/replication\/(?:follow-pairs|follow-replica|lost-commits|promote-replica)\.process/,
    /\/replication\/targets\/bucket-target\./,
    /\/replication\/restore\/restore-(?:positions|replica)\.process/,
    /\/replicated-keep\.process/,
    /^packages\/proof\/src\/faults\/new-directory\./,
    /\/(?:frame-log|killed|killed-erasure)\.process/,
    /^packages\/langgraph\/test\/graph\.process/,
    /^packages\/openai-agents\/test\/kills\./,
    /^packages\/postgres\/test\/(?:changes|draining|faults|jobs|migrations|rolling-upgrade|servers)\./,
    /^packages\/postgres\/test\/pooler(?:-option)?\./,
    /\/attacks\/(?:audit-flooding|bounded-bodies|slow-clients)\./,
  ],
  'programs, as people start them': [
    /^examples\/(?:dialogues\/test\/run-example|run-examples)\./,
    /^packages\/server\/src\/cli\/(?:agentkeep|audit|dev|master|mcp|meaning)\.process/,
    /^packages\/server\/test\/coding-agents(?:-consolidate|-hosts)?\.process/,
    /^packages\/server\/test\/(?:deploy\/image|jobs|encryption|readme|replicated-start)\.process/,
    /^packages\/server\/test\/command-line\/(?:doctor|drills|restore-replica|follow\.process)\./,
    /^packages\/postgres\/test\/(?:audit-files|commands|encryption|snapshots)\./,
    /^packages\/proof\/test\/(?:alerts|base)\//,
    /^bench\//,
  ],
  'the client of other languages and generators': [
    /^scripts\/python\/(?:python-client|same-answers)\./,
    /^packages\/server\/test\/generators\//,
  ],
  'tables of many cases of one form': [
    /\/pairs\/pair-cases\./,
    /\/installation\/authority-races\./,
    /\/attacks\/(?:ended-authority|function-authorization|property-authorization)\./,
    /\/exports\/bounds\./,
    /\/planning\/plan-evaluation\./,
    /\/sealing\/sealed-conformance\./,
    /^packages\/postgres\/test\/conformance-row-locks\./,
  ],
  'suites and clients of others': [
    /^packages\/langgraph\/test\/checkpointer-(?:prune|suite)\./,
    /^packages\/ai-sdk\/test\/ai-7\//,
    /^packages\/mcp\/test\/(?:clients-stdio|conformance|reference-memory|subscriptions)\./,
  ],
  'screens of the console, each with all that people do there': [
    /^packages\/server\/test\/browser\/(?!console-questions\.)/,
  ],
};

/** On stores on disk `npm test` plays what depends on the order of commits. */
const onStores = /^cases on /;
const races = /races\.test\.ts$|\/pressed-at-once\./;
const longRaces = /\/login-accounts\/authority-races\./;
/** LMDB plays these in the short run, and PostgreSQL the other races. */
const longOnDatabase = /\/attacks\/pressed-at-once\./;

/**
 * What only `npm run test:stores` plays. On the store that repeats each body, races show nothing:
 * it commits at once.
 */
const byHand: Readonly<Record<string, RegExp>> = {
  'cases on a speculative store': /^packages\/contract-cases\/test\/.*races\./,
};

/** All patterns. */
export const longFiles = Object.values(kinds).flat();

/** Tells whether a file plays long in a project of `vitest.workspace.ts`. */
export function isLong(project: string, path: string): boolean {
  if (project === 'cases on a speculative store') return true;
  if (longFiles.some((pattern) => pattern.test(path))) return true;
  if (project === 'cases on postgres' && longOnDatabase.test(path)) return true;
  return onStores.test(project) && (!races.test(path) || longRaces.test(path));
}

/** Tells whether a file is in neither part, since another project protects what it does. */
export function isByHand(project: string, path: string): boolean {
  return byHand[project]?.test(path) ?? false;
}
