/**
 * Checks every published package as its users get it: what its manifest promises, and its types.
 */
import { getExitCode } from '@arethetypeswrong/cli/internal/getExitCode';
import { typed } from '@arethetypeswrong/cli/internal/render';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { packedArchives } from './packed-archives.mjs';

/** Packages are ES modules, which older resolutions don't find or only import. */
const display = { format: 'table-flipped', ignoreResolutions: ['node10', 'node16-cjs'] };

/** What `attw` runs, which as a program takes one archive and loads the compiler for it. */
async function loadTypeChecks() {
  const render = import.meta.resolve('@arethetypeswrong/cli/internal/render');
  const path = createRequire(fileURLToPath(render)).resolve('@arethetypeswrong/core');
  return import(pathToFileURL(path).href);
}

const { checkPackage, createPackageFromTarballData } = await loadTypeChecks();

/** Tells whether a manifest promises what its archive has, and prints what is wrong. */
async function keepsPromises(archive) {
  const { buffer, byteOffset, byteLength } = archive;
  const tarball = buffer.slice(byteOffset, byteOffset + byteLength);
  const { messages, pkg } = await publint({ strict: true, pack: { tarball } });
  for (const message of messages) console.error(formatMessage(message, pkg));
  return messages.length === 0;
}

/** Tells whether the types of an archive are found and are those of its code; prints a table. */
async function hasRightTypes(archive) {
  const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(archive)));
  if (analysis.types === false) console.error(`${analysis.packageName} has no types.`);
  else console.log(await typed(analysis, display));
  return analysis.types !== false && getExitCode(analysis, display) === 0;
}

for (const [folder, path] of packedArchives()) {
  console.log(`\n${folder}`);
  const archive = readFileSync(path);
  const isGood = [await keepsPromises(archive), await hasRightTypes(archive)].every(Boolean);
  if (!isGood) process.exitCode = 1;
}
