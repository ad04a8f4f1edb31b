/** Faults of calls, and a test that the earlier of two faults decides the response. */
import type { OperationName } from '@agentkeep/core';
import { expect } from 'vitest';
import { outcome, type Parts, refused } from './answer.js';
import { unknownId } from './documents.js';
import type { Fixture } from './fixture.js';

/** A call that faults are put into. */
interface Draft extends Parts {
  token: string;
  id?: unknown;
  parameters?: Record<string, unknown>;
  document?: Record<string, unknown>;
}

/** A fault: its name, its outcome alone, and a function that puts it into a call. */
export type Fault = readonly [name: string, outcome: string, put: (draft: Draft) => void];

/** An operation with the faults that a call of it can have. */
export interface Subject {
  readonly operation: OperationName;
  /** A call without faults. */
  readonly valid: Draft;
  /** In order of precedence. If two faults set the same member, the first one stays. */
  readonly faults: readonly Fault[];
}

/** A well-formed proof that was never issued. */
export const noProof: Fault = ['proof', refused.unauthorized, (draft) => (draft.token = 'ak1_x')];
/** A member of the document has the wrong type. */
export const badShape = (member: string): Fault => [
  'shape',
  refused.invalid,
  ({ document }) => (document![member] = 7),
];
/** The document has an unknown member. */
export const unknownMember: Fault = [
  'member',
  refused.invalid,
  ({ document }) => (document!['x'] = 1),
];
/** The contract version is 2. */
export const otherVersion: Fault = [
  'version',
  refused.version,
  ({ document, parameters }) => ((document ?? parameters)!['contract_version'] = 2),
];
/** The id is not a UUID. */
export const badId: Fault = ['id', refused.invalid, (draft) => (draft.id = 'x')];
/** The id names nothing. */
export const unknown: Fault = ['unknown id', refused.forbidden, (draft) => (draft.id = unknownId)];
/** The expected revision is not the current one. */
export const stale: Fault = [
  'revision',
  refused.stale,
  ({ document }) => (document!['expected_revision'] = 9),
];
/** The caller lacks the capability. */
export const as = (caller: { readonly token: string }): Fault => [
  'capability',
  refused.forbidden,
  (draft) => (draft.token = caller.token),
];

/** Tests each fault alone, then every pair; the earlier fault is put in last, so that it stays. */
export async function expectOrder(
  t: Fixture,
  { operation, valid, faults }: Subject,
): Promise<void> {
  const answer = async (put: readonly Fault[]) => {
    const draft = structuredClone(valid);
    for (const [, , into] of put) into(draft);
    return outcome(await t.transport(operation, draft.token, draft));
  };
  for (const [index, first] of faults.entries()) {
    expect(await answer([first]), first[0]).toBe(first[1]);
    for (const later of faults.slice(index + 1)) {
      expect(await answer([later, first]), `${first[0]} before ${later[0]}`).toBe(first[1]);
    }
  }
}
