/**
 * Tools as agents develop and find them.
 * @module
 */
import type { ScopeInput } from '../access/scope.js';
import type {
  ToolDevelopment,
  ToolDevelopmentEvent,
  ToolDevelopmentReceipt,
  ToolDevelopmentReportInput,
  ToolDevelopmentRequestInput,
} from '../learning/tool/development-schema.js';
import type {
  ToolArtifact,
  ToolArtifactProposalInput,
  ToolExecutor,
  ToolExecutorProfile,
} from '../learning/tool/schema.js';
import { CONTRACT_VERSION } from '../contract/version.js';
import type { CallOperation, CallOptions, PartsOf } from './call.js';

/** Which revision of which development a command is meant for, and the id of its event. */
export interface DevelopmentTarget {
  readonly requestId: string;
  readonly expectedRevision: number;
  /** Names the intent of the command, so that a retry changes nothing. */
  readonly eventId: string;
}

type Action = PartsOf<'recordToolDevelopmentEvent'>['document']['command']['action'];

/** Executors, artifacts and developments. Nothing is ever run or sent anywhere. */
export class ToolClient {
  readonly #call: CallOperation;

  constructor(call: CallOperation) {
    this.#call = call;
  }

  /** Registers an executor of the tenant. The same profile gives the original. */
  async registerExecutor(
    profile: ToolExecutorProfile,
    options?: CallOptions,
  ): Promise<ToolExecutor> {
    const document = { contract_version: CONTRACT_VERSION, profile };
    const { executor } = await this.#call('registerToolExecutor', { document }, options);
    return executor;
  }

  /**
   * Reads an executor of the tenant.
   * @throws {AgentkeepError} `record_not_found`
   */
  async readExecutor(id: string, options?: CallOptions): Promise<ToolExecutor> {
    const { executor } = await this.#call('readToolExecutor', { id }, options);
    return executor;
  }

  /** Registers an artifact. The same proposal gives the original. */
  async registerArtifact(
    scope: ScopeInput,
    artifact: ToolArtifactProposalInput,
    options?: CallOptions,
  ): Promise<ToolArtifact> {
    const document = { contract_version: CONTRACT_VERSION, scope, artifact };
    return (await this.#call('registerToolArtifact', { document }, options)).artifact;
  }

  /**
   * Reads an artifact.
   * @throws {AgentkeepError} `record_not_found`
   */
  async readArtifact(
    scope: ScopeInput,
    artifactId: string,
    options?: CallOptions,
  ): Promise<ToolArtifact> {
    const document = { contract_version: CONTRACT_VERSION, scope, artifact_id: artifactId };
    return (await this.#call('readToolArtifact', { document }, options)).artifact;
  }

  /** Requests a development. The same request of the same subject gives the original receipt. */
  async requestDevelopment(
    scope: ScopeInput,
    request: ToolDevelopmentRequestInput,
    options?: CallOptions,
  ): Promise<ToolDevelopmentReceipt> {
    const document = { contract_version: CONTRACT_VERSION, scope, request };
    return (await this.#call('requestToolDevelopment', { document }, options)).receipt;
  }

  /**
   * Reads where a development stands.
   * @throws {AgentkeepError} `record_not_found`
   */
  async readDevelopment(
    scope: ScopeInput,
    requestId: string,
    options?: CallOptions,
  ): Promise<ToolDevelopment> {
    const document = { contract_version: CONTRACT_VERSION, scope, request_id: requestId };
    return (await this.#call('readToolDevelopment', { document }, options)).development;
  }

  /** Reports on a development, as the subject of its executor. */
  report(
    scope: ScopeInput,
    target: DevelopmentTarget,
    report: ToolDevelopmentReportInput,
    options?: CallOptions,
  ): Promise<ToolDevelopmentEvent> {
    return this.#record(scope, target, { type: 'report', report }, options);
  }

  /** Asks to cancel a development, as its requester. */
  requestCancellation(
    scope: ScopeInput,
    target: DevelopmentTarget,
    reason: string,
    options?: CallOptions,
  ): Promise<ToolDevelopmentEvent> {
    return this.#record(scope, target, { type: 'request_cancellation', reason }, options);
  }

  /**
   * Reads an event of a development.
   * @throws {AgentkeepError} `record_not_found`
   */
  async readDevelopmentEvent(
    scope: ScopeInput,
    requestId: string,
    eventId: string,
    options?: CallOptions,
  ): Promise<ToolDevelopmentEvent> {
    const ids = { request_id: requestId, event_id: eventId };
    const document = { contract_version: CONTRACT_VERSION, scope, ...ids };
    return (await this.#call('readToolDevelopmentEvent', { document }, options)).event;
  }

  async #record(
    scope: ScopeInput,
    { requestId, expectedRevision, eventId }: DevelopmentTarget,
    action: Action,
    options: CallOptions | undefined,
  ): Promise<ToolDevelopmentEvent> {
    const document = {
      contract_version: CONTRACT_VERSION,
      scope,
      request_id: requestId,
      command: { event_id: eventId, expected_revision: expectedRevision, action },
    };
    return (await this.#call('recordToolDevelopmentEvent', { document }, options)).event;
  }
}
