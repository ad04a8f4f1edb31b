/**
 * Clients that others generate from `openapi.json`, without options: they compile in strict mode,
 * and they work with a real server.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import openapiTS, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scope } from '@agentkeep/contract-cases/documents';
import { rawServer } from '../attacks/raw-server.js';
import { heyApiProgram, openapiFetchProgram } from './client-programs.js';

interface Program {
  readonly run: (baseUrl: string, secret: string) => Promise<readonly string[]>;
}

const server = fileURLToPath(new URL('../../', import.meta.url));
const contract = join(server, 'openapi.json');
const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');

/** Inside the package, so that imports resolve. */
const cache = join(server, '.cache/generated-clients');
let folder = '';

const settings = {
  compilerOptions: {
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'preserve',
    moduleResolution: 'bundler',
    strict: true,
    noEmit: true,
    types: [],
  },
  include: ['*.ts', 'hey-api'],
};

beforeAll(async () => {
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, 'run-'));
  const types = await openapiTS(pathToFileURL(contract));
  writeFileSync(join(folder, 'schema.ts'), astToString(types));
  await createClient({
    input: contract,
    output: join(folder, 'hey-api'),
    logs: { level: 'silent' },
  });
  writeFileSync(join(folder, 'openapi-fetch.ts'), openapiFetchProgram);
  writeFileSync(join(folder, 'hey.ts'), heyApiProgram);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
});

afterAll(() => rmSync(folder, { recursive: true }));

test('generated clients, and programs that leave out members with defaults, compile', () => {
  const words = [compiler, '--project', folder];
  const { status, stdout } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
});

test.each(['openapi-fetch', 'hey'])(
  'a program over %s keeps a record and finds it',
  async (name) => {
    await using at = await rawServer();
    const agent = await at.t.agent({ grants: [scope] });
    const { run } = (await import(join(folder, `${name}.ts`))) as Program;
    expect(await run(at.server.url, agent.token)).toEqual(['healthy', 'Green tea.', 'Green tea.']);
  },
);
