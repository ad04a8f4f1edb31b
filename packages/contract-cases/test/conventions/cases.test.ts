/**
 * Cases of what all platform operations share (docs/contract/conventions.md,
 * docs/contract/platform.md).
 */
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { minimalSpec, minimalRecord, scope, unknownId } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';
import { overHttp } from '../harness/http-fixture.js';

const VALID_ISSUE = JSON.stringify({ contract_version: 1, spec: minimalSpec });

describe('platform', () => {
  testCase('PLT-C1 health needs no proof', async (t) => {
    const health = result(await t.transport('getHealth', undefined, {}));
    expect(health).toEqual({ contract_version: 1, status: 'healthy', version: '0.13.0' });
  });

  overHttp(
    'PLT-C2 the contract is OpenAPI 3.1.0 of the version in the health response',
    async (http) => {
      const { status, body } = await http.send('GET', '/openapi.json');
      expect(status).toBe(200);
      const health = (await http.send('GET', '/health')).body as { version: string };
      expect(body).toMatchObject({ openapi: '3.1.0', info: { version: health.version } });
    },
  );

  overHttp('CON-C3 a wrong method is refused with the allowed ones', async (http) => {
    const reply = await http.send('DELETE', '/api/v1/identity');
    expect(outcome(reply)).toBe('405 method_not_allowed');
    expect(reply.body).toMatchObject({ contract_version: 1 });
    expect(reply.headers.get('allow')).toBe('GET, HEAD');
  });
});

describe('proof', () => {
  testCase('CON-C4 a missing proof is refused', async (t) => {
    const answer = await t.transport('whoAmI', undefined, {});
    expect(outcome(answer)).toBe(refused.unauthorized);
  });

  overHttp('CON-C5 the scheme is case-insensitive and followed by one space', async (http) => {
    const { token } = http.fixture.admin;
    const identity = (Authorization: string) =>
      http.send('GET', '/api/v1/identity', { headers: { Authorization } });
    expect(outcome(await identity(`bearer ${token}`))).toBe('200');
    expect(outcome(await identity(`Bearer  ${token}`))).toBe(refused.unauthorized);
  });

  testCase('CON-C6 a token has one spelling', async ({ admin }) => {
    const { token } = admin;
    const last = token.at(-2) === 'A' ? 'B' : 'A';
    const wrong = [
      `${token.slice(0, -2)}${last}${token.slice(-1)}`,
      `ak1_${token.slice(4, 36).toUpperCase()}${token.slice(36)}`,
      `${token}=`,
    ];
    for (const other of wrong) {
      expect(outcome(await admin.with(other).whoAmI())).toBe(refused.unauthorized);
    }
  });

  overHttp('CON-C7 a bad token is reported before bad JSON', async (http) => {
    const reply = await http.post('/api/v1/credentials', '{', { Authorization: 'Bearer ak1_x' });
    expect(outcome(reply)).toBe(refused.unauthorized);
  });

  overHttp('CON-C8 a missing capability is reported before bad JSON', async (http) => {
    const agent = await http.fixture.agent();
    const asAgent = { Authorization: `Bearer ${agent.token}` };
    const refusal = await http.post('/api/v1/credentials', '{', asAgent);
    expect(outcome(refusal)).toBe(refused.forbidden);
    expect(outcome(await http.post('/api/v1/credentials', '{'))).toBe(refused.invalid);
  });
});

describe('bodies', () => {
  overHttp('CON-C9 the media type must be JSON', async (http) => {
    const issue = (type: string) =>
      http.post('/api/v1/credentials', VALID_ISSUE, { 'Content-Type': type });
    expect(outcome(await issue('text/plain'))).toBe(refused.invalid);
    expect(outcome(await issue(''))).toBe(refused.invalid);
    expect(outcome(await issue('application/json; charset=utf-8'))).toBe('201');
  });

  testCase('CON-C10 every versioned operation serves only version 1', async (t) => {
    const agent = await t.agent();
    const id = await agent.created(scope);
    const calls = (contract_version: unknown) => [
      t.admin.call('issueCredential', { document: { contract_version, spec: minimalSpec } }),
      t.admin.list({ contract_version }),
      ...(['rotateCredential', 'revokeCredential'] as const).map((name) =>
        t.admin.call(name, {
          id: agent.id,
          document: { contract_version, expected_revision: 99 },
        }),
      ),
      t.admin.call('changeScopeAuthority', {
        id: agent.id,
        document: { contract_version, expected_revision: 99, authority: { grants: [] } },
      }),
      agent.call('executeMemoryCommand', {
        document: {
          contract_version,
          idempotency_key: 'k',
          scope,
          operation: { type: 'create', record: minimalRecord },
        },
      }),
      agent.read({ ...scope, contract_version }, id),
      agent.call('queryMemory', { document: { contract_version, scope } }),
    ];
    const outcomes = async (version: unknown) => (await Promise.all(calls(version))).map(outcome);
    expect(new Set(await outcomes(2))).toEqual(new Set([refused.version]));
    expect(new Set(await outcomes(1.5))).toEqual(new Set([refused.invalid]));
    expect(new Set(await outcomes('one'))).toEqual(new Set([refused.invalid]));
    const accepted = ['201', '200', ...Array.from({ length: 3 }, () => refused.stale)];
    expect(await outcomes(1)).toEqual([...accepted, '200', '200', '200']);
  });

  overHttp(
    'CON-C10 a version in quotes is refused, one written 1.0 or 1e0 is not',
    async (http) => {
      const issue = (version: string) =>
        http.post('/api/v1/credentials', VALID_ISSUE.replace(':1,', `:${version},`));
      for (const version of ['"1"', '1.5']) {
        expect(outcome(await issue(version))).toBe(refused.invalid);
      }
      expect(outcome(await issue('2'))).toBe(refused.version);
      for (const version of ['1.0', '1e0']) expect(outcome(await issue(version))).toBe('201');
    },
  );

  overHttp('CON-C11 a repeated member is refused unless it is free-form', async (http) => {
    const repeated = VALID_ISSUE.replace('{', '{"contract_version":1,');
    expect(outcome(await http.post('/api/v1/credentials', repeated))).toBe(refused.invalid);
    const agent = await http.fixture.agent();
    const record = { ...minimalRecord, metadata: { a: 1 } };
    const command = {
      contract_version: 1,
      idempotency_key: 'k',
      scope,
      operation: { type: 'create', record },
    };
    const text = JSON.stringify(command).replace('"a":1', '"a":1,"a":2');
    const asAgent = { Authorization: `Bearer ${agent.token}` };
    expect(outcome(await http.post('/api/v1/memory/commands', text, asAgent))).toBe('200');
    const [found] = result(await agent.query(scope)).page.records;
    expect(found?.payload.metadata).toEqual({ a: 2 });
    expect(outcome(await agent.read(scope, unknownId))).toBe(refused.noRecord);
  });
});
