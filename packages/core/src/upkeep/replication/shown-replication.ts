/** What the statistics of the service show of its replication. */
import * as v from 'valibot';
import { closed } from '../../contract/schema/document.js';
import { integer } from '../../contract/schema/number.js';
import { shownTime, timeText } from '../../contract/schema/time.js';
import { Port } from '../../kernel/ports/port.js';
import type { ReplicationStatus } from './shipper.js';

/** Replication, as far as it tells an operator what to look at. */
export const ShownReplication = closed({
  /** Where commits are copied to, without secrets. */
  target: v.string(),
  mode: v.picklist(['async', 'acknowledged']),
  state: v.picklist(['starting', 'shipping', 'away', 'fenced']),
  /** Of the newest commit in the target. */
  position: integer(),
  /** Of the log that the position counts in; null before the target has answered. */
  generation: v.nullable(integer()),
  last_error: v.nullable(
    closed({
      code: v.string(),
      /** What is wrong, and what to do. */
      message: v.string(),
      /** The name of the fault at its origin, such as `ENOSPC`; null if it has none. */
      reason: v.nullable(v.string()),
      at: shownTime(),
    }),
  ),
});
type ShownReplication = v.InferOutput<typeof ShownReplication>;

/** Returns where the replication of a keep is; `undefined` if nothing is copied. */
export const replicationStatus = new Port<() => ReplicationStatus | undefined>('replicationStatus');

/** Returns what is shown. Texts of other programs are left out: they may hold secrets. */
export function shownReplication(status: ReplicationStatus): ShownReplication {
  const { target, mode, state, shippedPosition: position, generation = null } = status;
  const { lastError: error, lastErrorMs: errorMs } = status;
  const last_error =
    error === undefined || errorMs === undefined
      ? null
      : {
          code: error.code,
          message: error.message,
          reason: originOf(error),
          at: timeText(errorMs),
        };
  return { target, mode, state, position, generation, last_error };
}

const NAME = /^[A-Za-z]\w{0,63}$/;

/** Returns the code or the name of the innermost cause. */
function originOf(error: Error): string | null {
  let origin: Error = error;
  while (origin.cause instanceof Error) origin = origin.cause;
  if (origin === error) return null;
  const code = 'code' in origin && typeof origin.code === 'string' ? origin.code : '';
  const name = NAME.test(code) ? code : origin.name;
  return NAME.test(name) && name !== 'Error' ? name : null;
}
