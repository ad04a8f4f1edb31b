/** Developments: their first state, and the effect of a command. */
import { type Namespace, shownNamespace } from '../../../kernel/access/namespace.js';
import {
  type BudgetVerdict,
  type Consumption,
  isBelowObserved,
  observedAfter,
  weighBudget,
} from '../consumption-policy.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { documentDigest } from '../../../contract/schema/document-digest.js';
import { answersRequest, type Writing } from './artifact.js';
import { type DevelopmentTransition, transitionFor } from './development-policy.js';
import type {
  ToolDevelopment,
  ToolDevelopmentAction,
  ToolDevelopmentCommand,
  ToolDevelopmentReceipt,
  ToolDevelopmentReport,
  ToolDevelopmentRequest,
} from './development-schema.js';
import type { ToolArtifact, ToolExecutor, ToolExecutorProfile } from './schema.js';

/** Makes a new development without events. */
export function newDevelopment(
  namespace: Namespace,
  request: ToolDevelopmentRequest,
  { actor, nowMs, executor }: Writing & { readonly executor: ToolExecutor },
): ToolDevelopment {
  const owner = { tenant: namespace.tenantId, namespace: shownNamespace(namespace) };
  return {
    receipt: {
      schema_version: 1,
      ...owner,
      request,
      request_digest: requestDigest({ ...owner, request }),
      executor_profile_digest: executor.profile_digest,
      actor,
      recorded_at_millis: nowMs,
    },
    revision: 1,
    state: 'requested',
    reason: 'request_recorded',
    last_event_id: null,
    artifact_id: null,
    artifact_digest: null,
    cost_units: null,
    latency_ms: null,
    observed_cost_units: null,
    observed_latency_ms: null,
  };
}

/** Whether the digest of a stored development matches its request. */
export function isDevelopmentSound({ receipt }: ToolDevelopment): boolean {
  return receipt.request_digest === requestDigest(receipt);
}

/** The facts that decide an action. */
export interface DevelopmentCase {
  readonly development: ToolDevelopment;
  readonly profile: ToolExecutorProfile;
  /** The artifact of a success, ready to be stored. */
  readonly artifact: ToolArtifact | null;
  /** The artifact that is stored under the same id. */
  readonly storedArtifact: ToolArtifact | undefined;
}

/** The effect of an accepted command. */
export interface DevelopmentStep {
  readonly record: ToolDevelopment;
  /** The artifact to store; absent if an equal one is stored already. */
  readonly artifact?: ToolArtifact;
}

/**
 * Applies a command to a development at the expected revision.
 *
 * @throws {AgentkeepError} `invalid_request` for a total below the observed one,
 * `idempotency_conflict` for anything that doesn't fit the request or the state.
 */
export function stepOf(command: ToolDevelopmentCommand, on: DevelopmentCase): DevelopmentStep {
  const { development } = on;
  const { action } = command;
  const moved = (row: DevelopmentTransition): ToolDevelopment => ({
    ...development,
    revision: development.revision + 1,
    state: row.to,
    reason: row.reason,
    last_event_id: command.event_id,
  });
  if (action.type === 'request_cancellation') {
    return { record: moved(rowFor(development, action, 'within')) };
  }
  const { report } = action;
  requireFitting(report, on);
  const reported = reportedBy(report);
  const { max_cost_units: costUnits, max_latency_ms: latencyMs } = on.profile;
  const row = rowFor(development, action, weighBudget(reported, { costUnits, latencyMs }));
  const accounted = { ...moved(row), ...accounts(reported, development) };
  if (row.storesArtifact !== true || on.artifact === null) return { record: accounted };
  const artifact = on.storedArtifact ?? on.artifact;
  const record = {
    ...accounted,
    artifact_id: artifact.proposal.id,
    artifact_digest: artifact.artifact_digest,
  };
  return on.storedArtifact === undefined ? { record, artifact } : { record };
}

/** Checks the totals first, then what the report refers to, then its artifact. */
function requireFitting(report: ToolDevelopmentReport, on: DevelopmentCase): void {
  const { receipt } = on.development;
  if (isBelowObserved(reportedBy(report), observedOf(on.development))) {
    const path = 'command.action.report';
    const expected = 'totals that are not below those observed before';
    throw new AgentkeepError('invalid_request', { members: [{ path, expected }] });
  }
  const fits =
    report.executor_profile_digest === receipt.executor_profile_digest &&
    (report.artifact === null ||
      (answersRequest(report.artifact, receipt.request, on.profile) &&
        (on.storedArtifact === undefined ||
          on.storedArtifact.artifact_digest === on.artifact?.artifact_digest)));
  if (!fits) throw new AgentkeepError('idempotency_conflict');
}

function rowFor(
  { state }: ToolDevelopment,
  action: ToolDevelopmentAction,
  verdict: BudgetVerdict,
): DevelopmentTransition {
  const name =
    action.type === 'report' ? (`report ${action.report.outcome}` as const) : action.type;
  const row = transitionFor(state, name, verdict);
  if (row === undefined) throw new AgentkeepError('idempotency_conflict');
  return row;
}

function reportedBy({ cost_units, latency_ms }: ToolDevelopmentReport): Consumption {
  return { costUnits: cost_units, latencyMs: latency_ms };
}

function observedOf(development: ToolDevelopment): Consumption {
  const { observed_cost_units: costUnits, observed_latency_ms: latencyMs } = development;
  return { costUnits, latencyMs };
}

function accounts(reported: Consumption, development: ToolDevelopment) {
  const observed = observedAfter(reported, observedOf(development));
  return {
    cost_units: reported.costUnits,
    latency_ms: reported.latencyMs,
    observed_cost_units: observed.costUnits,
    observed_latency_ms: observed.latencyMs,
  };
}

function requestDigest({
  tenant,
  namespace,
  request,
}: Pick<ToolDevelopmentReceipt, 'tenant' | 'namespace' | 'request'>): string {
  return documentDigest('agentkeep tool-request 1', { tenant, namespace, request });
}
