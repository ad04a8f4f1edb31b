/** The measurements of a server, and how a monitoring system reads them. */
import type { ErrorKind } from '@agentkeep/core';

/** Path of the metrics, on their own port and on the main one. */
export const METRICS_PATH = '/metrics';

/**
 * Upper bounds of the buckets of durations, in seconds: those of the conventions of OpenTelemetry
 * for HTTP, and three below for answers from memory.
 */
export const DURATION_BOUNDS_S: readonly number[] = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
];

/** How a request ended: the class of its status, or that its client disconnected before. */
export type RequestEnd = '1xx' | '2xx' | '3xx' | '4xx' | '5xx' | 'left';

/** The operation of a request on memory, by the conventions of OpenTelemetry for generative AI. */
export type MemoryOperation =
  'create_memory' | 'update_memory' | 'upsert_memory' | 'delete_memory' | 'search_memory';

/** An answered request. Every member but the duration has a bounded number of values. */
export interface MeasuredRequest {
  /** The name of the operation, or of the path if it has none; `none` for an unknown path. */
  readonly operation: string;
  /** A method of HTTP, or `_OTHER`. */
  readonly method: string;
  /** The template of the path, never a path itself; absent for an unknown one. */
  readonly route: string | undefined;
  /** The status of the answer, which was not sent if the client had disconnected. */
  readonly status: number;
  readonly end: RequestEnd;
  /** Milliseconds until the answer was ready. */
  readonly durationMs: number;
  /** The kind of its error, if it was refused or failed. */
  readonly errorKind: ErrorKind | undefined;
  /** The code of its error, as it was answered. */
  readonly errorCode: string | undefined;
  /**
   * Absent for a request that is no operation on memory, or was refused before its document was
   * read.
   */
  readonly memoryOperation: MemoryOperation | undefined;
}

/** Counts and measures requests. */
export interface RequestMeter {
  /** A request has arrived, with a method of HTTP or `_OTHER`. */
  began(method: string): void;
  /** It is answered. Called once for each that began. */
  answered(request: MeasuredRequest): void;
}

/** A meter that also reads a keep, until it is stopped. */
export interface RunningMeter extends RequestMeter {
  /** Ends the readings. */
  stop(): void;
}

/** The measurements of a keep and of the requests to it. */
export interface Metrics extends RequestMeter {
  /** The media type of {@link text}: the text format of Prometheus, version 0.0.4. */
  readonly contentType: string;
  /**
   * Returns all measurements. Concurrent callers share one text. A part that cannot be measured,
   * such as the size of an unavailable database, is left out.
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

/** Kinds of errors that are failures of the service instead of refusals. */
const FAILURES: ReadonlySet<ErrorKind> = new Set(['internal', 'unavailable']);

/** Returns whether an error of this kind refuses a request. */
export function isRefusal(kind: ErrorKind): boolean {
  return !FAILURES.has(kind);
}

/** Returns one meter for all given ones, or `undefined` if there are none. */
export function allMeters(...given: (RequestMeter | undefined)[]): RequestMeter | undefined {
  const meters = given.filter((each) => each !== undefined);
  if (meters.length < 2) return meters[0];
  return {
    began: (method) => {
      for (const meter of meters) meter.began(method);
    },
    answered: (request) => {
      for (const meter of meters) meter.answered(request);
    },
  };
}
