/** Tool artifacts of a scope (docs/contract/tools.md#tool-14). */
import { createHash } from 'node:crypto';
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { missionScope, scope, sharedScope, ungranted } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';
import { overHttp } from '../harness/http-fixture.js';
import { proposal, toolParty, workshop } from './tool-fixture.js';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const repair = { parent_artifact_id: 't1', repair_evidence_ref: 'log:2' };

describe('registering an artifact', () => {
  testCase('TOOL-17, TOOL-19, TOOL-20, TOOL-21 returns the proposal and its digests', async (t) => {
    const { developer } = await workshop(t);
    const source = 'ä\u0000 \r\n';
    const { artifact } = result(await developer.registerArtifact({ ...proposal, source }));
    expect(artifact).toEqual({
      schema_version: 1,
      tenant: 'acme',
      namespace: expect.stringMatching(/./),
      proposal: { ...proposal, source, parent_artifact_id: null, repair_evidence_ref: null },
      artifact_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      source_digest: sha256(source),
      dependency_digest: EMPTY,
      actor: { subject_id: 'dev', credential_id: developer.caller.id },
      recorded_at_millis: t.clock.now(),
    });
    expect(result(await developer.readArtifact('t1')).artifact).toEqual(artifact);
    const repaired = { ...proposal, ...repair, id: 't2', dependency_lock: 'x@1' };
    const second = result(await developer.registerArtifact(repaired)).artifact;
    expect(second.dependency_digest).toBe(sha256('x@1'));
    expect(second.proposal).toMatchObject(repair);
  });

  testCase(
    'TOOL-C38 the same proposal returns the original, one changed byte conflicts',
    async (t) => {
      const { developer } = await workshop(t);
      const { artifact } = result(await developer.registerArtifact());
      const other = await toolParty(t, 'other', ['tool_develop']);
      t.clock.advance(5);
      const respelled = {
        parent_artifact_id: null,
        ...Object.fromEntries(Object.entries(proposal).reverse()),
      };
      expect(result(await other.registerArtifact(respelled)).artifact).toEqual(artifact);
      const changed = { ...proposal, source: `${proposal.source} ` };
      for (const party of [developer, other]) {
        expect(outcome(await party.registerArtifact(changed))).toBe(refused.otherCommand);
      }
    },
  );

  testCase('TOOL-18, LRN-26 every member is part of identity and digest', async (t) => {
    const { developer } = await workshop(t);
    const { artifact } = result(await developer.registerArtifact());
    const others = {
      source: 'other',
      dependency_lock: ' ',
      runtime_image_digest: `sha256:${'b'.repeat(64)}`,
      entrypoint: 'other',
      input_schema: { type: 'object', title: '' },
      output_schema: false,
      source_refs: ['development:r1', 'trace:1'],
      repair,
    };
    const digests = new Set([artifact.artifact_digest]);
    for (const [name, value] of Object.entries(others)) {
      const members =
        name === 'repair' ? { ...repair, parent_artifact_id: 't0' } : { [name]: value };
      const changed = { ...proposal, ...members };
      expect(outcome(await developer.registerArtifact(changed)), name).toBe(refused.otherCommand);
      const fresh = { ...proposal, ...(name === 'repair' ? repair : members), id: `t-${name}` };
      digests.add(result(await developer.registerArtifact(fresh)).artifact.artifact_digest);
    }
    const elsewhere = result(await developer.registerArtifact(proposal, scope)).artifact;
    digests.add(elsewhere.artifact_digest);
    expect(digests.size).toBe(10);
  });

  testCase('TOOL-C36, TOOL-C37 has limits', async (t) => {
    const { developer } = await workshop(t);
    result(await developer.registerArtifact());
    const long = (bytes: number) => `é${'a'.repeat(bytes - 2)}`;
    const schema = (bytes: number) => ({ t: 'a'.repeat(bytes - 8) });
    const bad: [string, Record<string, unknown>][] = [
      ['parent alone', { parent_artifact_id: 't1' }],
      ['evidence alone', { repair_evidence_ref: 'log' }],
      ['own parent', { ...repair, parent_artifact_id: 'new' }],
      ['source', { source: long(24_577) }],
      ['blank source', { source: '\n' }],
      ['lock', { dependency_lock: long(8_193) }],
      ['lock missing', { dependency_lock: null }],
      ['image', { runtime_image_digest: 'a'.repeat(64) }],
      ['entrypoint', { entrypoint: long(513) }],
      ['id', { id: long(513) }],
      ['no refs', { source_refs: [] }],
      ['33 refs', { source_refs: Array.from({ length: 33 }, () => 'r') }],
      ['blank ref', { source_refs: [' '] }],
      ['long ref', { source_refs: [long(2_049)] }],
      ['evidence', { ...repair, repair_evidence_ref: long(2_049) }],
      ...[[], 'text', 1, null].map((value): [string, Record<string, unknown>] => [
        `schema ${JSON.stringify(value)}`,
        { input_schema: value },
      ]),
      ['input schema', { input_schema: schema(8_193) }],
      ['output schema', { output_schema: schema(8_193) }],
    ];
    for (const [name, members] of bad) {
      const answer = await developer.registerArtifact({ ...proposal, id: 'new', ...members });
      expect(outcome(answer), name).toBe(refused.invalid);
    }
    const widest = {
      ...proposal,
      id: long(512),
      source: long(24_576),
      dependency_lock: long(8_192),
      entrypoint: long(512),
      input_schema: schema(8_192),
      output_schema: schema(8_192),
      source_refs: [long(2_048), ...Array.from({ length: 31 }, () => 'r')],
    };
    const made = result(await developer.registerArtifact(widest)).artifact;
    expect(made.proposal).toMatchObject(widest);
    expect(result(await developer.readArtifact(widest.id)).artifact).toEqual(made);
  });

  overHttp(
    'TOOL-16, CON-105 schemas are compact JSON, and their last duplicate wins',
    async (http) => {
      const { developer } = await workshop(http.fixture);
      const headers = { Authorization: `Bearer ${developer.caller.token}` };
      const schema = `{ "__proto__": 1,${' '.repeat(9_000)} "a": "${'x'.repeat(8_000)}", "a": [1.0] }`;
      const body = { contract_version: 1, scope: sharedScope, artifact: proposal };
      const text = JSON.stringify(body).replace('{"type":"object"}', () => schema);
      const reply = await http.post('/api/v1/tools/artifacts', text, headers);
      expect(outcome(reply)).toBe('200');
      const same = JSON.parse('{"a":[1],"__proto__":1}') as unknown;
      const again = await developer.registerArtifact({ ...proposal, input_schema: same });
      expect(again.body).toEqual(reply.body);
      const twice = text.replace('"artifact":{', '"artifact":{"id":"t1",');
      expect(outcome(await http.post('/api/v1/tools/artifacts', twice, headers))).toBe(
        refused.invalid,
      );
    },
  );

  testCase('TOOL-74 a parent must exist in the namespace, checked last', async (t) => {
    const { developer } = await workshop(t);
    result(await developer.registerArtifact());
    const child = { ...proposal, ...repair, id: 't2' };
    expect(outcome(await developer.registerArtifact(child, scope))).toBe(refused.noRecord);
    const orphan = { ...child, parent_artifact_id: 'nowhere' };
    expect(outcome(await developer.registerArtifact(orphan))).toBe(refused.noRecord);
    expect(outcome(await developer.readArtifact('t2'))).toBe(refused.noRecord);
    const used = { ...proposal, ...repair, parent_artifact_id: 'nowhere' };
    expect(outcome(await developer.registerArtifact(used))).toBe(refused.otherCommand);
  });
});

