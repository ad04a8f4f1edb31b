/**
 * Hostile texts: proofs, ids and values of any length and form are refused in linear time, so that
 * no regular expression can backtrack out of control (ASVS 1.3.12).
 */
import { redactSecrets } from '@agentkeep/core/operator';
import { describe, expect, test } from 'vitest';
import { cpuMsOf } from '@agentkeep/testkit/cpu-time';
import { isHttpsOrigin } from '../../src/http/cors.js';
import { readProof } from '../../src/http/proof.js';
import { readQuery } from '../../src/http/query.js';
import { requestIdOf } from '../../src/http/request-id.js';
import { loggableText } from '../../src/log/loggable.js';
import { isAddressRange } from '../../src/options/address-range.js';
import { parseAddressRanges } from '../../src/rate-limit/address-ranges.js';
import { clientAddress } from '../../src/rate-limit/client-address.js';
import { outcome, refused } from '@agentkeep/contract-cases/answer';
import { bothWays } from '@agentkeep/contract-cases/fixture';
import { overHttp } from '@agentkeep/contract-cases/http-fixture';

const LENGTH = 50_000;

/** Texts that repeatedly almost match what the service looks for. */
const ALMOST = [
  ...['a', ' ', '\t', '-', '_', '.', '@', '+', '/', '0', 'ak', 'eyJ', 'ak1_', 'ak_live_', 'A.b-'],
  ...['a@', '@a', 'a+', 'application/a+', '1.', '::', '%', '%2', '\u2028', '😀', 'é', '\ud83d'],
].map((unit) => unit.repeat(Math.ceil(LENGTH / unit.length)).slice(0, LENGTH));

/** The same texts with an end that spoils the match. */
const hostile = ALMOST.flatMap((text) => [text, `${text}!`, `!${text}`, `ak1_${text}`]);

const trusted = parseAddressRanges(['::/0', '0.0.0.0/0']);

const none = { authorization: null, apiKey: null, dpop: null };
const request = { method: 'GET', origins: [], sentPath: '/' };

/** Functions that match untrusted texts with regular expressions. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  'secrets in log lines': redactSecrets,
  'log lines': loggableText,
  'bearer tokens': (text) => readProof({ ...none, authorization: `Bearer ${text}` }, request),
  schemes: (text) => readProof({ ...none, authorization: text }, request),
  'API keys': (text) => readProof({ ...none, apiKey: text }, request),
  'proofs of keys': (text) =>
    readProof({ ...none, authorization: 'DPoP akk1_', dpop: text }, request),
  'request ids': requestIdOf,
  origins: (text) => isHttpsOrigin(`https://${text}`),
  'address ranges': isAddressRange,
  addresses: (text) => clientAddress({ peer: '::1', forwardedFor: text, realIp: text }, trusted),
};

describe('a text that almost fits', () => {
  test.each(Object.entries(readers))('keeps no reader busy: %s', async (_, read) => {
    const cpuMs = await cpuMsOf(() => {
      for (const text of hostile) read(text);
    });
    // Linear work takes milliseconds; quadratic work of this length would take minutes.
    expect(cpuMs).toBeLessThan(4_000);
  });

  test('keeps no reader busy: queries', async () => {
    const cpuMs = await cpuMsOf(() => {
      for (const text of hostile) {
        try {
          readQuery(text);
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid_request' });
        }
      }
    });
    expect(cpuMs).toBeLessThan(4_000);
  });

  overHttp('is refused by every member with a format', async (http) => {
    const root = http.fixture.admin.token;
    const headers = { Authorization: `Bearer ${root}`, 'Content-Type': 'application/json' };
    for (const text of ALMOST) {
      const value = JSON.stringify(text.toWellFormed());
      for (const member of ['email', 'roles', 'credential_id']) {
        const body = `{"${member}":${member === 'roles' ? `[${value}]` : value}}`;
        const reply = await http.send('POST', '/api/v1/users', { headers, body });
        expect([400, 413], member).toContain(reply.status);
      }
    }
  });
});

describe('a proof', () => {
  bothWays('of any length and form is refused, and never a failure of the service', async (t) => {
    const lengths = [0, 1, 79, 80, 81, 114, 115, 116, 127, 128, 129, 8_191, 8_192, 8_193, 15_000];
    const heads = [
      'ak1_',
      'akg1_',
      'akst1_',
      'aksg1_',
      'akr1_',
      'ak_live_',
      'a.b.',
      'eyJ.eyJ.',
      '',
    ];
    for (const length of lengths) {
      for (const head of heads) {
        for (const unit of ['0', 'a', '_', '.', '-', 'A']) {
          const token = (head + unit.repeat(length)).slice(0, length);
          if (token === '') continue;
          const answer = await t.transport('whoAmI', token, {});
          expect(outcome(answer), `${head}${unit}×${length}`).toBe(refused.unauthorized);
        }
      }
    }
  });
});
