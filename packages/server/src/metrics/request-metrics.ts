/** Requests as Prometheus metrics. */
import type { ErrorKind } from '@agentkeep/core';
import type * as PromClient from 'prom-client';
import type { Counter, Histogram, Registry } from 'prom-client';
import type { MeasuredRequest, RequestEnd, RequestMeter } from './metrics.js';

/** The classes of the library, which is loaded only where metrics are wanted. */
export type Library = typeof PromClient;

/** Upper bounds of the buckets, in seconds: from an answer from memory to a hashed password. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Kinds of errors that are failures of the service and no refusals. */
const FAILURES: ReadonlySet<ErrorKind> = new Set(['internal', 'unavailable']);

type Observed = Pick<Histogram.Internal<string>, 'observe'>;
type Counted = Pick<Counter.Internal, 'inc'>;

/** The metrics of one operation, looked up once: labels are hashed at each look-up. */
interface OperationMetrics {
  readonly duration: Observed;
  readonly ends: Map<RequestEnd, Counted>;
}

/** Registers the metrics of requests and returns what fills them. */
export function requestMetrics(library: Library, register: Registry): RequestMeter {
  const registers = [register];
  const duration = new library.Histogram({
    name: 'agentkeep_request_duration_seconds',
    help: 'Time from the headers of a request until its answer is ready, by operation.',
    labelNames: ['operation'],
    buckets: BUCKETS,
    registers,
  });
  const requests = new library.Counter({
    name: 'agentkeep_requests_total',
    help: 'Requests, by operation and class of their status.',
    labelNames: ['operation', 'status'],
    registers,
  });
  const refusals = new library.Counter({
    name: 'agentkeep_refusals_total',
    help: 'Requests that were refused, by the kind of error.',
    labelNames: ['reason'],
    registers,
  });
  let inFlight = 0;
  new library.Gauge({
    name: 'agentkeep_requests_in_flight',
    help: 'Requests that are not answered yet.',
    registers,
    collect() {
      this.set(inFlight);
    },
  });
  const known = new Map<string, OperationMetrics>();
  const metricsOf = (operation: string): OperationMetrics => {
    const found = known.get(operation);
    if (found !== undefined) return found;
    const made = { duration: duration.labels(operation), ends: new Map<RequestEnd, Counted>() };
    known.set(operation, made);
    return made;
  };
  return {
    began: () => {
      inFlight += 1;
    },
    answered: ({ operation, end, durationMs, errorKind }: MeasuredRequest) => {
      inFlight -= 1;
      const { duration, ends } = metricsOf(operation);
      duration.observe(durationMs / 1_000);
      const counted = ends.get(end) ?? requests.labels(operation, end);
      ends.set(end, counted);
      counted.inc();
      if (errorKind !== undefined && !FAILURES.has(errorKind)) refusals.labels(errorKind).inc();
    },
  };
}
