/**
 * Packs every published package with npm and pnpm, installs the archives with npm, pnpm and yarn as
 * a new user would, and tries them in several kinds of projects; then does what the README says as
 * long as nothing is published. The packages come from a registry
 * on this machine, which has what the workspace has; the package managers are fetched once.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstScreenProblems, packProject } from './first-screen.ts';
import { type Installer, installers, pnpm } from './installers.ts';
import { startRegistry } from './local-registry.ts';
import {
  differences,
  type Manifest,
  output,
  packAll,
  packageProblems,
  packedByNpm,
  type PackedPackage,
} from './packed-packages.ts';
import { type Project, projects } from './projects.ts';

const root = join(import.meta.dirname, '../..');
/** What all installations and caches of package managers take, with room to spare. */
const SCRATCH_BYTES = 6 * 2 ** 30;

/** The file system in memory, if there is one with room for some 200,000 files. */
function scratchPlace(): string {
  const memory = '/dev/shm';
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return Math.min(bavail * bsize, freemem()) > SCRATCH_BYTES ? memory : tmpdir();
}

const scratch = mkdtempSync(join(scratchPlace(), 'agentkeep-packages-'));

/** The versions that the projects use: of our packages, and of the frameworks of adapters. */
function dependencies(packed: readonly PackedPackage[]): Record<string, string> {
  const versions = packed.map(({ manifest }) => [manifest.name, manifest.version] as const);
  const peers = packed.flatMap(({ folder, manifest }) =>
    Object.keys(manifest['peerDependencies'] ?? {}).map((name) => {
      const text = readFileSync(join(root, folder, 'node_modules', name, 'package.json'), 'utf8');
      return [name, (JSON.parse(text) as Manifest).version] as const;
    }),
  );
  return Object.fromEntries([...peers, ...versions]);
}

/** Tries a project; returns what is wrong. */
function tryProject(home: string, installer: Installer, { name, files, commands }: Project) {
  const folder = join(home, name);
  mkdirSync(folder);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  const tools = {
    node: installer.nodeWords,
    tsc: [join(root, 'node_modules/typescript/bin/tsc')],
    esbuild: [join(root, 'node_modules/esbuild/bin/esbuild')],
  };
  try {
    for (const [tool, ...words] of commands) {
      output(process.execPath, [...tools[tool], ...words], folder);
    }
    return [];
  } catch (error) {
    return [`${installer.name}, ${name}: ${(error as Error).message}`];
  }
}

/** Whether a project is tried after a package manager, on this Node.js. */
function isTried(installer: Installer, project: Project): boolean {
  const { name, hasFolders } = installer;
  const { isBrief, commands, since = [0, 0], needsFolders } = project;
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isCompiled = commands.some(([tool]) => tool !== 'node');
  return (
    (name === 'npm' || isBrief === true) &&
    (hasFolders || (!isCompiled && needsFolders !== true)) &&
    (major > since[0] || (major === since[0] && minor >= since[1]))
  );
}

/** Installs the packages and tries the projects; returns what is wrong, and counts projects. */
async function tryInstaller(
  installer: Installer,
  registry: string,
  packed: readonly PackedPackage[],
): Promise<{ tried: number; problems: string[] }> {
  const home = join(scratch, `home-${installer.name.replaceAll(/\W+/gu, '-')}`);
  const wanted = { home, scratch, registry, dependencies: dependencies(packed) };
  try {
    await installer.install(wanted);
  } catch (error) {
    return { tried: 1, problems: [`${installer.name}: ${(error as Error).message}`] };
  }
  if (installer.hasFolders) {
    mkdirSync(join(home, 'node_modules/@types'), { recursive: true });
    const types = 'node_modules/@types/node';
    if (!existsSync(join(home, types))) symlinkSync(join(root, types), join(home, types), 'dir');
  }
  const own = projects.filter((project) => isTried(installer, project));
  const problems = own.flatMap((project) => tryProject(home, installer, project));
  return { tried: own.length, problems };
}

/** Every package has the licence of the workspace. */
function licenceProblems(folder: string): string[] {
  const [own, ours] = [join(root, folder, 'LICENSE'), join(root, 'LICENSE')];
  const isSame = readFileSync(own, 'utf8') === readFileSync(ours, 'utf8');
  return isSame ? [] : [`${folder}/LICENSE is not the one of the workspace.`];
}

/** Package managers may be named as words; the default is all of them. */
function isChosen({ name }: Installer): boolean {
  const chosen = process.argv.slice(2);
  return chosen.length === 0 || chosen.some((each) => name.startsWith(each));
}

const problems: string[] = [];
let tried = 0;
try {
  const packed = packedByNpm();
  const again = packAll(root, join(scratch, 'pnpm'), pnpm());
  problems.push(...packed.flatMap(packageProblems));
  problems.push(...packed.flatMap(({ folder }) => licenceProblems(folder)));
  for (const [index, one] of packed.entries()) {
    const other = again[index];
    if (other !== undefined) problems.push(...differences(one, other));
  }
  await using registry = await startRegistry(root, scratch, packed);
  for (const installer of installers.filter(isChosen)) {
    const result = await tryInstaller(installer, registry.url, packed);
    tried += result.tried;
    problems.push(...result.problems);
  }
  await using others = await startRegistry(root, scratch, []);
  const project = packProject(scratch);
  for (const installer of installers.filter(isChosen)) {
    const place = { scratch, registry: others.url };
    problems.push(...(await firstScreenProblems(installer, project, place)));
    tried += 1;
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
for (const problem of problems) console.error(problem);
console.log(`packages: ${tried} projects, ${problems.length} problems`);
if (problems.length > 0) process.exitCode = 1;
