/** Requests as Prometheus metrics. */
import type * as PromClient from 'prom-client';
import type { Counter, Histogram, Registry } from 'prom-client';
import {
  DURATION_BOUNDS_S,
  isRefusal,
  type MeasuredRequest,
  type RequestEnd,
  type RequestMeter,
} from './metrics.js';

/** The classes of the library, which is loaded only if metrics are enabled. */
export type Library = typeof PromClient;

type Observed = Pick<Histogram.Internal<string>, 'observe'>;
type Counted = Pick<Counter.Internal, 'inc'>;

/** The metrics of one operation, looked up once: labels are hashed at each look-up. */
interface OperationMetrics {
  readonly duration: Observed;
  readonly ends: Map<RequestEnd, Counted>;
}

/** Registers the metrics of requests and returns the meter that fills them. */
export function requestMetrics(library: Library, register: Registry): RequestMeter {
  const registers = [register];
  const duration = new library.Histogram({
    name: 'agentkeep_request_duration_seconds',
    help: 'Time from the headers of a request until its answer is ready, by operation.',
    labelNames: ['operation'],
    buckets: [...DURATION_BOUNDS_S],
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
      if (errorKind !== undefined && isRefusal(errorKind)) refusals.labels(errorKind).inc();
    },
  };
}
