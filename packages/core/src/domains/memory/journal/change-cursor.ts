/**
 * Cursors of the change feed: positions of one tenant, sealed so that nobody learns from them how
 * much others change.
 */
import type { RefusedMember } from '../../../contract/errors/agentkeep-error.js';
import { cursorSecret } from '../../../kernel/installation/cursor-secret.js';
import { SealedCursors } from '../../../kernel/lists/sealed-cursors.js';
import type { Runtime } from '../../../kernel/services/runtime.js';

/** What the change feed expects of a cursor that it refuses. */
export const FOREIGN_AFTER: RefusedMember = {
  path: 'after',
  expected: 'a cursor of this feed, or latest',
};

/** Makes and reads the cursors of one tenant. */
export type ChangeCursors = SealedCursors;

/** Returns the cursors of a tenant. */
export async function cursorsOf(
  runtime: Pick<Runtime, 'ports' | 'entropy'>,
  tenantId: string,
): Promise<ChangeCursors> {
  const of = { use: 'agentkeep change cursor 1', tenantId };
  return new SealedCursors(await cursorSecret.of(runtime)(), of, runtime.entropy);
}
