/** Query strings, paths and methods (docs/contract/conventions.md#con-120). */
import { describe, expect } from 'vitest';
import { routes } from '@agentkeep/client/routes';
import { outcome, refused, result } from '../harness/answer.js';
import { scope, unknownId } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';
import { overHttp } from '../harness/http-fixture.js';

describe('query strings', () => {
  overHttp(
    'CON-120, CON-121, CON-122, CON-123, CON-126 list: accepted and refused parameters',
    async (http) => {
      const queries: readonly (readonly [string, string])[] = [
        ['200', 'contract_version=1'],
        ['200', 'contract_version=1&limit=1'],
        ['200', 'limit=100&contract_version=1'],
        ['200', 'contract%5Fversion=%31'],
        [refused.invalid, ''],
        [refused.invalid, 'limit=1'],
        [refused.invalid, 'contract_version='],
        [refused.invalid, 'contract_version'],
        [refused.invalid, 'contract_version=one'],
        [refused.invalid, 'contract_version=1.0'],
        [refused.invalid, 'contract_version=1e0'],
        [refused.invalid, 'contract_version=%2B1'],
        [refused.invalid, 'contract_version=-1'],
        [refused.invalid, 'contract_version=0x1'],
        [refused.invalid, 'contract_version=%201'],
        [refused.invalid, 'contract_version=99999999999999999999'],
        [refused.version, 'contract_version=0'],
        [refused.version, 'contract_version=2'],
        [refused.invalid, 'contract_version=1&contract_version=1'],
        [refused.invalid, 'contract_version=1&limit=5&limit=5'],
        [refused.invalid, 'contract_version=1&tenant_id=b'],
        [refused.invalid, 'contract_version=1&offset=0'],
        [refused.invalid, 'contract_version=1&Limit=5'],
        [refused.invalid, 'contract_version=1&__proto__=5'],
        [refused.invalid, 'contract_version=1&limit='],
        [refused.invalid, 'contract_version=1&limit=0'],
        [refused.invalid, 'contract_version=1&limit=101'],
        [refused.invalid, 'contract_version=1&limit=ten'],
        [refused.invalid, 'contract_version=1&limit=1.5'],
        [refused.invalid, 'contract_version=1&limit=-1'],
        [refused.invalid, 'contract_version=1&cursor='],
        [refused.invalid, 'contract_version=1&cursor=%zz'],
        [refused.invalid, 'contract_version=1&cursor=%ff'],
      ];
      for (const [expected, query] of queries) {
        const reply = await http.get(`/api/v1/credentials?${query}`);
        expect(outcome(reply), query).toBe(expected);
      }
      expect(outcome(await http.get('/api/v1/credentials'))).toBe(refused.invalid);
    },
  );

  overHttp(
    'MEM-58, CON-124, CON-125, CON-127 read: accepted and refused parameters',
    async (http) => {
      const grants = [scope, { ...scope, mission_id: 'null' }, { ...scope, project_id: 'a&b=ü +' }];
      const agent = await http.fixture.agent({ grants });
      const id = await agent.created(scope);
      const asAgent = { Authorization: `Bearer ${agent.token}` };
      const base = 'contract_version=1&project_id=p&agent_id=a&visibility=private';
      const queries: readonly (readonly [string, string])[] = [
        ['200', base],
        [refused.noRecord, `${base}&mission_id=null`],
        [refused.noRecord, base.replace('=p&', '=a%26b%3D%C3%BC%20%2B&')],
        [refused.noRecord, base.replace('=p&', '=a%26b%3D%C3%BC+%2B&')],
        [refused.invalid, `${base}&mission_id=`],
        [refused.invalid, `${base}&mission_id`],
        [refused.invalid, `${base}&mission_id=%20`],
        [refused.invalid, `${base}&tenant_id=acme`],
        [refused.invalid, `${base}&subject_id=alice`],
        [refused.invalid, `${base}&project_id=p`],
        [refused.invalid, base.replace('project_id=p&', '')],
        [refused.invalid, base.replace('agent_id=a&', '')],
        [refused.invalid, base.replace('&visibility=private', '')],
        [refused.invalid, base.replace('private', 'Private')],
        [refused.invalid, base.replace('private', 'public')],
        [refused.invalid, base.replace('=p&', '=&')],
        [refused.invalid, base.replace('=p&', '=%0A&')],
        [refused.version, base.replace('=1&', '=2&')],
        [refused.invalid, base.replace('contract_version=1&', '')],
      ];
      for (const [expected, query] of queries) {
        const reply = await http.get(`/api/v1/memory/records/${id}?${query}`, asAgent);
        expect(outcome(reply), query).toBe(expected);
      }
    },
  );

  overHttp('CON-120 an operation without parameters accepts none', async (http) => {
    const { admin } = http.fixture;
    expect(outcome(await http.get('/api/v1/identity?tenant_id=b'))).toBe(refused.invalid);
    const inspect = `/api/v1/credentials/${admin.id}?contract_version=1`;
    expect(outcome(await http.get(inspect))).toBe(refused.invalid);
    const body = JSON.stringify({ contract_version: 1, expected_revision: 1 });
    const rotate = `/api/v1/credentials/${admin.id}/rotate?x=1`;
    expect(outcome(await http.post(rotate, body))).toBe(refused.invalid);
    expect(outcome(await admin.whoAmI())).toBe('200');
  });
});

