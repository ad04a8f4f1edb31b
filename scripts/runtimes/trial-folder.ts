/** A folder with the client as it is packed and the trial, as a new project would have them. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, transform } from 'esbuild';
import { output } from '../package-installs/packed-packages.ts';

const client = join(import.meta.dirname, '../../packages/client');

/** Where a trial is. */
export interface TrialFolder {
  readonly folder: string;
  /** A program that takes the settings as its first word and prints the result. */
  readonly main: string;
}

const main = `import { argv } from 'node:process';
import { tryClient } from './trial.js';

console.log(JSON.stringify(await tryClient(JSON.parse(argv[2]))));
`;

/** Packs the client and puts it into an empty folder, with the trial. */
export async function makeTrialFolder(folder: string): Promise<TrialFolder> {
  const installed = join(folder, 'node_modules/@agentkeep/client');
  mkdirSync(installed, { recursive: true });
  output('npm', ['--silent', 'pack', '--pack-destination', folder], client);
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  output('tar', ['-xzf', join(folder, archive), '-C', installed, '--strip-components=1']);
  const source = readFileSync(join(client, 'test/runtimes/trial.ts'), 'utf8');
  const { code } = await transform(source, { loader: 'ts', target: 'es2022' });
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  writeFileSync(join(folder, 'trial.js'), code);
  writeFileSync(join(folder, 'main.js'), main);
  return { folder, main: 'main.js' };
}

/** Returns the trial and the client as one script; `iife` sets the global `trial`. */
export async function bundledTrial(
  { folder }: TrialFolder,
  format: 'esm' | 'iife',
): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: ['trial.js'],
    bundle: true,
    platform: 'neutral',
    format,
    globalName: 'trial',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}
