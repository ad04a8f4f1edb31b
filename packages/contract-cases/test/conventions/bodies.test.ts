/** Sizes, media types and JSON text of bodies over HTTP (docs/contract/conventions.md#con-96). */
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { type Caller, freshKey } from '../harness/caller.js';
import { minimalSpec, openPolicy, record, scope, spec } from '../harness/documents.js';
import { type HttpFixture, overHttp } from '../harness/http-fixture.js';

const ISSUE = '/api/v1/credentials';
const issueText = JSON.stringify({ contract_version: 1, spec: minimalSpec });

/** Returns a valid body of exactly this size. */
function issueOf(bytes: number): string {
  return issueText + ' '.repeat(bytes - issueText.length);
}

describe('size and media type', () => {
  overHttp('CON-79, CON-96 65,536 bytes are accepted, one more is 413', async (http) => {
    expect(outcome(await http.post(ISSUE, issueOf(65_536)))).toBe('201');
    expect(outcome(await http.post(ISSUE, issueOf(65_537)))).toBe(refused.tooLarge);
    expect(outcome(await http.post(ISSUE, ' '.repeat(1_000_000)))).toBe(refused.tooLarge);
  });

  overHttp(
    'CON-97, CON-99, CON-113 proof, then capability, then media type, then size',
    async (http) => {
      const large = issueOf(70_000);
      const agent = await http.fixture.agent();
      const asAgent = { Authorization: `Bearer ${agent.token}` };
      const asNobody = { Authorization: 'Bearer x' };
      const asText = { 'Content-Type': 'text/plain' };
      expect(outcome(await http.post(ISSUE, large, asNobody))).toBe(refused.unauthorized);
      expect(outcome(await http.post(ISSUE, large, asAgent))).toBe(refused.forbidden);
      expect(outcome(await http.post(ISSUE, large, asText))).toBe(refused.invalid);
      const command = '/api/v1/memory/commands';
      expect(outcome(await http.post(command, large))).toBe(refused.tooLarge);
      expect(outcome(await http.post(command, large, asText))).toBe(refused.invalid);
      // An empty body of it needs no media type, any other does.
      const refresh = '/api/v1/auth/refresh';
      expect(outcome(await http.post(refresh, large, asText))).toBe(refused.invalid);
      expect(outcome(await http.post(refresh, large))).toBe(refused.tooLarge);
      expect(outcome(await http.post(refresh, '', asText))).toBe(refused.unauthorized);
    },
  );

  overHttp('CON-98, CON-100 media types', async (http) => {
    const types: readonly (readonly [string, string])[] = [
      ['201', 'application/json'],
      ['201', 'Application/JSON'],
      ['201', 'application/json;charset=UTF-8'],
      ['201', 'application/json ; charset="utf-8"; a=b'],
      ['201', 'application/merge-patch+json'],
      ['201', 'application/vnd.example.v1+JSON; charset=utf-8'],
      [refused.invalid, ''],
      [refused.invalid, 'json'],
      [refused.invalid, 'text/json'],
      [refused.invalid, 'text/plain'],
      [refused.invalid, 'application/jsonx'],
      [refused.invalid, 'application/x-www-form-urlencoded'],
      [refused.invalid, 'application/xml+jsonx'],
      [refused.invalid, 'application/+json'],
      [refused.invalid, 'image/svg+json'],
      [refused.invalid, 'application/json, application/json'],
    ];
    for (const [expected, type] of types) {
      const reply = await http.post(ISSUE, issueText, { 'Content-Type': type });
      expect(outcome(reply), type).toBe(expected);
    }
    const headers = { Authorization: `Bearer ${http.fixture.admin.token}` };
    const untyped = Buffer.from(issueText);
    const reply = await http.send('POST', ISSUE, { headers, body: untyped });
    expect(outcome(reply)).toBe(refused.invalid);
  });
});

/** Posts a create with this metadata text, as an authorized agent. */
async function createWith(http: HttpFixture, agent: Caller, metadata: string) {
  const command = {
    contract_version: 1,
    idempotency_key: freshKey(),
    scope,
    operation: { type: 'create', record: record({ metadata: {} }) },
  };
  const body = JSON.stringify(command).replace('"metadata":{}', `"metadata":${metadata}`);
  const headers = { Authorization: `Bearer ${agent.token}` };
  return http.post('/api/v1/memory/commands', body, headers);
}

