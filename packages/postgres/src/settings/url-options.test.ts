/**
 * Options in a URL are applied, and the rest of the URL stays unchanged.
 */
import { describe, expect, test } from 'vitest';
import { settingsOf } from './settings.js';

const URL_OF_ALL = 'postgres://agent@db:5433/keep';

describe('options in a url', () => {
  test('are applied and removed from it', () => {
    const url = `${URL_OF_ALL}?pooler=true&maxConnections=20&locks=rows&table=other`;
    expect(settingsOf({ url })).toMatchObject({
      url: URL_OF_ALL,
      pooler: true,
      prepare: false,
      maxConnections: 20,
      locks: 'rows',
      table: 'other',
    });
  });

  test('keep the parameters of the driver', () => {
    const url = `${URL_OF_ALL}?sslmode=verify-full`;
    expect(settingsOf({ url: `${url}&prepare=false` })).toMatchObject({ url, prepare: false });
  });

  test('leave a url without options exactly as written', () => {
    const url = 'postgres:///keep?host=/var/run/a%20b&options=-c%20jit%3Doff';
    expect(settingsOf({ url }).url).toBe(url);
  });

  test('are overridden by options next to the url', () => {
    const url = `${URL_OF_ALL}?pooler=true&prepare=true`;
    expect(settingsOf({ url, pooler: false })).toMatchObject({ pooler: false, prepare: true });
  });

  test.each(['pooler=yes', 'prepare=', 'maxConnections=many', 'maxConnections=', 'locks=all'])(
    'are refused if invalid: %s',
    (parameter) => {
      const name = parameter.split('=')[0] ?? '';
      expect(() => settingsOf({ url: `${URL_OF_ALL}?${parameter}` })).toThrow(`option ${name} of`);
    },
  );
});