describe('artifacts and scopes', () => {
  testCase('LRN-C6, LRN-C7, LRN-21 a scope is exact, and a private one has an owner', async (t) => {
    const { developer } = await workshop(t);
    const other = await toolParty(t, 'other', ['tool_develop', 'tool_read']);
    result(await developer.registerArtifact(proposal, scope));
    expect(outcome(await other.readArtifact('t1', scope))).toBe(refused.noRecord);
    expect(outcome(await developer.readArtifact('t1', missionScope))).toBe(refused.noRecord);
    expect(outcome(await developer.readArtifact('t1', sharedScope))).toBe(refused.noRecord);
    expect(outcome(await developer.readArtifact('t1', ungranted))).toBe(refused.forbidden);
    const own = { ...proposal, entrypoint: 'other' };
    const made = result(await other.registerArtifact(own, scope)).artifact;
    const namespaces = new Set([made.namespace]);
    for (const place of [scope, missionScope, sharedScope]) {
      const { artifact } = result(await developer.registerArtifact(proposal, place));
      namespaces.add(artifact.namespace);
    }
    expect(namespaces.size).toBe(4);
  });

  testCase('LRN-C8 another tenant has its own artifacts under the same id and scope', async (t) => {
    const { developer } = await workshop(t);
    const made = result(await developer.registerArtifact()).artifact;
    const foreign = await t.foreignAdmin();
    const other = await foreign.appoint({
      subject_id: 'dev',
      capabilities: ['tool_develop', 'tool_read'],
      grants: [sharedScope],
    });
    const document = { contract_version: 1, scope: sharedScope };
    const read = await other.call('readToolArtifact', {
      document: { ...document, artifact_id: 't1' },
    });
    expect(outcome(read)).toBe(refused.noRecord);
    const own = result(
      await other.call('registerToolArtifact', { document: { ...document, artifact: proposal } }),
    );
    expect(own.artifact.artifact_digest).not.toBe(made.artifact_digest);
  });

  testCase('LRN-C9 a replay needs current authority', async (t) => {
    const { developer } = await workshop(t);
    const made = await developer.registerArtifact();
    const { secret } = result(await t.admin.rotate(developer.caller.id, 1));
    expect(outcome(await developer.registerArtifact())).toBe(refused.unauthorized);
    const rotated = developer.caller.with(secret);
    const document = { contract_version: 1, scope: sharedScope, artifact: proposal };
    expect(await rotated.call('registerToolArtifact', { document })).toEqual(made);
    result(await t.admin.revoke(developer.caller.id, 2));
    const last = await rotated.call('registerToolArtifact', { document });
    expect(outcome(last)).toBe(refused.unauthorized);
  });

  testCase('parallel identical registrations return one original', async (t) => {
    const { developer } = await workshop(t);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => developer.registerArtifact()),
    );
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(outcome(answers[0]!)).toBe('200');
  });
});
