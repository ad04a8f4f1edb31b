/** What importing an entry of the package loads. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** Prints the packages of which the process has loaded a module. */
const REPORT = `
await import(process.argv[1]);
const { Session } = await import('node:inspector');
const session = new Session();
session.connect();
const packages = new Set();
session.on('Debugger.scriptParsed', ({ params: { url } }) => {
  const [, name] = /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url) ?? [];
  if (name !== undefined) packages.add(name);
});
session.post('Debugger.enable');
console.log(JSON.stringify([...packages]));
`;

async function packagesOf(module: string): Promise<readonly string[]> {
  const url = new URL(`../dist/${module}`, import.meta.url).href;
  const flags = ['--input-type=module', '--eval', REPORT, url];
  const { stdout } = await promisify(execFile)(process.execPath, flags);
  return JSON.parse(stdout) as string[];
}

test.each(['store.js', 'index.js', 'operator.js'])(
  'importing %s loads no package that is needed later only',
  async (entry) => {
    const packages = await packagesOf(entry);
    for (const name of ['lmdb', '@node-rs/argon2', 'jose']) expect(packages).not.toContain(name);
    // A package that is loaded, so that this test cannot pass by looking for the wrong names.
    expect(packages).toContain(entry === 'store.js' ? '@noble/hashes' : 'valibot');
  },
);
