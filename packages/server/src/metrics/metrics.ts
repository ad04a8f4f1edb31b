/** What a server measures, and how a monitoring system reads it. */
import type { ErrorKind } from '@agentkeep/core';

/** Path of the metrics, on their own port and on the main one. */
export const METRICS_PATH = '/metrics';

/** How a request ended: the class of its status, or that its client left before. */
export type RequestEnd = '1xx' | '2xx' | '3xx' | '4xx' | '5xx' | 'left';

/** An answered request. Every member has a bounded number of values but the duration. */
export interface MeasuredRequest {
  /** The name of the operation; that of a path without one; `none` for an unknown path. */
  readonly operation: string;
  readonly end: RequestEnd;
  /** Milliseconds until the answer was ready. */
  readonly durationMs: number;
  /** The kind of its error, if it was refused or failed. */
  readonly errorKind: ErrorKind | undefined;
}

/** Counts and measures requests. */
export interface RequestMeter {
  /** A request has arrived. */
  began(): void;
  /** It is answered. Called once for each that began. */
  answered(request: MeasuredRequest): void;
}

/** The measurements of a keep and of the requests to it. */
export interface Metrics extends RequestMeter {
  /** The media type of {@link text}: the text format of Prometheus, version 0.0.4. */
  readonly contentType: string;
  /**
   * Returns all measurements. Callers at the same time share one text. A part that cannot be
   * measured, such as the size of a database that is away, is left out.
   */
  text(): Promise<string>;
}

/** Returns how a request with this status ended. */
export function endOf(status: number): RequestEnd {
  if (status < 200) return '1xx';
  if (status < 300) return '2xx';
  if (status < 400) return '3xx';
  return status < 500 ? '4xx' : '5xx';
}
