/**
 * One tool development, from the contract alone (docs/contract/tools.md).
 */

/** A command, with the parts of its artifact that matter. */
export interface ModelCommand {
  readonly subject: string;
  readonly eventId: string;
  readonly revision: number;
  readonly action: 'cancel' | 'pending_or_unknown' | 'succeeded' | 'failed' | 'cancelled';
  readonly cost: number | null;
  readonly latency: number | null;
  readonly hasRightDigest: boolean;
  readonly artifact: ModelArtifact | null;
}

/** An artifact of a report. */
export interface ModelArtifact {
  readonly id: string;
  readonly content: string;
  readonly fits: boolean;
}

/** The compared parts of a state. */
export interface ModelState {
  readonly revision: number;
  readonly state: string;
  readonly reason: string;
  readonly lastEventId: string | null;
  readonly artifactId: string | null;
  readonly totals: readonly (number | null)[];
  readonly observed: readonly (number | null)[];
}

/** The budget of the executor, for both totals. */
export const BUDGET = 10;

/** One development between a requester and a worker. */
export class DevelopmentModel {
  state: ModelState = {
    revision: 1,
    state: 'requested',
    reason: 'request_recorded',
    lastEventId: null,
    artifactId: null,
    totals: [null, null],
    observed: [null, null],
  };
  readonly artifacts = new Map<string, string>();
  readonly #events = new Map<string, { readonly text: string; readonly state: ModelState }>();

  /** The state after the event, or the code of a refusal. */
  answer(command: ModelCommand): ModelState | string {
    const isCancel = command.action === 'cancel';
    if (command.subject !== (isCancel ? 'dev' : 'worker')) return 'forbidden';
    const text = JSON.stringify(command);
    const known = this.#events.get(command.eventId);
    if (known !== undefined) return known.text === text ? known.state : 'idempotency_conflict';
    if (command.revision !== this.state.revision) return 'revision_conflict';
    if (['succeeded', 'failed', 'cancelled'].includes(this.state.state)) {
      return 'idempotency_conflict';
    }
    const next = isCancel
      ? ['cancellation_requested', 'cancellation_requested']
      : this.#report(command);
    if (typeof next === 'string') return next;
    const [state = '', reason = ''] = next;
    const totals = isCancel ? this.state.totals : [command.cost, command.latency];
    this.state = {
      revision: this.state.revision + 1,
      state,
      reason,
      lastEventId: command.eventId,
      artifactId: state === 'succeeded' ? (command.artifact?.id ?? null) : null,
      totals,
      observed: isCancel
        ? this.state.observed
        : totals.map((total, index) => total ?? this.state.observed[index] ?? null),
    };
    if (state === 'succeeded' && command.artifact !== null) {
      this.artifacts.set(command.artifact.id, command.artifact.content);
    }
    this.#events.set(command.eventId, { text, state: this.state });
    return this.state;
  }

  /** State and reason after a report, or the code of a refusal. */
  #report({ action, cost, latency, hasRightDigest, artifact }: ModelCommand): string[] | string {
    if ((action === 'succeeded') !== (artifact !== null)) return 'invalid_request';
    const shrinks = [cost, latency].some((total, index) => {
      const observed = this.state.observed[index] ?? null;
      return total !== null && observed !== null && total < observed;
    });
    if (shrinks) return 'invalid_request';
    if (!hasRightDigest) return 'idempotency_conflict';
    if (artifact !== null && !artifact.fits) return 'idempotency_conflict';
    const stored = artifact === null ? undefined : this.artifacts.get(artifact.id);
    if (stored !== undefined && stored !== artifact?.content) return 'idempotency_conflict';
    const isCancelling = this.state.state === 'cancellation_requested';
    const waiting = isCancelling ? 'cancellation_requested' : 'pending_or_unknown';
    if (action === 'failed') return ['failed', 'worker_reported_failure'];
    if (action === 'pending_or_unknown') return [waiting, 'worker_outcome_unknown'];
    if (action === 'cancelled') {
      return isCancelling ? ['cancelled', 'worker_confirmed_cancellation'] : 'idempotency_conflict';
    }
    if (Number(cost) > BUDGET || Number(latency) > BUDGET) {
      return ['failed', 'resource_limit_exceeded'];
    }
    if (cost === null || latency === null) return [waiting, 'unknown_consumption'];
    return ['succeeded', 'worker_reported_success'];
  }
}