describe('paths and methods', () => {
  overHttp(
    'CON-68, CON-74, CON-130, CON-173, CON-77 an unknown path is 404, whatever the proof',
    async (http) => {
      const { id } = http.fixture.admin;
      const paths = [
        '/',
        '/api',
        '/api/v1',
        '/api/v1/identity/',
        '/api/v1/Identity',
        '/api/v1//identity',
        '/api/v2/identity',
        '/health/',
        '/openapi.json/',
        '/api/v1/credentials/',
        `/api/v1/credentials/${id}/`,
        `/api/v1/credentials/${id}/rotate/`,
        `/api/v1/credentials/${id}/delete`,
        `/api/v1/credentials/${id}/rotate/again`,
        '/api/v1/memory',
        '/api/v1/memory/records',
        '/api/v1/memory/records/',
        `/api/v1/memory/records/${id}/x`,
      ];
      for (const path of paths) {
        for (const method of ['GET', 'POST', 'DELETE', 'HEAD', 'OPTIONS']) {
          const reply = await http.send(method, path);
          expect(reply.status, `${method} ${path}`).toBe(404);
          if (method !== 'HEAD') expect(outcome(reply)).toBe('404 not_found');
        }
        expect(outcome(await http.get(path))).toBe('404 not_found');
        const invalid = { Authorization: 'Bearer x' };
        expect(outcome(await http.get(path, invalid))).toBe('404 not_found');
      }
    },
  );

  overHttp('CON-77, CON-133 a wrong method is 405 with the allowed ones', async (http) => {
    const taken = new Map<string, string[]>([['/openapi.json', ['GET', 'HEAD']]]);
    for (const { method, path } of Object.values(routes)) {
      const known = taken.get(path) ?? [];
      taken.set(path, [...known, ...(method === 'GET' ? ['GET', 'HEAD'] : [method])]);
    }
    for (const [path, methods] of taken) {
      const wrong = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'];
      for (const method of wrong.filter((each) => !methods.includes(each))) {
        const reply = await http.send(method, path.replace('{id}', unknownId));
        expect(outcome(reply), `${method} ${path}`).toBe('405 method_not_allowed');
        const allowed = reply.headers.get('allow')?.split(', ').toSorted();
        expect(allowed).toEqual(methods.toSorted());
      }
    }
  });

  overHttp('CON-132 HEAD is GET without a body', async (http) => {
    const headers = { Authorization: `Bearer ${http.fixture.admin.token}` };
    const head = async (path: string) => (await http.send('HEAD', path, { headers })).status;
    expect(await head('/health')).toBe(200);
    expect(await head('/openapi.json')).toBe(200);
    expect(await head('/api/v1/identity')).toBe(200);
    expect(await head('/api/v1/credentials?contract_version=1')).toBe(200);
    expect(await head('/api/v1/credentials')).toBe(400);
    expect((await http.send('HEAD', '/api/v1/identity')).status).toBe(401);
    expect(await head('/api/v1/memory/query')).toBe(405);
  });

  testCase('PLT-6 health needs no proof and ignores any', async (t) => {
    for (const token of [undefined, 'x', t.admin.token]) {
      const answer = await t.transport('getHealth', token, {});
      expect(result(answer)).toEqual({
        contract_version: 1,
        status: 'healthy',
        version: '0.13.0',
      });
    }
  });

  overHttp('the contract lists its security schemes', async (http) => {
    const { body } = await http.send('GET', '/openapi.json', {
      headers: { Authorization: 'Bearer x' },
    });
    const bearer = { type: 'http', scheme: 'bearer' };
    expect(body).toMatchObject({
      components: { securitySchemes: { platformCredential: bearer, loginSession: bearer } },
      security: [{ platformCredential: [] }, { loginSession: [] }],
      paths: { '/health': { get: { security: [], operationId: 'getHealth' } } },
    });
    const { paths } = body as { paths: Record<string, Record<string, { operationId: string }>> };
    for (const [name, { method, path }] of Object.entries(routes)) {
      expect(paths[path]?.[method.toLowerCase()]?.operationId).toBe(name);
    }
  });
});
