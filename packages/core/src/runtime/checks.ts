/** Runs the checks of a call in the order that its operation states. */
import type { Call } from './call.js';
import type { CallAudit } from './call-audit.js';
import type { CallLoad } from './call-load.js';
import type { CheckedInput } from './checked-input.js';
import type { Operation } from './operation.js';
import type { Runtime } from './runtime.js';

/** A call whose caller is known. */
export interface StartedCall {
  readonly runtime: Runtime;
  readonly input: CheckedInput;
  readonly audit: CallAudit;
  readonly load: CallLoad;
  /** When the call began. */
  readonly nowMs: number;
  readonly call: Pick<Call, 'signal'>;
}

/** The checks that need more than the input. */
export interface AuthorityChecks<G> {
  /** Returns what the caller is granted, or throws. */
  readonly authorize: () => G;
  /** Finds the authority that the call acts in. */
  readonly chooseTenant?: () => Promise<void>;
}

/** A call that passed its checks. */
export interface PassedChecks<G> {
  readonly granted: G;
  /** When the call began, or when its document had arrived. */
  readonly nowMs: number;
}

/**
 * Runs every check; the first failure throws. Authority is always checked: last, unless the
 * operation states a place for it. A read whose caller left while its document
 * arrived ends here.
 */
export async function passChecks<G>(
  { runtime, input, nowMs: startMs, call }: StartedCall,
  { checks, effect }: Pick<Operation, 'checks' | 'effect'>,
  { authorize, chooseTenant }: AuthorityChecks<G>,
): Promise<PassedChecks<G>> {
  let nowMs = startMs;
  let passed: { readonly granted: G } | undefined;
  for (const check of checks) {
    if (check === 'document') {
      await input.readDocument();
      // A body may arrive slowly. Decisions use the time at which it was complete.
      nowMs = runtime.clock.now();
      // A write is finished once it was accepted.
      if (effect === 'read') call.signal?.throwIfAborted();
    } else if (check === 'authority') passed = { granted: authorize() };
    else if (check === 'tenant') await chooseTenant?.();
    else input.check(check);
  }
  if (checks.length > 0) input.refuseStrayParameters();
  return { granted: (passed ?? { granted: authorize() }).granted, nowMs };
}
