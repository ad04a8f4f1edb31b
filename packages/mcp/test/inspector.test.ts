/**
 * The command line of the Inspector lists and calls tools. Its package 1.0.3 is the newest that
 * runs on Node.js 20: the Inspector 2 needs 22.19.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mcpHandler } from '../src/index.js';
import { keepFixture, ways } from './keep-fixture.js';
import { loopback } from './loopback.js';

const require = createRequire(import.meta.url);

const program = require.resolve('@modelcontextprotocol/inspector-cli/build/index.js');

/** Runs the Inspector, and returns what it prints. */
async function inspect(words: readonly string[]): Promise<unknown> {
  const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit'];
  // It looks for its manifest from the working directory.
  const child = spawn(process.execPath, [program, ...words], { stdio, cwd: dirname(program) });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  await once(child, 'close');
  expect(child.exitCode).toBe(0);
  return JSON.parse(printed);
}

describe.each(ways)('%s', (way) => {
  test('lists and calls the tools over HTTP', async () => {
    await using fixture = await keepFixture(way);
    const { fetch } = mcpHandler({ authenticate: fixture.authenticate });
    await using server = await loopback(fetch);
    const proof = `Authorization: Bearer ${await fixture.issue('helper')}`;
    const at = [`${server.url}/mcp`, '--transport', 'http', '--header', proof];
    const [listed, who] = await Promise.all([
      inspect([...at, '--method', 'tools/list']),
      inspect([...at, '--method', 'tools/call', '--tool-name', 'whoami']),
    ]);
    const { tools } = listed as { readonly tools: readonly { readonly name: string }[] };
    expect(tools.map(({ name }) => name)).toContain('memory_search');
    const credential = { spec: { subject_id: 'helper' } };
    expect(who).toMatchObject({ structuredContent: { credential } });
  });
});