describe('JSON text', () => {
  overHttp('anything but one strict JSON text is 400', async (http) => {
    const bodies: readonly (string | Uint8Array)[] = [
      '',
      ' ',
      '{',
      `${issueText}x`,
      `${issueText}${issueText}`,
      issueText.replace('{', '{,'),
      issueText.replace('}', ',}'),
      issueText.replaceAll('"', "'"),
      `// comment\n${issueText}`,
      `\ufeff${issueText}`,
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(issueText)]),
      Buffer.from(issueText.replace('"s"', '"\u00ff"'), 'latin1'),
      Buffer.from(issueText.replace('"s"', '"\u00c0\u00af"'), 'latin1'),
      Buffer.from(issueText.replace('"s"', '"\u00ed\u00a0\u0080"'), 'latin1'),
      Buffer.from(issueText, 'utf16le'),
      issueText.replace('"s"', '"\\ud800"'),
      issueText.replace('"s"', '"\\udc00\\ud800"'),
      issueText.replace('"s"', '"\t"'),
      'null',
      '[]',
      '"text"',
      '1',
    ];
    for (const body of bodies) {
      expect(outcome(await http.post(ISSUE, body)), String(body)).toBe(refused.invalid);
    }
    expect(result(await http.fixture.admin.list()).page.items).toHaveLength(1);
  });

  overHttp('a lone surrogate is refused in values and names, everywhere', async (http) => {
    const agent = await http.fixture.agent();
    for (const metadata of ['{"a":"\\ud800"}', '{"\\udfff":1}', '{"a":["\\ud83d x"]}']) {
      expect(outcome(await createWith(http, agent, metadata))).toBe(refused.invalid);
    }
    expect(outcome(await createWith(http, agent, '{"a":"\\ud83d\\ude00"}'))).toBe('200');
  });

  overHttp('CON-151 numbers are kept as doubles or refused', async (http) => {
    const agent = await http.fixture.agent();
    for (const number of ['01', '+1', '.5', '1.', 'NaN', 'Infinity']) {
      const reply = await createWith(http, agent, `{"a":${number}}`);
      expect(outcome(reply), number).toBe(refused.invalid);
    }
    const changed = ['1e309', '-1e400', '9007199254740993', '-1234567890123456789'];
    changed.push('9007199254740993.0', '90071992547409930e-1', '1152921504606846976');
    for (const number of changed) {
      const reply = await createWith(http, agent, `{"a":[0,{"b":${number},"c":"x"}]}`);
      expect(outcome(reply), number).toBe(refused.invalid);
      expect(JSON.stringify(reply.body)).toContain('"operation.record.metadata.a[1].b"');
    }
    const text =
      '{"a":[1.0,1e2,-0.0,1e-400,9007199254740992,1152921504606847000,1.7976931348623157e308]}';
    const numbers = [1, 100, 0, 0, 2 ** 53, 2 ** 60, Number.MAX_VALUE];
    expect(outcome(await createWith(http, agent, text))).toBe('200');
    const [found] = result(await agent.query(scope)).page.records;
    expect(JSON.stringify(found?.payload.metadata)).toBe(JSON.stringify({ a: numbers }));
  });

  overHttp('a repeated member of any contract object is refused', async (http) => {
    const grant = { ...scope, mission_id: null };
    const texts = [
      issueText.replace('{', '{"spec":1,'),
      issueText.replace('"subject_id"', '"subject_id":"s","subject_id"'),
      issueText
        .replace('"grants":[]', `"grants":[${JSON.stringify(grant)}]`)
        .replace('"agent_id"', '"agent_id":"a","\\u0061gent_id"'),
      JSON.stringify({
        contract_version: 1,
        spec: spec({ scope_policy: openPolicy }),
      }).replace('"mode":"all"', '"mode":"all","mode":"all"'),
    ];
    for (const text of texts) {
      expect(outcome(await http.post(ISSUE, text)), text).toBe(refused.invalid);
    }
    const agent = await http.fixture.agent();
    const asAgent = { Authorization: `Bearer ${agent.token}` };
    const query = JSON.stringify({ contract_version: 1, scope, filter: { limit: 1 } });
    const twice = query.replace('"limit":1', '"limit":1,"limit":1');
    const path = '/api/v1/memory/query';
    expect(outcome(await http.post(path, query, asAgent))).toBe('200');
    expect(outcome(await http.post(path, twice, asAgent))).toBe(refused.invalid);
  });

  overHttp('the last of repeated free-form members wins, at any depth', async (http) => {
    const agent = await http.fixture.agent();
    const text = '{"a":1,"b":{"c":1,"c":{"__proto__":1,"__proto__":2}},"\\u0061":[3]}';
    expect(outcome(await createWith(http, agent, text))).toBe('200');
    const [found] = result(await agent.query(scope)).page.records;
    const expected = '{"a":[3],"b":{"c":{"__proto__":2}}}';
    expect(JSON.stringify(found?.payload.metadata)).toBe(expected);
  });
});
