/** How each package manager installs packages from a registry into a folder. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fetchPackage } from '../runtimes/fetched-packages.ts';
import type { Packer } from './packed-packages.ts';

const root = join(import.meta.dirname, '../..');

/** Where and what to install. */
interface Wanted {
  /** The folder that the projects are in. */
  readonly home: string;
  /** For caches, outside of `home`. */
  readonly scratch: string;
  readonly registry: string;
  /** Versions by the name of the package. */
  readonly dependencies: Readonly<Record<string, string>>;
}

/** Where to install. */
type Location = Omit<Wanted, 'dependencies'>;

/** A package manager. */
export interface Installer {
  readonly name: string;
  /** Words for `node` without which a program does not find its packages. */
  readonly nodeWords: readonly string[];
  /** Whether there is a `node_modules`, not the plug'n'play of yarn. */
  readonly hasFolders: boolean;
  /** Installs what `wanted` names. */
  readonly install: (wanted: Wanted) => Promise<void>;
  /** How lines begin that people type for it, and runs the rest of such a line in a new project. */
  readonly typed: string;
  readonly run: (words: readonly string[], location: Location) => Promise<void>;
}

/** The pnpm that the workspace is installed with. */
export function pnpm(): Packer {
  const bootstrap = readFileSync(join(root, 'scripts/bootstrap.mjs'), 'utf8');
  const version = /pnpmVersion = '(?<version>[\d.]+)'/u.exec(bootstrap)?.groups?.['version'];
  // Its own `bin` is completed by a script of the installation, and scripts are left out.
  return [process.execPath, join(fetchPackage('pnpm', version ?? '').folder, 'bin/pnpm.mjs')];
}

function yarn(name: string, version: string): Packer {
  return [process.execPath, join(fetchPackage(name, version).folder, 'bin/yarn.js')];
}

async function run(packer: Packer, words: readonly string[], wanted: Location): Promise<void> {
  const [command, ...first] = packer;
  const { home, scratch, registry } = wanted;
  const env = {
    PATH: process.env['PATH'],
    HOME: scratch,
    npm_config_registry: registry,
    npm_config_cache: join(scratch, 'npm-cache'),
    YARN_IGNORE_PATH: '1',
  };
  const options = { cwd: home, env, maxBuffer: 1e8 };
  await promisify(execFile)(command, [...first, ...words], options).catch((error: unknown) => {
    // Yarn 4 writes its errors to the standard output.
    const { message, stdout } = error as Error & { stdout: string };
    throw new Error(`${message}\n${stdout}`);
  });
}

function writeManifest({ home, dependencies }: Wanted): void {
  mkdirSync(home);
  writeFileSync(join(home, 'package.json'), JSON.stringify({ private: true, dependencies }));
}

function yarn4(linker: 'node-modules' | 'pnp'): Installer {
  const isPlugged = linker === 'pnp';
  const configure = (location: Location): void => {
    const settings = {
      nodeLinker: linker,
      npmRegistryServer: location.registry.replace(/\/$/u, ''),
      unsafeHttpWhitelist: ['127.0.0.1'],
      enableTelemetry: false,
      enableScripts: false,
      enableImmutableInstalls: false,
      npmMinimalAgeGate: 0,
      globalFolder: join(location.scratch, 'yarn-4'),
    };
    writeFileSync(join(location.home, '.yarnrc.yml'), JSON.stringify(settings));
    writeFileSync(join(location.home, 'yarn.lock'), '');
  };
  const berry = () => yarn('@yarnpkg/cli-dist', '4.18.1');
  return {
    name: `yarn 4 (${linker})`,
    nodeWords: isPlugged
      ? ['--require=../.pnp.cjs', '--no-warnings', '--experimental-loader=../.pnp.loader.mjs']
      : [],
    hasFolders: !isPlugged,
    install: async (wanted) => {
      writeManifest(wanted);
      configure(wanted);
      await run(berry(), ['install'], wanted);
    },
    typed: 'yarn',
    run: async (words, location) => {
      writeFileSync(join(location.home, 'package.json'), '{}');
      configure(location);
      await run(berry(), words, location);
    },
  };
}

/** Its own folders, and no rules about the age of packages: the registry knows no dates. */
function configurePnpm({ home, scratch, registry }: Location): void {
  const settings = {
    storeDir: join(scratch, 'pnpm-store'),
    cacheDir: join(scratch, 'pnpm-cache'),
    stateDir: join(scratch, 'pnpm-state'),
    registry,
    minimumReleaseAge: 0,
  };
  writeFileSync(join(home, 'pnpm-workspace.yaml'), JSON.stringify(settings));
}

/** All of them. */
export const installers: readonly Installer[] = [
  {
    name: 'npm',
    nodeWords: [],
    hasFolders: true,
    install: async (wanted) => {
      writeManifest(wanted);
      const words = ['--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=0'];
      await run(['npm'], ['install', ...words], wanted);
    },
    typed: 'npm',
    run: (words, location) => run(['npm'], words, location),
  },
  {
    name: 'pnpm',
    nodeWords: [],
    hasFolders: true,
    install: async (wanted) => {
      writeManifest(wanted);
      configurePnpm(wanted);
      await run(pnpm(), ['install', '--ignore-scripts', '--no-frozen-lockfile'], wanted);
    },
    typed: 'pnpm',
    run: async (words, location) => {
      configurePnpm(location);
      await run(pnpm(), words, location);
    },
  },
  {
    name: 'yarn 1',
    nodeWords: [],
    hasFolders: true,
    install: async (wanted) => {
      writeManifest(wanted);
      // Only yarn 1 refuses packages that name a newer Node.js, as one of OpenAI does on 20.
      const words = ['--ignore-scripts', '--ignore-engines', '--non-interactive', '--no-lockfile'];
      const cache = [
        '--registry',
        wanted.registry,
        '--cache-folder',
        join(wanted.scratch, 'yarn-1'),
      ];
      await run(yarn('yarn', '1.22.22'), ['install', ...words, ...cache], wanted);
    },
    typed: 'yarn',
    run: async (words, location) => {
      const cache = join(location.scratch, 'yarn-1');
      const settings = [`registry "${location.registry}"`, `cache-folder "${cache}"`];
      writeFileSync(join(location.home, '.yarnrc'), settings.join('\n'));
      await run(yarn('yarn', '1.22.22'), words, location);
    },
  },
  yarn4('node-modules'),
  yarn4('pnp'),
];
