/**
 * Requests as instruments, by the semantic conventions of OpenTelemetry for HTTP servers and for
 * generative AI (status of the latter: development). No tenant, name or path is among them.
 */
import type { Attributes, Meter } from '@opentelemetry/api';
import { DURATION_BOUNDS_S, isRefusal, type MeasuredRequest } from '../metrics/metrics.js';
import { memory } from './memory-attributes.js';

/** Stands for the error of a request whose client left before its answer. */
export const CLIENT_LEFT = 'client_left';

/** Upper bounds that the conventions give operations on memory, and four below. */
const MEMORY_BOUNDS_S: readonly number[] = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24,
  20.48, 40.96, 81.92,
];

/** The instruments that requests fill. */
export interface RequestInstruments {
  record(request: MeasuredRequest): void;
}

/** Makes the instruments of requests. */
export function requestInstruments(meter: Meter): RequestInstruments {
  const requests = meter.createHistogram('http.server.request.duration', {
    unit: 's',
    description: 'Duration of HTTP server requests.',
    advice: { explicitBucketBoundaries: [...DURATION_BOUNDS_S] },
  });
  const memoryOperations = meter.createHistogram('gen_ai.client.operation.duration', {
    unit: 's',
    description: 'Duration of operations on memory.',
    advice: { explicitBucketBoundaries: [...MEMORY_BOUNDS_S] },
  });
  const refusals = meter.createCounter('agentkeep.refusals', {
    unit: '{request}',
    description: 'Requests that were refused, by the kind of error.',
  });
  return {
    record: (request) => {
      const { durationMs, errorKind, memoryOperation } = request;
      const seconds = durationMs / 1_000;
      requests.record(seconds, requestAttributes(request));
      if (memoryOperation !== undefined) {
        const error = errorOf(request);
        memoryOperations.record(seconds, { ...memory(memoryOperation), ...error });
      }
      if (errorKind !== undefined && isRefusal(errorKind)) {
        refusals.add(1, { 'agentkeep.refusal.reason': errorKind });
      }
    },
  };
}

function requestAttributes(request: MeasuredRequest): Attributes {
  const { operation, method, route, status, end } = request;
  return {
    'agentkeep.operation': operation,
    'http.request.method': method,
    'url.scheme': 'http',
    ...(route === undefined ? {} : { 'http.route': route }),
    ...(end === 'left' ? {} : { 'http.response.status_code': status }),
    // For HTTP a refusal is no error of the server.
    ...(end === 'left' || end === '5xx' ? errorOf(request) : {}),
  };
}

function errorOf({ end, errorCode }: MeasuredRequest): Attributes {
  if (end === 'left') return { 'error.type': CLIENT_LEFT };
  return errorCode === undefined ? {} : { 'error.type': errorCode };
}
