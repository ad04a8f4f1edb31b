/** Tests the reader of metrics. */
import { describe, expect, test } from 'vitest';
import { durationBetween, readMetrics } from './metrics-text.js';

const bucket = (bound: string, operation: string, count: number): string =>
  `agentkeep_request_duration_seconds_bucket{le="${bound}",operation="${operation}"} ${String(count)}`;

const text = (slow: number): string =>
  [
    '# HELP agentkeep_requests_total Requests, by operation and class of their status.',
    '# TYPE agentkeep_requests_total counter',
    'agentkeep_requests_total{operation="getHealth",status="2xx"} 7',
    'agentkeep_requests_total{operation="none",status="4xx"} 2',
    'agentkeep_requests_total{operation="getStats",status="5xx"} 1',
    'agentkeep_requests_in_flight 3',
    'agentkeep_waiting{queue="transactions"} 4',
    'agentkeep_waiting{queue="passwords"} 0',
    bucket('0.01', 'getHealth', 8),
    bucket('0.1', 'getHealth', 8),
    bucket('+Inf', 'getHealth', 8),
    bucket('0.01', 'getStats', 2),
    bucket('0.1', 'getStats', 2 + slow),
    bucket('+Inf', 'getStats', 2 + slow),
    '',
  ].join('\n');

describe('the reader of metrics', () => {
  test('adds up what operations have, and names the queues', () => {
    expect(readMetrics(text(0))).toEqual({
      requests: 10,
      failures: 1,
      inFlight: 3,
      durations: [
        [0.01, 10],
        [0.1, 10],
        [Infinity, 10],
      ],
      queues: [
        ['transactions', 4],
        ['passwords', 0],
      ],
    });
  });

  test('finds how far a replication target is behind, and when it was copied', () => {
    const lines = [
      'agentkeep_replication_up 0',
      'agentkeep_replication_lag_seconds 61.5',
      'agentkeep_replication_lag_commits 7',
      'agentkeep_replication_waiting_bytes 4096',
    ];
    const away = { isUp: false, lagMs: 61_500, commits: 7, bytes: 4_096 };
    expect(readMetrics(lines.join('\n')).replication).toEqual({ ...away, copyMs: undefined });
    lines.push('agentkeep_replication_copy_time_seconds 1700000000');
    expect(readMetrics(lines.join('\n')).replication?.copyMs).toBe(1_700_000_000_000);
    expect(readMetrics(lines.slice(1).join('\n')).replication).toBeUndefined();
  });

  test('estimates how long requests took between two readings', () => {
    const [before, after] = [readMetrics(text(0)), readMetrics(text(10))];
    expect(durationBetween({ before, after }, 0.5)).toBeCloseTo(55, 6);
    expect(durationBetween({ before, after }, 1)).toBeCloseTo(100, 6);
    expect(durationBetween({ before, after: before }, 0.5)).toBeUndefined();
  });

  test('finds nothing in another text', () => {
    expect(readMetrics('<html>{}</html>\n{"error":1} 3')).toMatchObject({
      requests: 0,
      queues: [],
    });
  });
});
