/** Lists the files of the project with what the tidiness rules need. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the workspace. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const codeExtensions = new Set(['.ts', '.tsx', '.mjs', '.cjs', '.js']);
const textExtensions = new Set(['', '.json', '.md', '.sh', '.txt', '.yaml', '.yml', '.html']);
const builtFolders = new Set(['node_modules', 'dist', '.git', '.cache', 'coverage']);
const generatedFolders = ['docs/reference/', 'docs/api/'];

/** A file that is committed or about to be. */
export interface ProjectFile {
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  readonly name: string;
  readonly bytes: number;
  readonly isCode: boolean;
  /** Generated files are checked for content but not for shape. */
  readonly isGenerated: boolean;
  /** Empty for binary files. */
  readonly text: string;
}

function pathsKnownToGit(): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' })
    .split('\0')
    .filter((path) => path !== '');
}

function pathsUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return [path];
    return builtFolders.has(entry.name) ? [] : pathsUnder(path);
  });
}

/** Falls back to the file system, for a copy of the sources without git history. */
function projectPaths(): string[] {
  return existsSync(join(root, '.git')) ? pathsKnownToGit() : pathsUnder('');
}

function describeFile(path: string): ProjectFile {
  const full = join(root, path);
  const extension = extname(path);
  const isCode = codeExtensions.has(extension);
  const text = isCode || textExtensions.has(extension) ? readFileSync(full, 'utf8') : '';
  const isGenerated =
    basename(path) === 'pnpm-lock.yaml' ||
    path === 'packages/server/openapi.json' ||
    generatedFolders.some((folder) => path.startsWith(folder)) ||
    text.slice(0, 500).includes('@generated');
  return { path, name: basename(path), bytes: statSync(full).size, isCode, isGenerated, text };
}

/** Returns all files of the project, ordered by path. */
export function readProject(): ProjectFile[] {
  return projectPaths()
    .filter((path) => statSync(join(root, path), { throwIfNoEntry: false })?.isFile())
    .sort()
    .map(describeFile);
}
