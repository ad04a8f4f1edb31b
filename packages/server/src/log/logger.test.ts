/** Format, timing and redaction of log lines. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { jsonLogger, type LogLevel } from './logger.js';

const BODY = 'A'.repeat(43);
const HEX = '0123456789abcdef0123456789abcdef';

function setUp(level: LogLevel = 'debug') {
  const writes: string[] = [];
  const log = jsonLogger({ level, write: (text) => writes.push(text), now: () => 1_000 });
  const logged = (message: string, fields?: object): Record<string, unknown> => {
    log.info(message, fields);
    log.flush();
    return JSON.parse(writes.at(-1)!) as Record<string, unknown>;
  };
  return { log, writes, logged };
}

describe('jsonLogger', () => {
  it('writes one JSON object per line, starting with time, level and message', () => {
    const { log, writes } = setUp();
    log.warn('late', { seconds: 3 });
    log.flush();
    expect(writes).toEqual([
      '{"time":"1970-01-01T00:00:01.000Z","level":"warn","message":"late","seconds":3}\n',
    ]);
  });

  it('does not let fields replace its own members', () => {
    const { logged } = setUp();
    const fields = { level: 'error', message: 'forged', time: 0, __proto__: null, more: 1 };
    expect(logged('true', fields)).toEqual({
      time: '1970-01-01T00:00:01.000Z',
      level: 'info',
      message: 'true',
      more: 1,
    });
  });

  it('drops lines below its level', () => {
    const { log, writes } = setUp('warn');
    log.info('quiet');
    log.debug('quieter');
    log.error('loud');
    log.flush();
    expect(writes.join('')).toMatch(/^\{[^\n]*"loud"\}\n$/);
  });

  it('writes all lines of a turn together, and before an exit', async () => {
    const { log, writes } = setUp();
    log.info('one');
    log.info('two');
    expect(writes).toEqual([]);
    expect(process.listeners('exit')).toContain(log.flush);
    await nextTurn();
    expect(writes).toHaveLength(1);
    expect(writes[0]!.trimEnd().split('\n')).toHaveLength(2);
    expect(process.listeners('exit')).not.toContain(log.flush);
  });

  it('writes large output before the end of the turn', () => {
    const { log, writes } = setUp();
    for (let line = 0; line < 20; line += 1) log.info('x'.repeat(8_000));
    expect(writes.length).toBeGreaterThan(0);
  });

  it('escapes every character that ends, hides or reorders text', () => {
    const { log, writes } = setUp();
    const hidden = '\u0000\n\r\u001b\u007f\u0085\u009b\u2028\u2029\u202e\ufeff\u{e0001}';
    log.info(`a${hidden}b`);
    log.flush();
    expect(writes[0]).toMatch(/^[\x20-\x7e]+\n$/);
    expect((JSON.parse(writes[0]!) as { message: string }).message).toBe(`a${hidden}b`);
  });

  it.each([
    `ak1_${HEX}_${BODY}`,
    `akg1_${HEX}_${BODY}`,
    `akst1_${HEX}_${HEX}_${BODY}`,
    `aksg1_${HEX}_${HEX}_${BODY}`,
    `akr1_${BODY}`,
    `ak_live_${'a'.repeat(38)}`,
    'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  ])('redacts %s anywhere', (secret) => {
    const { log, writes } = setUp();
    const error = new Error(`bad ${secret}`, { cause: new Error(secret) });
    log.info(`x${secret}\n${secret}`, { [secret]: [{ deep: `Bearer ${secret}` }], error });
    log.flush();
    expect(writes[0]).not.toContain(secret.slice(12));
    expect(writes[0]).toContain('[redacted]');
  });

  it('does not change ordinary text', () => {
    const { logged } = setUp();
    const path = '/api/v1/memory/records/0190c2f0-0000-7000-8000-000000000000';
    expect(logged('GET', { path, prefix: 'ak_live_abcd', version: '0.13.0' })).toMatchObject({
      path,
      prefix: 'ak_live_abcd',
      version: '0.13.0',
    });
  });

  it('accepts every kind of value', () => {
    const { logged } = setUp();
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const hostile = {
      get trap(): string {
        throw new Error('no');
      },
    };
    const line = logged('values', {
      circular,
      hostile,
      big: 1n,
      nan: NaN,
      none: null,
      absent: undefined,
      when: new Date(5),
      many: Array.from({ length: 1_000 }, (_, index) => index),
      long: 'y'.repeat(1_000_000),
      error: new TypeError('wrong', { cause: 'why' }),
    });
    expect(line).toMatchObject({ hostile: '[unreadable]', big: '1', nan: 'NaN', none: null });
    expect(line).toMatchObject({ error: { name: 'TypeError', message: 'wrong', cause: 'why' } });
    expect(line).not.toHaveProperty('absent');
    expect(JSON.stringify(line).length).toBeLessThan(20_000);
  });
});
