/**
 * The project of a folder: the remote of its Git repository, else the folder itself. All clones and
 * worktrees of a repository are one project. Git is not started, which would cost time at each
 * prompt.
 */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir, hostname } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { digestOf } from './digest.js';

/** UTF-8 bytes of a project's id; the contract allows 256 for a member of a scope. */
const PROJECT_BYTES_MAX = 200;
/** Clones of clones in folders that are followed, so that a circle of them ends. */
const CLONES_MAX = 8;
/** Hosts that ignore the letter case of a repository's path. */
const ANY_CASE = new Set(['github.com', 'gitlab.com', 'bitbucket.org']);
const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: '80', https: '443', git: '9418' };

/** Returns the id of the project that a folder belongs to; it never has a secret of the remote. */
export function projectOf(folder: string): string {
  return bounded(projectIn(real(resolve(folder)), 0));
}

function projectIn(folder: string, clones: number): string {
  const repository = repositoryOf(folder);
  if (repository === undefined) return ofFolder(folder);
  const remote = remoteIn(join(repository, 'config'));
  // The folder of a repository is that of its main worktree, also seen from another one.
  const main = repository.endsWith('/.git') ? dirname(repository) : repository;
  if (remote === undefined) return ofFolder(main);
  const path = localPath(remote, main);
  if (path === undefined) return normalizedRemote(remote);
  return clones < CLONES_MAX && existsSync(path)
    ? projectIn(real(path), clones + 1)
    : ofFolder(path);
}

/** Returns the folder that holds `config` of the repository around a folder. */
function repositoryOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const git = join(at, '.git');
    const found = statSync(git, { throwIfNoEntry: false });
    if (found?.isDirectory() === true) return git;
    if (found?.isFile() === true) return commonFolder(git, at);
    const isBare = ['config', 'HEAD', 'objects'].every((name) => existsSync(join(at, name)));
    if (isBare) return at;
    if (at === dirname(at)) return undefined;
  }
}

/** Follows the file `.git` of a worktree to the repository that it shares with the others. */
function commonFolder(file: string, worktree: string): string | undefined {
  const named = /^gitdir: (?<path>.+)$/m.exec(textOf(file))?.groups?.['path'];
  if (named === undefined) return undefined;
  const git = resolve(worktree, named.trim());
  const common = textOf(join(git, 'commondir')).trim();
  return common === '' ? git : real(resolve(git, common));
}

/** Returns the address of `origin`, else of the first remote. */
function remoteIn(config: string): string | undefined {
  const remotes = new Map<string, string>();
  let name: string | undefined;
  for (const line of textOf(config).split('\n')) {
    const section = /^\s*\[(?<kind>\w+)(?:\s+"(?<name>.*)")?\]/.exec(line)?.groups;
    if (section !== undefined) {
      name = section['kind']?.toLowerCase() === 'remote' ? section['name'] : undefined;
    }
    const url = /^\s*url\s*=(?<url>.*)$/i.exec(line)?.groups?.['url']?.trim();
    if (name === undefined || url === undefined || remotes.has(name)) continue;
    remotes.set(name, url.replace(/^"(?<inner>.*)"$/, '$<inner>'));
  }
  return remotes.get('origin') ?? remotes.values().next().value;
}

/** Returns the path of a remote that is a folder of this machine. */
function localPath(remote: string, base: string): string | undefined {
  if (remote.startsWith('file://')) return decodeURIComponent(remote.slice('file://'.length));
  if (remote.startsWith('~/')) return join(homedir(), remote.slice(2));
  const isPath = isAbsolute(remote) || /^\.{1,2}(?:\/|$)/.test(remote);
  return isPath ? resolve(base, remote) : undefined;
}

/**
 * Returns a remote as `host/path`, the same for its forms over SSH and HTTPS: without user, secret
 * and `.git`. The port of SSH is left out, since HTTPS has another one for the same repository.
 */
export function normalizedRemote(remote: string): string {
  const url =
    /^(?<scheme>[a-z][a-z0-9+.-]*):\/\/(?<host>[^/:]+)(?::(?<port>\d+))?(?<path>\/[^?#]*)?$/i;
  const scp = /^(?:[^/@]*@)?(?<host>[^/:]+):(?<path>.*)$/;
  const groups = (url.exec(withoutUser(remote)) ?? scp.exec(remote))?.groups;
  if (groups === undefined) return remote;
  const { scheme = 'ssh', host = '', port, path = '' } = groups;
  const kind = scheme.toLowerCase();
  const server = host.toLowerCase();
  const isPlain = kind.includes('ssh') || port === undefined || DEFAULT_PORTS[kind] === port;
  const parts = path.split('/').filter((part) => part !== '');
  const name = parts.join('/').replace(/\.git$/, '');
  const spelled = ANY_CASE.has(server) ? name.toLowerCase() : name;
  return `${server}${isPlain ? '' : `:${port}`}/${spelled}`;
}

/** Returns an address without the user and the secret before its host. */
function withoutUser(address: string): string {
  const [scheme = '', rest] = address.split('://', 2);
  if (rest === undefined) return address;
  const host = rest.split('/', 1)[0] ?? '';
  return `${scheme}://${rest.slice(host.lastIndexOf('@') + 1)}`;
}

/** Folders of two machines are two projects, also if their paths are equal. */
function ofFolder(path: string): string {
  return `folder:${hostname()}${real(path)}`;
}

function bounded(project: string): string {
  if (Buffer.byteLength(project) <= PROJECT_BYTES_MAX) return project;
  return `${Buffer.from(project).subarray(0, 100).toString('utf8').replaceAll('\uFFFD', '')}…${digestOf(project)}`;
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
