/**
 * What has to go for webhooks to go, beside the files that are named after them: lines of shared
 * tables. A capability that is easy to delete has few of them.
 */

/** A file that stays, and how many of its lines go. */
export type SharedFile = readonly [path: string, lines: number];

/** Matches the paths of what goes. */
export const ownPath = /webhook/iu;

/** Matches the lines that go. */
export const ownLine = /webhook|HOK-\d/iu;

/**
 * What is named after them and stays: this list, and the port that a keep is opened with, like its
 * clock, and the server's sender, which belong to no domain.
 */
export const kept: readonly string[] = [
  'packages/core/src/kernel/ports/webhook-sender.ts',
  'packages/server/src/webhooks/',
  'scripts/deletion/webhooks.ts',
];

/** The shared files, each with the lines that name webhooks. */
export const shared: readonly SharedFile[] = [
  // The product.
  ['packages/core/src/domain-list.ts', 1],
  ['packages/core/src/domains.ts', 1],
  ['packages/core/src/client/agent.ts', 3],
  ['packages/client/src/routes.ts', 2],
  ['scripts/openapi/generate-document.ts', 1],
  // Tables of tests.
  ['packages/core/test/stored-values/samples.ts', 2],
  ['packages/testkit/src/operations/every-operation.ts', 2],
  ['packages/testkit/src/operations/pairs/pair-matrix.ts', 3],
  ['packages/contract-cases/test/pairs/capability-steps.ts', 2],
  ['packages/contract-cases/test/pairs/history-actions.ts', 2],
  ['packages/contract-cases/test/erasure/named-person.ts', 3],
  ['packages/contract-cases/test/conventions/headers.test.ts', 1],
  ['packages/server/test/agent-script.ts', 2],
  ['packages/server/test/attacks/bounded-bodies.test.ts', 3],
  ['packages/server/test/attacks/reference.ts', 1],
  ['packages/server/test/attacks/references.ts', 5],
];

/** The most lines of shared files. A change that needs more of them says why here. */
export const LINES_MAX = 34;
