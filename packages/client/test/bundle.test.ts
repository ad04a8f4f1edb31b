/** What a program that bundles the client gets: little, and nothing that needs Node.js. */
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { AgentkeepError } from '@agentkeep/core';
import { build, type BuildOptions, type Format } from 'esbuild';
import { describe, expect, test } from 'vitest';
import type * as Client from '../src/index.js';

const folder = fileURLToPath(new URL('..', import.meta.url));

/** Kilobytes of the client, minified and compressed. */
const KB_MAX = 39;

/** What checks an export while it arrives. */
const DIGESTS = '/node_modules/@noble/hashes/';

async function bundled(entry: string, format: Format = 'esm') {
  const options: BuildOptions = {
    absWorkingDir: folder,
    stdin: { contents: entry, resolveDir: folder },
    bundle: true,
    minify: true,
    // Nothing of Node.js can be resolved.
    platform: 'neutral',
    target: 'es2022',
    conditions: ['agentkeep-source'],
    format,
    globalName: 'client',
  };
  const result = await build({ ...options, write: false, metafile: true, logLevel: 'silent' });
  const [file] = result.outputFiles;
  return {
    text: file?.text ?? '',
    kilobytes: gzipSync(file?.contents ?? '').length / 1_000,
    sources: Object.keys(result.metafile.inputs),
  };
}

const wholeClient = `export * from './src/index.ts';`;

const entries = {
  'the whole client': wholeClient,
  'what a client shares with core': `export * from '@agentkeep/core/clients';`,
};

describe.each(Object.entries(entries))('%s', (_name, entry) => {
  test('has no package beside ours but digests, nothing of Node.js, and less than 39 kB', async () => {
    const { text, kilobytes, sources } = await bundled(entry);
    const packaged = sources.filter((path) => path.includes('node_modules'));
    expect(packaged.filter((path) => !path.includes(DIGESTS))).toEqual([]);
    expect(text.match(/\bnode:\w+|\bBuffer\b|\bprocess\.|\brequire\(/gu)).toBeNull();
    expect(kilobytes).toBeGreaterThan(1);
    expect(kilobytes).toBeLessThan(KB_MAX);
  });
});

/** Runs the bundle where there is nothing but what every browser and edge runtime has. */
async function inBareContext(): Promise<typeof Client> {
  const { text } = await bundled(wholeClient, 'iife');
  const context = createContext({
    ...{ AbortController, crypto, performance, TextDecoder, TextEncoder, URL, URLSearchParams },
    ...{ clearTimeout, setTimeout },
  });
  return runInContext(`${text}; client`, context) as typeof Client;
}

test('it runs without any global of Node.js', async () => {
  const client = await inBareContext();
  const receipt = { record_id: 'r', revision: 1 };
  let sent: unknown;
  const agent = client.connect({
    url: 'https://example.test',
    secret: 's',
    fetch: (_url, { body }) => {
      sent = JSON.parse(typeof body === 'string' ? body : '');
      return Response.json({ contract_version: 1, receipt });
    },
  });
  const scope = { project_id: 'p', agent_id: 'a', visibility: 'private' } as const;
  const record = {
    episode_type: 'Observation' as const,
    content: { primary: 'x' },
    event_time_millis: 0,
  };
  expect(await agent.memory.in(scope).put('name', record)).toEqual(receipt);
  expect(sent).toMatchObject({ operation: { type: 'put', name: 'name' } });
  const batches = [];
  for await (const each of agent.memory.in(scope).createMany([record, record])) batches.push(each);
  expect(batches).toHaveLength(1);
});

test('errors of a copy of the class are instances of it, and those of subclasses are told apart', async () => {
  const { connect, AgentkeepError: Copy } = await inBareContext();
  const fetch = () => Promise.reject(new TypeError('fetch failed'));
  const agent = connect({ url: 'https://example.test', secret: 's', fetch, retry: false });
  const error: unknown = await agent.whoAmI().catch((reason: unknown) => reason);
  expect(Copy).not.toBe(AgentkeepError);
  expect(error).toBeInstanceOf(Copy);
  expect(error).toBeInstanceOf(AgentkeepError);
  expect(new AgentkeepError('forbidden')).toBeInstanceOf(Copy);
  class Other extends AgentkeepError {}
  expect(error).not.toBeInstanceOf(Other);
  expect(new Other('forbidden')).toBeInstanceOf(Other);
  for (const each of [null, undefined, 'x', {}, new Error('x')]) {
    expect(each).not.toBeInstanceOf(AgentkeepError);
  }
});
