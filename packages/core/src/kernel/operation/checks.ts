/** Runs the checks of a call in the order that its operation states. */
import type { WaitSettings } from './call.js';
import type { CallAudit } from './call-audit.js';
import type { CallLoad } from './call-load.js';
import type { CheckedInput } from './checked-input.js';
import type { Check } from '../input/input-rules.js';
import type { CheckedOperation } from './stated-operation.js';
import { type Settled, whenSettled } from '../../storage/store/settled.js';
import type { Supposing } from '../services/confirmed-store.js';
import type { ErasureWatch } from '../services/erasure-watch.js';
import type { Runtime } from '../services/runtime.js';

/** A call whose caller is known. */
export interface StartedCall {
  readonly runtime: Runtime;
  readonly input: CheckedInput;
  readonly audit: CallAudit;
  readonly load: CallLoad;
  /** When the call began. */
  readonly nowMs: number;
  readonly call: WaitSettings;
  /** Confirms a caller that was not proved, in the transactions of the call. */
  readonly supposed?: Supposing | undefined;
  /** Compares the reads of the call, from the moment when its checks have passed. */
  watch?: ErasureWatch | undefined;
}

/** The checks that need more than the input. */
export interface AuthorityChecks<G> {
  /** Returns what the caller is granted, or throws. */
  readonly authorize: () => G;
  /** Finds the authority that the call acts in. */
  readonly chooseTenant?: (() => Settled<void>) | undefined;
}

/** A call that passed its checks. */
export interface PassedChecks<G> {
  readonly granted: G;
  /** When the call began, or when its document had arrived. */
  readonly nowMs: number;
}

/** The progress of a call. */
interface Passage<G> extends AuthorityChecks<G> {
  readonly started: StartedCall;
  readonly operation: Pick<CheckedOperation, 'checks' | 'effect'>;
  nowMs: number;
  passed: { readonly granted: G } | undefined;
}

/**
 * Runs every check; the first failure throws. Authority is always checked: last, unless the
 * operation states its position. A read whose caller disconnected while its document arrived ends
 * here.
 */
export function passChecks<G>(
  started: StartedCall,
  operation: Pick<CheckedOperation, 'checks' | 'effect'>,
  { authorize, chooseTenant }: AuthorityChecks<G>,
): Settled<PassedChecks<G>> {
  const { nowMs } = started;
  return passFrom(0, { started, operation, authorize, chooseTenant, nowMs, passed: undefined });
}

/** Runs the checks from an index on; synchronously, as far as none of them waits. */
function passFrom<G>(first: number, passage: Passage<G>): Settled<PassedChecks<G>> {
  const { checks } = passage.operation;
  for (let next = first; next < checks.length; next++) {
    const check = checks[next];
    const waiting = check && passOne(check, passage);
    if (waiting instanceof Promise) return waiting.then(() => passFrom(next + 1, passage));
  }
  if (checks.length > 0) passage.started.input.refuseStrayParameters();
  const { granted } = passage.passed ?? { granted: passage.authorize() };
  return { granted, nowMs: passage.nowMs };
}

function passOne<G>(check: Check, passage: Passage<G>): Settled<void> {
  const { input } = passage.started;
  if (check === 'document') {
    return whenSettled(input.readDocument(), () => {
      documentArrived(passage);
    });
  }
  if (check === 'tenant') return passage.chooseTenant?.();
  if (check === 'authority') passage.passed = { granted: passage.authorize() };
  else input.check(check);
}

function documentArrived(passage: Passage<unknown>): void {
  const { started, operation } = passage;
  // A body may arrive slowly. Decisions use the time at which it was complete.
  passage.nowMs = started.runtime.clock.now();
  // An accepted write is always finished.
  if (operation.effect === 'read') started.call.signal?.throwIfAborted();
}
