/** Programs that are bundled with esbuild run, as the guide of embedding says. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Format } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';

const core = fileURLToPath(new URL('..', import.meta.url));

const program = `
import { openKeep } from '@agentkeep/core';
import { agentFor } from '@agentkeep/core/operator';
const scope = { project_id: 'p', agent_id: 'a', visibility: 'private' };
async function main() {
  const keep = await openKeep({ dataDir: process.argv[2] });
  const agent = await agentFor(keep, { tenantId: 't', subjectId: 's', scopes: [scope] });
  await agent.memory.in(scope).create({ content: { primary: 'from a bundle' } });
  const found = await agent.memory.recall('bundle');
  console.log(found[0].record.payload.content.primary);
  await keep.close();
}
void main();
`;

test.each<[name: string, format: Format, external: readonly string[]]>([
  ['an ES module', 'esm', ['lmdb', '@node-rs/argon2']],
  ['CommonJS', 'cjs', ['lmdb', '@node-rs/argon2']],
  ['a server build that leaves packages outside', 'cjs', ['@agentkeep/*', 'lmdb']],
])('a program runs that was bundled to %s', async (_, format, external) => {
  const folder = mkdtempSync(join(tmpdir(), 'agentkeep-bundle-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  // What is installed beside the program.
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  const ofCore = ['lmdb', '@node-rs'].map((name) => join(core, 'node_modules', name));
  for (const each of [...ofCore, join(core, '../server/node_modules/@agentkeep')]) {
    symlinkSync(each, join(modules, basename(each)));
  }
  const entry = join(folder, 'main.ts');
  writeFileSync(entry, program);
  const outfile = join(folder, format === 'esm' ? 'out.mjs' : 'out.cjs');
  const settings = { bundle: true, platform: 'node', logLevel: 'silent' } as const;
  await build({ ...settings, entryPoints: [entry], format, external: [...external], outfile });
  const words = [outfile, join(folder, 'data')];
  const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', env: {} });
  expect({ stdout, stderr }).toEqual({ stdout: 'from a bundle\n', stderr: '' });
});
