/** Clones and worktrees of a repository are one project; all else is apart. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { normalizedRemote, projectOf } from './project-of.js';

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'agentkeep-project-')));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function git(at: string, ...words: string[]): void {
  const author = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com'];
  execFileSync('git', ['-C', at, ...author, ...words], { stdio: 'ignore' });
}

function repository(name: string, remote?: string): string {
  const at = join(folder, name);
  mkdirSync(at);
  git(at, 'init');
  if (remote !== undefined) git(at, 'remote', 'add', 'origin', remote);
  return at;
}

test.each([
  'git@github.com:Acme/Shop.git',
  'ssh://git@github.com/Acme/Shop.git',
  'ssh://git@github.com:22/acme/shop',
  'https://github.com/acme/shop',
  'https://ann:gh-secret@GitHub.com:443/acme/shop.git/',
  'git://github.com:9418//acme/shop.git',
])('%s is the same project as the other forms of the remote', (remote) => {
  expect(normalizedRemote(remote)).toBe('github.com/acme/shop');
});

test.each([
  ['git@keep.example:Acme/Shop.git', 'keep.example/Acme/Shop'],
  ['git@keep.example:acme/shop.git', 'keep.example/acme/shop'],
  ['https://keep.example:8443/acme/shop', 'keep.example:8443/acme/shop'],
  ['https://ann:p@ss@keep.example/acme/shop', 'keep.example/acme/shop'],
  ['ssh://git@keep.example:2222/~ann/shop', 'keep.example/~ann/shop'],
])('%s is %s', (remote, project) => {
  expect(normalizedRemote(remote)).toBe(project);
});

test('worktrees, clones of clones and folders inside are the project of the remote', () => {
  const main = repository('main', 'git@github.com:acme/shop.git');
  git(main, 'commit', '--allow-empty', '-m', 'first');
  git(main, 'worktree', 'add', join(folder, 'tree'));
  git(folder, 'clone', main, 'clone');
  mkdirSync(join(folder, 'tree', 'src'));
  for (const at of ['main', 'tree', 'tree/src', 'clone']) {
    expect(projectOf(join(folder, at))).toBe('github.com/acme/shop');
  }
});

test('a repository without a remote is its folder, the same for its worktrees and clones', () => {
  const main = repository('main');
  git(main, 'commit', '--allow-empty', '-m', 'first');
  git(main, 'worktree', 'add', join(folder, 'tree'));
  git(folder, 'clone', main, 'clone');
  for (const at of ['main', 'tree', 'clone']) {
    expect(projectOf(join(folder, at))).toBe(`folder:${hostname()}${main}`);
  }
  expect(projectOf(repository('other'))).not.toBe(projectOf(main));
  expect(projectOf(folder)).toBe(`folder:${hostname()}${folder}`);
});

test('a clone of a mirror on a disk is the project that the mirror was made of', () => {
  const main = repository('main', 'https://keep.example/acme/shop');
  git(main, 'commit', '--allow-empty', '-m', 'first');
  git(folder, 'clone', '--bare', main, 'mirror.git');
  git(join(folder, 'mirror.git'), 'remote', 'set-url', 'origin', 'https://keep.example/acme/shop');
  git(folder, 'clone', `file://${join(folder, 'mirror.git')}`, 'clone');
  expect(projectOf(join(folder, 'clone'))).toBe('keep.example/acme/shop');
});

test('an id is at most 256 bytes, and two long ones differ', () => {
  const [one, other] = ['a', 'b'].map((end) =>
    projectOf(repository(end, `https://keep.example/${'ä'.repeat(300)}/${end}`)),
  );
  expect(one).not.toBe(other);
  expect(Buffer.byteLength(one ?? '')).toBeLessThanOrEqual(256);
});
