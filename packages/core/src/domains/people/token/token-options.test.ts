/** Bounds of the token options. */
import { expect, test } from 'vitest';
import { tokenSettings } from './token-options.js';

test('every option has a default', () => {
  expect(tokenSettings({})).toEqual({
    ttlSecs: 3_600,
    issuer: 'agentkeep',
    audience: 'agentkeep',
    signing: undefined,
    additional: undefined,
  });
  expect(tokenSettings({ ttlSeconds: 61 }).ttlSecs).toBe(61);
  expect(tokenSettings({ ttlSeconds: 86_400 }).ttlSecs).toBe(86_400);
});

test.each([
  [{ ttlSeconds: 60 }, 'tokens.ttlSeconds must be an integer from 61 to 86400.'],
  [{ ttlSeconds: 86_401 }, 'tokens.ttlSeconds'],
  [{ ttlSeconds: 100.5 }, 'tokens.ttlSeconds'],
  [{ issuer: ' ' }, 'tokens.issuer must be 1 to 256 UTF-8 bytes'],
  [{ audience: 'a'.repeat(257) }, 'tokens.audience'],
  [{ privateKeyPem: 'hunter2' }, 'tokens.privateKeyPem must be the PEM text'],
  [{ additionalKeyPem: 'hunter2' }, 'tokens.additionalKeyPem must be the PEM text'],
])('%j is refused', (options, message) => {
  expect(() => tokenSettings(options)).toThrow(message);
  expect(() => tokenSettings(options)).toThrow(TypeError);
});
