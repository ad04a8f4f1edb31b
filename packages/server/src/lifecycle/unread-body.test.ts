/** Tests how long the server reads the unread rest of a body. */
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { useFakeTimers, useRealTimers } from '@agentkeep/testkit/fake-timers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { drainBody } from './unread-body.js';

const part = Buffer.alloc(1_000);
let incoming: PassThrough;
let isClosed: boolean;

beforeEach(() => {
  useFakeTimers('setInterval', 'clearInterval', 'setImmediate');
  incoming = new PassThrough();
  isClosed = false;
  const socket = { destroySoon: () => (isClosed = true) };
  drainBody(Object.assign(incoming, { socket }) as unknown as IncomingMessage);
});

afterEach(() => {
  useRealTimers();
});

test('a body is taken in as long as it keeps coming', () => {
  for (let count = 0; count < 20; count += 1) {
    vi.advanceTimersByTime(400);
    incoming.emit('data', part);
  }
  expect(isClosed).toBe(false);
});

test('a silent client is closed', () => {
  incoming.emit('data', part);
  vi.advanceTimersByTime(999);
  expect(isClosed).toBe(false);
  vi.advanceTimersByTime(2);
  expect(isClosed).toBe(true);
});

test('a part that came while this process was stalled counts', () => {
  // After a stall, the timer comes before what the socket has received.
  vi.advanceTimersToNextTimer();
  incoming.emit('data', part);
  vi.advanceTimersByTime(300);
  expect(isClosed).toBe(false);
});

test('a body that drips is closed in the end', () => {
  for (let ms = 0; ms < 11_000; ms += 400) {
    incoming.emit('data', part);
    vi.advanceTimersByTime(400);
  }
  expect(isClosed).toBe(true);
});

test('a body beyond the largest is closed', () => {
  incoming.emit('data', { length: 67_108_865 });
  expect(isClosed).toBe(true);
});

test('nothing closes a connection whose body has ended', () => {
  incoming.emit('data', part);
  incoming.emit('end');
  vi.advanceTimersByTime(20_000);
  expect(isClosed).toBe(false);
});
