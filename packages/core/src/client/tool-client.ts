/** Client of tools and their development. */
import { requireArguments } from '../contract/errors/arguments.js';
import type { ScopeInput } from '../kernel/access/scope.js';
import type {
  ToolDevelopment,
  ToolDevelopmentEvent,
  ToolDevelopmentReceipt,
  ToolDevelopmentReportInput,
  ToolDevelopmentRequestInput,
} from '../domains/learning/tool/development-schema.js';
import type {
  ToolArtifact,
  ToolArtifactProposalInput,
  ToolExecutor,
  ToolExecutorProfile,
} from '../domains/learning/tool/schema.js';
import { CONTRACT_VERSION } from '../contract/version.js';
import type { CallOperation, CallOptions, OutputOf, PartsOf } from './call.js';
import { type DirectoryRequest, everyItem, scopeListDocument } from './lists/page-walk.js';

/** The development and revision that a command applies to, and the id of its event. */
export interface DevelopmentTarget {
  readonly requestId: string;
  readonly expectedRevision: number;
  /** Names the intent of the command: a retry with the same id changes nothing. */
  readonly eventId: string;
}

type Action = PartsOf<'recordToolDevelopmentEvent'>['document']['command']['action'];

/** Executors, artifacts and developments. Agentkeep records tools and never executes them. */
export class ToolClient {
  readonly #call: CallOperation;

  constructor(call: CallOperation) {
    this.#call = call;
  }

  /** Registers an executor of the tenant. The same profile again returns the original. */
  async registerExecutor(
    profile: ToolExecutorProfile,
    options?: CallOptions,
  ): Promise<ToolExecutor> {
    requireArguments('tools.registerExecutor()', { profile });
    const document = { contract_version: CONTRACT_VERSION, profile };
    const { executor } = await this.#call('registerToolExecutor', { document }, options);
    return executor;
  }

  /**
   * Returns an executor of the tenant.
   * @throws {AgentkeepError} `record_not_found`
   */
  async readExecutor(id: string, options?: CallOptions): Promise<ToolExecutor> {
    requireArguments('tools.readExecutor()', { id });
    const { executor } = await this.#call('readToolExecutor', { id }, options);
    return executor;
  }

