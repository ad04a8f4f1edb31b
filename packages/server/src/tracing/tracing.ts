/** Spans and measurements of operations, without the library that makes them. */
import type { Keep } from '@agentkeep/core';
import type { RunningMeter } from '../metrics/metrics.js';

/** A request that gets a span. */
export interface TracedRequest {
  /** The name of the operation, or of what stands in its place; `none` for an unknown path. */
  readonly operation: string;
  readonly method: string;
  /** The template of the path, never a path itself; absent for an unknown one. */
  readonly route: string | undefined;
  readonly requestId: string;
  /** Returns a header by its name in lower case. */
  readonly header: (name: string) => string | null;
}

/** How a traced request ended. */
export interface TracedEnd {
  readonly status: number;
  /** The code of the error, if it was refused or failed. */
  readonly code: string | undefined;
  /** Whether the client left before, so that the status was never sent. */
  readonly hasLeft: boolean;
}

/** The span of one request. */
export interface RequestSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Runs work with the span as the parent of further spans. */
  run<T>(work: () => T): T;
  /** Notes the document that was sent, of which only the kind of change is read. */
  sent(document: unknown): void;
  /** Notes the answer, of which only the number of records is read. */
  answered(output: unknown): void;
  end(outcome: TracedEnd): void;
}

/** Makes spans and measurements, where somebody records them. */
export interface Tracing {
  /** Returns the span of a request, or `undefined` while no tracer provider is registered. */
  start(request: TracedRequest): RequestSpan | undefined;
  /**
   * Returns what measures a keep and its requests while a meter provider is registered. Without
   * this method only spans are made.
   */
  meterOf?(keep: Keep): RunningMeter;
}
