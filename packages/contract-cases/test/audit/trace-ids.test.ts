/** The trace of a caller in audit events, without any tracing (docs/contract/audit.md#aud-88). */
import type { AuditEvent } from '@agentkeep/core';
import { expect, test } from 'vitest';
import type { Logger } from '@agentkeep/server';
import { auditFixture } from './audit-fixture.js';
import { scope } from '../harness/documents.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const OTHER = '5bf92f3577b34da6a3ce929d0e0e4736';
const parentOf = (trace: string): string => `00-${trace}-00f067aa0ba902b7-01`;

const spec = { subject_id: 's', capabilities: ['memory_read'], grants: [] };
const issue = { contract_version: 1, spec };

const tracesOf = (events: readonly AuditEvent[]) =>
  events.map(({ metadata }) => metadata['trace_id'] ?? null);

test('AUD-C60 events have the id of the trace that their request states', async () => {
  await using t = await auditFixture();
  const sent = [{}, 'nonsense', parentOf(TRACE).toUpperCase(), parentOf(TRACE)];
  for (const traceparent of sent) {
    const headers = typeof traceparent === 'string' ? { traceparent } : {};
    expect((await t.send('POST', '/api/v1/credentials', headers, issue)).status).toBe(201);
  }
  const events = await t.events('event_type=configuration_changed');
  const issued = events.filter(({ metadata }) => metadata['change'] === 'issued');
  expect(tracesOf(issued)).toEqual([TRACE, null, null, null]);
  expect(issued[0]?.metadata).toHaveProperty('request_id');
});

test('CON-172 a log line has the id of the trace, and none without one', async () => {
  const lines: object[] = [];
  const note = (_message: string, fields: object = {}): void => void lines.push(fields);
  const log: Logger = { error: note, warn: note, info: note, debug: note };
  await using t = await auditFixture({}, { log });
  await t.send('GET', '/api/v1/identity', { traceparent: parentOf(TRACE) });
  await t.send('GET', '/api/v1/identity', { traceparent: `${parentOf(TRACE)}, more` });
  expect(lines[0]).toMatchObject({ status: 200, trace_id: TRACE });
  expect(lines[0]).not.toHaveProperty('span_id');
  expect(lines[1]).not.toHaveProperty('trace_id');
});

test('AUD-C61 an event that stands for many requests has no trace', async () => {
  await using t = await auditFixture();
  const refused = (traceparent: string) =>
    t.send('POST', '/api/v1/memory/query', { traceparent }, { contract_version: 1, scope });
  await refused(parentOf(TRACE));
  for (let index = 0; index < 5; index += 1) await refused(parentOf(OTHER));
  t.clock.advance(120_000);
  const events = await t.events('event_type=permission_denied');
  const traced = events.map(({ metadata }) => [metadata['count'] ?? 1, metadata['trace_id']]);
  expect(traced).toEqual([
    [5, undefined],
    [1, TRACE],
  ]);
});
