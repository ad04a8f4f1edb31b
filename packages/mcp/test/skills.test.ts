/** Qualified procedures as skills of the protocol's extension (docs/contract/skills.md). */
import { createHash } from 'node:crypto';
import type { Agent, ScopeInput } from '@agentkeep/client';
import { fromJsonSchema } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { mcpHandler } from '../src/index.js';
import { clientV2 } from './clients.js';
import { type KeepFixture, keepFixture, otherScope, scope, ways } from './keep-fixture.js';
import { loopback } from './loopback.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

interface Entry {
  readonly uri: string;
  readonly frontmatter: {
    readonly name: string;
    readonly description: string;
    readonly metadata: Readonly<Record<string, string>>;
  };
  readonly resources: readonly { uri: string; digest: string; size: number }[];
}

interface Listing {
  readonly skills: readonly Entry[];
  readonly nextCursor?: string;
  readonly ttlMs: number;
  readonly cacheScope: string;
}

const anyObject = <T>() => fromJsonSchema<T>({ type: 'object' });

/** A client of the extension, over the SDK's own client. */
async function skillClient(url: string, secret: string) {
  const client = clientV2('v2 pinned');
  const requestInit = { headers: { Authorization: `Bearer ${secret}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  const list = (cursor?: string) =>
    client.request(
      { method: 'skills/list', params: cursor === undefined ? {} : { cursor } },
      anyObject<Listing>(),
    );
  return {
    capabilities: () => client.getServerCapabilities(),
    list,
    all: async () => {
      const found: Entry[] = [];
      let cursor: string | undefined;
      do {
        const page = await list(cursor);
        found.push(...page.skills);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return found;
    },
    get: async (uri: string) =>
      (
        await client.request(
          { method: 'skills/get', params: { uri } },
          anyObject<{ skill: Entry }>(),
        )
      ).skill,
    read: async (uri: string) => {
      const [content] = (await client.readResource({ uri })).contents;
      if (content === undefined || !('text' in content)) throw new Error('No text.');
      return { text: content.text, type: content.mimeType };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

const policy = {
  algorithm: 'fixed_budget_hoeffding_v1',
  parameters: {
    ...{ qualification_trials: 8, confidence_delta: 0.4, min_improvement: 0.1 },
    ...{ min_candidate_utility: 0.5, max_cost_units: 100, max_latency_ms: 5_000 },
    ...{ max_failure_streak: 1, evaluator_id: 'judge', evaluation_contract: 'replies' },
  },
} as const;

const context = {
  ...{ task: 'Answer a ticket: "first" # things first', baseline_revision: 'handbook-7' },
  ...{ model_provider: 'example', model_revision: 'm', environment_revision: 'e' },
  ...{ evaluation_contract: 'replies', dataset_revision: 'd', harness_revision: 'h' },
  ...{ permissions_revision: 'p', tools: {} },
};

/** Registers, proposes and evaluates. */
async function learningIn(fixture: KeepFixture) {
  const as = async (subject: string): Promise<Agent> =>
    fixture.authenticate(await fixture.issue(subject, [scope, otherScope]));
  const [author, judge] = [await as('author'), await as('judge')];
  await author.learning.registerPolicy('careful', policy);
  await author.learning.registerContext('spring', context);
  const evaluate =
    (where: ScopeInput, id: string, phase: 'Qualification' | 'Monitoring') =>
    async (at: number, candidate: number) =>
      judge.learning.evaluate(where, id, {
        ...{ case_id: `${phase}:${String(at)}`, phase, policy_id: 'careful' },
        ...{ context_id: 'spring', baseline_revision: 'handbook-7' },
        ...{ evidence_ref: `transcript:${phase}:${String(at)}`, status: 'complete' },
        ...{ baseline_utility: 0, candidate_utility: candidate },
        ...{ candidate_cost_units: 1, candidate_latency_ms: 1 },
      });
  return {
    propose: (id: string, where = scope, instructions = `Follow ${id}.`) =>
      author.learning.propose(where, {
        ...{ id, policy_id: 'careful', context_id: 'spring', instructions },
        source_refs: ['ticket:1'],
      }),
    qualify: async (id: string, where = scope) => {
      for (let at = 0; at < 8; at += 1) await evaluate(where, id, 'Qualification')(at, 1);
    },
    suspend: async (id: string, where = scope) => {
      await evaluate(where, id, 'Monitoring')(0, 0);
    },
    monitor: async (id: string, where = scope) => {
      await evaluate(where, id, 'Monitoring')(1, 1);
    },
  };
}

async function open(fixture: KeepFixture) {
  const { fetch } = mcpHandler({ authenticate: fixture.authenticate });
  return loopback(fetch);
}

function frontmatterOf(text: string): unknown {
  return parse(/^---\n([\s\S]*?)\n---\n/.exec(text)?.[1] ?? '');
}

test.each(ways)(
  'SKL-C1, SKL-1, SKL-2, SKL-3, SKL-4, SKL-5, SKL-6, SKL-9 what qualified is a skill (%s)',
  async (way) => {
    await using fixture = await keepFixture(way);
    const learning = await learningIn(fixture);
    await learning.propose('ask-first', scope, 'Ask first:\n\n---\n\nthen "answer".');
    await learning.propose('only-proposed');
    await learning.propose('Äsk — twice!');
    await learning.qualify('ask-first');
    await learning.qualify('Äsk — twice!');
    await using server = await open(fixture);
    const secret = await fixture.issue('reader', [scope], ['memory_read']);
    await using client = await skillClient(`${server.url}/mcp`, secret);
    expect(client.capabilities()?.extensions).toMatchObject({
      'io.modelcontextprotocol/skills': {},
    });
    expect(client.capabilities()?.resources).toBeDefined();
    const { ttlMs, cacheScope } = await client.list();
    expect([ttlMs, cacheScope]).toEqual([0, 'private']);
    const skills = await client.all();
    expect(skills.map(({ uri }) => uri).toSorted()).toEqual(
      [
        'skill://scope/p/a/shared/ask-first/SKILL.md',
        expect.stringMatching(
          /^skill:\/\/scope\/p\/a\/shared\/a-sk-twice-[0-9a-f]{8}\/SKILL\.md$/u,
        ),
      ].toSorted((one, other) =>
        typeof one === 'string' ? 1 : typeof other === 'string' ? -1 : 0,
      ),
    );
    for (const entry of skills) {
      const { text, type } = await client.read(entry.uri);
      const bytes = Buffer.from(text);
      const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
      expect(entry.resources).toEqual([{ uri: entry.uri, digest, size: bytes.length }]);
      expect(type).toBe('text/markdown');
      expect(frontmatterOf(text)).toEqual(entry.frontmatter);
      expect(entry.uri.split('/').at(-2)).toBe(entry.frontmatter.name);
      expect(entry.frontmatter.name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/u);
      expect(await client.get(entry.uri)).toEqual(entry);
    }
    const asked = skills.find(({ frontmatter }) => frontmatter.name === 'ask-first')!;
    expect(asked.frontmatter).toMatchObject({
      description: context.task,
      metadata: {
        ...{ 'agentkeep-procedure': 'ask-first', 'agentkeep-policy': 'careful' },
        ...{ 'agentkeep-trials': '8', 'agentkeep-evaluator': 'judge' },
        'agentkeep-improvement-at-least': expect.stringMatching(/^0\.\d+$/u) as string,
        'agentkeep-qualified-at': expect.stringMatching(/^\d{4}-.*Z$/u) as string,
      },
    });
    expect((await client.read(asked.uri)).text).toContain('Ask first:\n\n---\n\nthen "answer".');
  },
);

test.each(ways)('SKL-C2, SKL-8 a suspended one is gone, and says why (%s)', async (way) => {
  await using fixture = await keepFixture(way);
  const learning = await learningIn(fixture);
  await learning.propose('ask-first');
  await learning.propose('waits');
  await learning.qualify('ask-first');
  await using server = await open(fixture);
  await using client = await skillClient(
    `${server.url}/mcp`,
    await fixture.issue('reader', [scope], ['memory_read']),
  );
  const [before] = await client.all();
  await learning.monitor('ask-first');
  expect(await client.all()).toEqual([before]);
  await learning.suspend('ask-first');
  expect(await client.all()).toEqual([]);
  const gone = expect.objectContaining({ code: -32602 }) as Error;
  await expect(client.get(before!.uri)).rejects.toEqual(gone);
  await expect(client.get(before!.uri)).rejects.toThrow('Suspended: Monitoring failed');
  await expect(client.read(before!.uri)).rejects.toThrow('Suspended');
  await expect(client.get(before!.uri.replace('ask-first', 'waits'))).rejects.toThrow(
    'Candidate: It has not qualified yet.',
  );
  for (const uri of ['skill://nowhere/SKILL.md', 'skill://scope/p/a/shared/x/SKILL.md', 'x:y']) {
    await expect(client.get(uri)).rejects.toEqual(gone);
  }
  await expect(client.list('wrong')).rejects.toEqual(gone);
});

test.each(ways)(
  'SKL-C3, SKL-7 each caller has those of its scopes, page by page (%s)',
  async (way) => {
    await using fixture = await keepFixture(way);
    const learning = await learningIn(fixture);
    const ids = Array.from({ length: 30 }, (_, at) => `skill-${String(at).padStart(2, '0')}`);
    for (const id of ids) {
      await learning.propose(id);
      if (id !== 'skill-07') await learning.qualify(id);
    }
    await learning.propose('elsewhere', otherScope);
    await learning.qualify('elsewhere', otherScope);
    await using server = await open(fixture);
    const namesFor = async (scopes: readonly ScopeInput[], query = '', held = ['memory_read']) => {
      const secret = await fixture.issue('reader', scopes, held as ['memory_read']);
      await using client = await skillClient(`${server.url}/mcp${query}`, secret);
      return (await client.all()).map(({ frontmatter }) => frontmatter.name).toSorted();
    };
    const qualified = ids.filter((id) => id !== 'skill-07');
    expect(await namesFor([scope])).toEqual(qualified);
    expect(await namesFor([scope, otherScope])).toEqual(['elsewhere', ...qualified]);
    expect(await namesFor([otherScope])).toEqual(['elsewhere']);
    const connected = '?project_id=q&agent_id=a&visibility=shared';
    expect(await namesFor([scope, otherScope], connected)).toEqual(['elsewhere']);
    expect(await namesFor([scope], '', ['memory_write'])).toEqual([]);
    const secret = await fixture.issue('reader', [otherScope], ['memory_read']);
    await using client = await skillClient(`${server.url}/mcp`, secret);
    const foreign = 'skill://scope/p/a/shared/skill-01/SKILL.md';
    await expect(client.get(foreign)).rejects.toThrow('forbidden');
    await expect(client.read(foreign)).rejects.toThrow('forbidden');
  },
);
