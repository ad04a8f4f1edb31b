/**
 * Compares what programs can import with the reports in docs/api, one for each entry of a published
 * package: every exported name with its signature. `--write` writes the reports again, so that a
 * review sees each change of the public API. Needs the declarations of `npm run build`.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  CompilerState,
  Extractor,
  ExtractorConfig,
  ExtractorLogLevel,
} from '@microsoft/api-extractor';
import { publishedPackages, root } from './package-entries.mjs';

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });

const reports = join(root, 'docs/api');
const made = join(root, '.cache/api');

/** A program of the package starts it, and no program of a user. */
const notPublic = ['@agentkeep/core/snapshot-check'];

interface ApiEntry {
  readonly path: string;
  /** Folder of its package. */
  readonly folder: string;
  readonly declarations: string;
}

function entriesOf({ folder, manifest }: ReturnType<typeof publishedPackages>[number]): ApiEntry[] {
  const place = join(root, folder);
  return Object.entries(manifest.exports).flatMap(([entry, exported]) => {
    const path = join(manifest.name, entry);
    const types = typeof exported === 'string' ? undefined : exported.types;
    if (types === undefined || notPublic.includes(path)) return [];
    return [{ path, folder: place, declarations: join(place, types) }];
  });
}

function nameOf({ path }: ApiEntry): string {
  return `${path.replace('@agentkeep/', '').replaceAll('/', '-')}.api.md`;
}

/** The configuration of API Extractor for an entry. The compiler loads `files`. */
function configOf(entry: ApiEntry, files: readonly string[]): ExtractorConfig {
  const silent = { default: { logLevel: ExtractorLogLevel.None } };
  const compilerOptions = {
    ...{ target: 'es2023', lib: ['es2023', 'dom', 'esnext'], types: ['node'], strict: true },
    ...{ module: 'nodenext', moduleResolution: 'nodenext', skipLibCheck: true },
  };
  return ExtractorConfig.prepare({
    configObject: {
      newlineKind: 'lf',
      projectFolder: entry.folder,
      mainEntryPointFilePath: entry.declarations,
      compiler: { overrideTsconfig: { compilerOptions, files } },
      apiReport: {
        enabled: true,
        reportFolder: made,
        reportTempFolder: join(made, 'temp'),
        reportFileName: nameOf(entry),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: { extractorMessageReporting: silent, tsdocMessageReporting: silent },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(entry.folder, 'package.json'),
  });
}

/** Writes the report of an entry into the cache. */
function report(config: ExtractorConfig, compilerState: CompilerState): void {
  const { errorCount } = Extractor.invoke(config, {
    compilerState,
    localBuild: true,
    // It says that each report is new.
    messageCallback: (message) => {
      if (message.logLevel !== ExtractorLogLevel.Error) message.handled = true;
    },
  });
  if (errorCount > 0) throw new Error(`API Extractor can't read ${config.mainEntryPointFilePath}.`);
}

rmSync(made, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
const entries = publishedPackages().flatMap(entriesOf);
// The compiler reads the declarations of all entries once.
const files = entries.map(({ declarations }) => declarations);
const configs = entries.map((entry) => configOf(entry, files));
const [first] = configs;
if (first === undefined) throw new Error('No package has an entry with declarations.');
const compilerState = CompilerState.create(first);
for (const config of configs) report(config, compilerState);

const names = entries.map(nameOf);
const textOf = (folder: string, name: string): string | undefined =>
  existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : undefined;
const stale = names.filter((name) => textOf(reports, name) !== textOf(made, name));
const gone = readdirSync(reports).filter((name) => !names.includes(name));

if (values.write) {
  for (const name of stale) copyFileSync(join(made, name), join(reports, name));
  for (const name of gone) rmSync(join(reports, name));
} else if (stale.length + gone.length > 0) {
  console.error(
    `The public API differs from its reports: ${[...stale, ...gone].join(', ')}.` +
      ' Run `npm run api:build`, and review what it changes in docs/api.',
  );
  process.exitCode = 1;
}
console.log(`api: ${names.length} entries, ${stale.length + gone.length} reports differ`);