  /** Registers an artifact. The same proposal again returns the original. */
  async registerArtifact(
    scope: ScopeInput,
    artifact: ToolArtifactProposalInput,
    options?: CallOptions,
  ): Promise<ToolArtifact> {
    requireArguments('tools.registerArtifact()', { scope, artifact });
    const document = { contract_version: CONTRACT_VERSION, scope, artifact };
    return (await this.#call('registerToolArtifact', { document }, options)).artifact;
  }

  /**
   * Returns an artifact.
   * @throws {AgentkeepError} `record_not_found`
   */
  async readArtifact(
    scope: ScopeInput,
    artifactId: string,
    options?: CallOptions,
  ): Promise<ToolArtifact> {
    requireArguments('tools.readArtifact()', { scope, artifactId });
    const document = { contract_version: CONTRACT_VERSION, scope, artifact_id: artifactId };
    return (await this.#call('readToolArtifact', { document }, options)).artifact;
  }

  /** Requests a development. Repeating the request of a subject returns the original receipt. */
  async requestDevelopment(
    scope: ScopeInput,
    request: ToolDevelopmentRequestInput,
    options?: CallOptions,
  ): Promise<ToolDevelopmentReceipt> {
    requireArguments('tools.requestDevelopment()', { scope, request });
    const document = { contract_version: CONTRACT_VERSION, scope, request };
    return (await this.#call('requestToolDevelopment', { document }, options)).receipt;
  }

  /**
   * Returns the current state of a development.
   * @throws {AgentkeepError} `record_not_found`
   */
  async readDevelopment(
    scope: ScopeInput,
    requestId: string,
    options?: CallOptions,
  ): Promise<ToolDevelopment> {
    requireArguments('tools.readDevelopment()', { scope, requestId });
    const document = { contract_version: CONTRACT_VERSION, scope, request_id: requestId };
    return (await this.#call('readToolDevelopment', { document }, options)).development;
  }

  /** Reports on a development. Only for the subject of its executor. */
  async report(
    scope: ScopeInput,
    target: DevelopmentTarget,
    report: ToolDevelopmentReportInput,
    options?: CallOptions,
  ): Promise<ToolDevelopmentEvent> {
    const call = 'tools.report()';
    requireArguments(call, { scope, target, report });
    return this.#record(call, scope, target, { type: 'report', report }, options);
  }

  /** Requests the cancellation of a development. Only for its requester. */
  async requestCancellation(
    scope: ScopeInput,
    target: DevelopmentTarget,
    reason: string,
    options?: CallOptions,
  ): Promise<ToolDevelopmentEvent> {
    const call = 'tools.requestCancellation()';
    requireArguments(call, { scope, target, reason });
    return this.#record(call, scope, target, { type: 'request_cancellation', reason }, options);
  }

  /**
   * Returns an event of a development.
   * @throws {AgentkeepError} `record_not_found`
   */
  async readDevelopmentEvent(
    scope: ScopeInput,
    requestId: string,
    eventId: string,
    options?: CallOptions,
  ): Promise<ToolDevelopmentEvent> {
    requireArguments('tools.readDevelopmentEvent()', { scope, requestId, eventId });
    const ids = { request_id: requestId, event_id: eventId };
    const document = { contract_version: CONTRACT_VERSION, scope, ...ids };
    return (await this.#call('readToolDevelopmentEvent', { document }, options)).event;
  }

  /** Returns one page of the tools of a scope. Needs `tool_read`. */
  async artifactsPage(
    scope: ScopeInput,
    options: DirectoryRequest = {},
  ): Promise<OutputOf<'listToolArtifacts'>['page']> {
    const document = scopeListDocument('tools.artifactsPage()', scope, options);
    return (await this.#call('listToolArtifacts', { document }, { signal: options.signal })).page;
  }

  /**
   * Yields the tools of a scope. The order is fixed and isn't of time.
   * Needs `tool_read`.
   */
  artifacts(
    scope: ScopeInput,
    options: Omit<DirectoryRequest, 'cursor'> = {},
  ): AsyncGenerator<ToolArtifact, void> {
    return everyItem((position) => this.artifactsPage(scope, { ...options, ...position }));
  }

  /** Returns one page of the developments of tools of a scope. Needs `tool_read`. */
  async developmentsPage(
    scope: ScopeInput,
    options: DirectoryRequest = {},
  ): Promise<OutputOf<'listToolDevelopments'>['page']> {
    const document = scopeListDocument('tools.developmentsPage()', scope, options);
    return (await this.#call('listToolDevelopments', { document }, { signal: options.signal }))
      .page;
  }

  /**
   * Yields the developments of tools of a scope. The order is fixed and isn't of time.
   * Needs `tool_read`.
   */
  developments(
    scope: ScopeInput,
    options: Omit<DirectoryRequest, 'cursor'> = {},
  ): AsyncGenerator<ToolDevelopment, void> {
    return everyItem((position) => this.developmentsPage(scope, { ...options, ...position }));
  }

  /** Returns one page of the events of a development. Needs `tool_read`. */
  async developmentEventsPage(
    scope: ScopeInput,
    requestId: string,
    options: DirectoryRequest = {},
  ): Promise<OutputOf<'listToolDevelopmentEvents'>['page']> {
    const call = 'tools.developmentEventsPage()';
    requireArguments(call, { requestId });
    const document = { ...scopeListDocument(call, scope, options), request_id: requestId };
    const { signal } = options;
    return (await this.#call('listToolDevelopmentEvents', { document }, { signal })).page;
  }

  /**
   * Yields the events of a development, each with the state after it. The order is fixed and isn't
   * of time, which is that of the revisions. Needs `tool_read`.
   */
  developmentEvents(
    scope: ScopeInput,
    requestId: string,
    options: Omit<DirectoryRequest, 'cursor'> = {},
  ): AsyncGenerator<ToolDevelopmentEvent, void> {
    return everyItem((position) =>
      this.developmentEventsPage(scope, requestId, { ...options, ...position }),
    );
  }

  async #record(
    call: string,
    scope: ScopeInput,
    target: DevelopmentTarget,
    action: Action,
    options: CallOptions | undefined,
  ): Promise<ToolDevelopmentEvent> {
    const { requestId, expectedRevision, eventId } = target;
    requireArguments(call, {
      'target.requestId': requestId,
      'target.expectedRevision': expectedRevision,
      'target.eventId': eventId,
    });
    const document = {
      contract_version: CONTRACT_VERSION,
      scope,
      request_id: requestId,
      command: { event_id: eventId, expected_revision: expectedRevision, action },
    };
    return (await this.#call('recordToolDevelopmentEvent', { document }, options)).event;
  }
}
