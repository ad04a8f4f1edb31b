/**
 * Runs the steps of a Dockerfile in plain directories, one for each stage. No container isolates
 * them: a step sees the machine, so it must work with paths relative to its working directory.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

/** One instruction, with its flags apart. */
interface Instruction {
  readonly word: string;
  readonly flags: Readonly<Record<string, string>>;
  readonly rest: string;
}

/** The last stage: its directory, and what a container would run with. */
export interface Image {
  readonly root: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Other instructions by their word; the last of each counts. */
  readonly settings: ReadonlyMap<string, string>;
  /** Words of every instruction of the file. */
  readonly words: readonly string[];
}

/** What to build, and where. */
export interface Building {
  readonly dockerfile: string;
  /** Folder that `COPY` reads from. */
  readonly context: string;
  /** An empty folder. */
  readonly into: string;
}

interface Stage {
  readonly root: string;
  readonly environment: Record<string, string>;
  readonly settings: Map<string, string>;
  folder: string;
}

/** Runs all stages. Throws with the output of the first step that fails. */
export function buildImage({ dockerfile, context, into }: Building): Image {
  const instructions = instructionsOf(readFileSync(dockerfile, 'utf8'));
  const isIgnored = ignoredBy(readFileSync(`${dockerfile}.dockerignore`, 'utf8'));
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  for (const { word, flags, rest } of instructions) {
    if (word === 'ARG') continue;
    if (word === 'FROM') {
      const [, name = 'image'] = / AS (\w+)$/.exec(rest) ?? [];
      stage = { root: join(into, name), environment: {}, settings: new Map(), folder: '/' };
      mkdirSync(stage.root);
      stages.set(name, stage);
      continue;
    }
    if (stage === undefined) throw new Error(`${word} stands before any FROM.`);
    if (word === 'RUN') run(stage, rest);
    else if (word === 'WORKDIR') enter(stage, rest);
    else if (word === 'ENV') setVariable(stage, rest);
    else if (word === 'COPY') {
      const from = flags['from'];
      if (from === undefined) copyContext(stage, { context, isIgnored, rest });
      else copyBetween(stage, { from: stages.get(from)!, flags, rest });
    } else stage.settings.set(word, rest);
  }
  const { root, environment, settings } = stages.get('image')!;
  return { root, environment, settings, words: instructions.map(({ word }) => word) };
}

function instructionsOf(text: string): Instruction[] {
  const lines = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll('\\\n', ' ')
    .split('\n');
  return lines.flatMap((line) => {
    const [, word, flagged = ''] = /^([A-Z]+)\s+(\S.*)$/.exec(line.trim()) ?? [];
    if (word === undefined) return [];
    const flags: Record<string, string> = {};
    const rest = flagged.replaceAll(
      /--(\w+(?:-\w+)*)=(\S+)\s+/g,
      (_flag, name: string, value: string) => {
        flags[name] = value;
        return '';
      },
    );
    return [word === 'RUN' ? { word, flags: {}, rest: flagged } : { word, flags, rest }];
  });
}

/** Returns whether a path is ignored: by a pattern of it, or of a folder that it lies in. */
function ignoredBy(text: string): (path: string) => boolean {
  const patterns = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const source = line
        .replaceAll('.', String.raw`\.`)
        .replaceAll(/\*\*\/|\*/g, (star) => (star === '*' ? '[^/]*' : '(?:.*/)?'));
      return new RegExp(`^${source}(?:/|$)`);
    });
  return (path) => patterns.some((pattern) => pattern.test(path));
}

function enter(stage: Stage, folder: string): void {
  stage.folder = folder;
  mkdirSync(join(stage.root, folder), { recursive: true });
}

function setVariable({ environment }: Stage, text: string): void {
  const [, name = '', value = ''] = /^(\w+)=(\S*)$/.exec(text) ?? [];
  environment[name] = value;
}

function run({ root, folder, environment }: Stage, command: string): void {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    cwd: join(root, folder),
    env: { ...process.env, ...environment },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`RUN ${command}\n${stdout}${stderr}`);
}

function copyContext(
  { root, folder }: Stage,
  from: {
    readonly context: string;
    readonly isIgnored: (path: string) => boolean;
    readonly rest: string;
  },
): void {
  const { context, isIgnored, rest } = from;
  const paths = rest.split(/\s+/);
  const target = join(root, folder, paths.pop() ?? '');
  for (const path of paths) {
    const source = join(context, path);
    const isFolder = statSync(source).isDirectory();
    cpSync(source, isFolder ? target : join(target, basename(path)), {
      recursive: true,
      filter: (each) => !isIgnored(relative(context, each)),
    });
  }
}

function copyBetween(
  { root, folder }: Stage,
  {
    from,
    flags,
    rest,
  }: { readonly from: Stage; readonly flags: Instruction['flags']; readonly rest: string },
): void {
  const [source = '', target = ''] = rest.split(/\s+/);
  const path = target.startsWith('/') ? join(root, target) : join(root, folder, target);
  cpSync(join(from.root, source), path, { recursive: true, verbatimSymlinks: true });
  if (flags['chmod'] !== undefined) chmodSync(path, Number.parseInt(flags['chmod'], 8));
  const [user, group] = (flags['chown'] ?? '').split(':').map(Number);
  // Only root may give files away; without it, everything runs as the user of the test.
  if (flags['chown'] !== undefined && process.getuid?.() === 0) chownSync(path, user!, group!);
}
