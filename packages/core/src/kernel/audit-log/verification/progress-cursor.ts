/** Cursors of a verification, which hold all of its progress, so that no server remembers any. */
import type { RefusedMember } from '../../../contract/errors/agentkeep-error.js';
import { cursorSecret } from '../../installation/cursor-secret.js';
import { SealedCursors } from '../../lists/sealed-cursors.js';
import type { Runtime } from '../../services/runtime.js';
import type { LogProgress } from './verify-slice.js';

const STALE: RefusedMember = {
  path: 'cursor',
  expected: 'the cursor of an earlier part of this verification',
};

/** Makes and reads cursors of the verification of one log. */
export interface ProgressCursors {
  readonly seal: (progress: LogProgress) => string;
  /**
   * Returns the progress of a cursor.
   * @throws {AgentkeepError} `invalid_request` for a text that is no cursor of this log.
   */
  readonly open: (cursor: string) => LogProgress;
}

/** Returns the cursors of the log of an authority. */
export async function progressCursorsOf(
  runtime: Pick<Runtime, 'ports' | 'entropy'>,
  authority: string,
): Promise<ProgressCursors> {
  const of = { use: 'agentkeep audit verification cursor 1', tenantId: authority };
  const cursors = new SealedCursors(await cursorSecret.of(runtime)(), of, runtime.entropy);
  return {
    // An absent link stays absent.
    seal: (progress) => cursors.seal(Buffer.from(JSON.stringify(progress), 'utf8')),
    open: (cursor) =>
      JSON.parse(Buffer.from(cursors.open(cursor, STALE)).toString('utf8')) as LogProgress,
  };
}
