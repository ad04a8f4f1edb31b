/** Reads the revision that a change expects, for people who have not read the resource before. */
import type { OperationName } from '@agentkeep/client';
import type { CallOperation } from '@agentkeep/core/clients';
import { CommandError } from '../../command/command-error.js';
import type { OperationInput } from './operation-input.js';
import type { InputParts } from './input-parts.js';

/** The operation that reads the resource of a change, and its input. */
export interface RevisionSource {
  readonly operation: OperationName;
  readonly input: OperationInput;
}

/**
 * Adds the current revision to a document that has no `expected_revision`. A change in between is
 * refused with `revision_conflict`.
 */
export async function withRevision(
  { operation, input }: RevisionSource,
  call: CallOperation,
  parts: InputParts,
): Promise<InputParts> {
  const { document, id } = parts;
  if (document?.['expected_revision'] !== undefined) return parts;
  // The resource has the scope of the change, if the change has one.
  const scope = Object(document?.['scope']) as object;
  const current: object = await call(operation, {
    ...(id === undefined ? {} : { id }),
    ...(input.parameters === undefined ? {} : { parameters: { ...input.parameters, ...scope } }),
  });
  return { ...parts, document: { ...document, expected_revision: revisionOf(current) } };
}

/** Returns the revision of an answer, or of the one document in it. */
function revisionOf(answer: object): number {
  const inner: unknown[] = Object.values(answer);
  for (const each of [answer, ...inner]) {
    const { revision } = Object(each) as { readonly revision?: unknown };
    if (typeof revision === 'number') return revision;
  }
  throw new CommandError('The revision could not be read. Give it with --expected-revision.');
}
