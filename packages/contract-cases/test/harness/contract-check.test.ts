/** The contract check accepts valid responses and detects every kind of deviation. */
import { describe, expect, it } from 'vitest';
import { contractCheck } from './contract-check.js';

const headers = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-RateLimit-Limit': '100',
  'X-RateLimit-Remaining': '99',
  'X-RateLimit-Reset': '1',
  'X-Request-Id': 'r1',
};
const healthy = { contract_version: 1, status: 'healthy', version: '0.13.0' };

function answer(body: unknown, status = 200, extra: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { ...headers, ...extra } });
}

function refusal(code: string, status: number, extra: Record<string, string> = {}): Response {
  return answer({ contract_version: 1, error: { code, message: 'No.' } }, status, extra);
}

const recordPath = '/api/v1/memory/records/0190a0a0-0000-7000-8000-000000000000';

describe('the contract check', () => {
  it('returns the body of a valid response and leaves it readable', async () => {
    const response = answer(healthy);
    expect(await contractCheck.response('GET', '/health', response)).toEqual(healthy);
    expect(await response.json()).toEqual(healthy);
  });

  it.each([
    ['GET', `${recordPath}?contract_version=1`, refusal('record_not_found', 404)],
    ['GET', '/api/v1/identity', refusal('unauthorized', 401, { 'WWW-Authenticate': 'Bearer' })],
    ['POST', '/api/v1/credentials', refusal('invalid_request', 413)],
    ['GET', '/nowhere', refusal('not_found', 404)],
    ['DELETE', '/health', refusal('method_not_allowed', 405, { Allow: 'GET' })],
    ['HEAD', '/health', new Response(null, { headers })],
    [
      'GET',
      '/health',
      answer(
        {
          error: 'rate_limit_exceeded',
          message: 'Wait.',
          limit: 100,
          remaining: 0,
          reset_in_seconds: 60,
        },
        429,
        { 'Retry-After': '1' },
      ),
    ],
  ])('accepts a valid %s %s', async (method, path, response) => {
    await expect(contractCheck.response(method, path, response)).resolves.not.toThrow();
  });

  it.each([
    ['an undocumented status', 'GET', '/health', refusal('forbidden', 403), 'not in the contract'],
    ['a status of another path', 'GET', '/health', refusal('not_found', 404), 'not in the'],
    ['an unknown member', 'GET', '/health', answer({ ...healthy, extra: 1 }), 'additional'],
    ['a missing member', 'GET', '/health', answer({ contract_version: 1 }), 'required'],
    ['a foreign code', 'GET', recordPath, refusal('not_found', 404), 'the code not_found'],
    ['no WWW-Authenticate', 'GET', '/api/v1/identity', refusal('unauthorized', 401), 'lacks WWW'],
    ['no Allow', 'DELETE', '/health', refusal('method_not_allowed', 405), 'lacks Allow'],
    [
      'a cached answer',
      'GET',
      '/health',
      answer(healthy, 200, { 'Cache-Control': 'max-age=1' }),
      'Cache-Control',
    ],
    [
      'a count that is none',
      'GET',
      '/health',
      answer(healthy, 200, { 'X-RateLimit-Reset': 'soon' }),
      'X-RateLimit-Reset',
    ],
    [
      'another media type',
      'GET',
      '/health',
      answer(healthy, 200, { 'Content-Type': 'text/plain' }),
      'is not application/json',
    ],
  ])('detects %s', async (_what, method, path, response, message) => {
    await expect(contractCheck.response(method, path, response)).rejects.toThrow(message);
  });
});
