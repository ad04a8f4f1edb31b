/** Observes one request: its span, its measurements and its log line. */
import { performance } from 'node:perf_hooks';
import type { AgentkeepError } from '@agentkeep/core';
import type { Logger } from '../log/logger.js';
import { knownMethod } from '../metrics/http-method.js';
import { endOf, type MemoryOperation, type RequestMeter } from '../metrics/metrics.js';
import { changeIn, searchOf } from '../tracing/memory-attributes.js';
import { readTraceParent } from '../tracing/traceparent.js';
import type { RequestSpan, Tracing } from '../tracing/tracing.js';
import type { Target } from './path-targets.js';
import type { Received } from './received.js';
import { logRequest } from './request-log.js';

/** The observers. */
export interface Watchers {
  readonly log: Logger | undefined;
  /** Makes spans of requests, if they are traced. */
  readonly tracing: Tracing | undefined;
  /** Measures requests, if they are measured. */
  readonly meter: RequestMeter | undefined;
}

/** The facts about a request that are known when it begins. */
export interface WatchedRequest {
  readonly requestId: string;
  readonly path: string;
  /** The template of the path; absent for an unknown one. */
  readonly route: string | undefined;
  readonly target: Target | undefined;
}

/** How a request ended. */
export interface WatchedEnd {
  readonly status: number;
  /** Absent if the request succeeded. */
  readonly failure: AgentkeepError | undefined;
  /** Absent if the caller is not known. */
  readonly principalId: string | undefined;
  /**
   * Whether the client disconnected before the answer was ready. Then the request is not a refusal.
   */
  readonly hasLeft: boolean;
}

/** The operation name of a request without a target. */
const UNKNOWN = 'none';

/** Watches one request from its headers to its answer. */
export class RequestWatch {
  readonly #watchers: Watchers;
  readonly #received: Received;
  readonly #request: WatchedRequest;
  readonly #operation: string;
  readonly #startedMs = performance.now();
  #span: RequestSpan | undefined;
  #memoryOperation: MemoryOperation | undefined;

  constructor(watchers: Watchers, received: Received, request: WatchedRequest) {
    this.#watchers = watchers;
    this.#received = received;
    this.#request = request;
    this.#operation = request.target?.name ?? UNKNOWN;
    watchers.meter?.began(knownMethod(received.method));
  }

  /** Does the work of the request, inside its span if it has one. */
  run<T>(work: () => T): T {
    const { tracing } = this.#watchers;
    if (tracing === undefined) return work();
    const received = this.#received;
    const { requestId, route } = this.#request;
    this.#span = tracing.start({
      operation: this.#operation,
      method: received.method,
      route,
      requestId,
      header: (name) => received.header(name),
    });
    return this.#span === undefined ? work() : this.#span.run(work);
  }

  /** Id of the trace that the request belongs to: that of its span, or the one that it states. */
  get traceId(): string | undefined {
    if (this.#span !== undefined) return this.#span.traceId;
    return readTraceParent(this.#received.header('traceparent'))?.traceId;
  }

  /** Returns the receiver of the sent document; `undefined` if no observer needs it. */
  get seen(): { sent(document: unknown): void } | undefined {
    const { tracing } = this.#watchers;
    return tracing === undefined ? undefined : this;
  }

  /** Notes the document that was sent. */
  sent(document: unknown): void {
    this.#memoryOperation = changeIn(this.#operation, document);
    this.#span?.sent(document);
  }

  /** Notes the answer. */
  answered(output: unknown): void {
    this.#span?.answered(output);
  }

  /** Measures, traces and logs the answered request. */
  ended({ status, failure, principalId, hasLeft }: WatchedEnd): void {
    const { log, meter } = this.#watchers;
    const durationMs = performance.now() - this.#startedMs;
    const { method } = this.#received;
    const { requestId, path, route, target } = this.#request;
    this.#span?.end({ status, code: failure?.wireCode, hasLeft });
    meter?.answered({
      operation: this.#operation,
      method: knownMethod(method),
      route,
      status,
      end: hasLeft ? 'left' : endOf(status),
      durationMs,
      errorKind: hasLeft ? undefined : failure?.kind,
      errorCode: hasLeft ? undefined : failure?.wireCode,
      memoryOperation: this.#memoryOperation ?? searchOf(this.#operation),
    });
    if (log === undefined) return;
    const isProbe = target !== undefined && 'probe' in target;
    const { traceId } = this;
    const traced = { traceId, spanId: this.#span?.spanId };
    const asked = { requestId, method, path, principalId, isProbe };
    logRequest(log, { ...asked, ...traced, status, durationMs, failure, hasLeft });
  }
}
