/** A copy of the checkout, in which files can be deleted and commands run. */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** What the copy doesn't take over of the installed packages: caches of the tools. */
const CACHES = /^\.(?:cache|vite)/u;

/** Which files a copy has. */
export interface Choice {
  /** Folders of `packages`; scripts, settings of the workspace and the contract come too. */
  readonly packages: readonly string[];
  readonly isLeftOut: (path: string) => boolean;
}

/** A copy in a directory of its own, which goes with it. */
export class CopiedCheckout implements Disposable {
  readonly directory = mkdtempSync(join(tmpdir(), 'agentkeep-copy-'));

  /** Copies what git tracks, and links what is installed. */
  constructor(root: string, { packages, isLeftOut }: Choice) {
    const listed = spawnSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
    const isChosen = (path: string): boolean => {
      const [top, name = ''] = path.split('/');
      if (top === 'packages') return packages.includes(name);
      return top === 'scripts' || top === path || path.startsWith('docs/contract/');
    };
    for (const path of listed.stdout.split('\0')) {
      if (path === '' || !isChosen(path) || isLeftOut(path)) continue;
      if (!existsSync(join(root, path))) continue;
      mkdirSync(dirname(join(this.directory, path)), { recursive: true });
      copyFileSync(join(root, path), join(this.directory, path));
    }
    this.#linkInstalled(root, packages);
  }

  /** Deletes the lines of a file that match. Returns how many there were. */
  deleteLines(path: string, line: RegExp): number {
    const file = join(this.directory, path);
    const lines = readFileSync(file, 'utf8').split('\n');
    const left = lines.filter((each) => !line.test(each));
    writeFileSync(file, left.join('\n'));
    return lines.length - left.length;
  }

  /** Adds a line after each one of a file that matches. Returns how many there were. */
  addLines(path: string, after: RegExp, added: (line: string) => string): number {
    const file = join(this.directory, path);
    const lines = readFileSync(file, 'utf8').split('\n');
    const more = lines.flatMap((each) => (after.test(each) ? [each, added(each)] : [each]));
    writeFileSync(file, more.join('\n'));
    return more.length - lines.length;
  }

  /** Runs a program of Node in the copy, and shows its output. Returns whether it ended well. */
  run(...args: readonly string[]): boolean {
    console.log(`\n$ node ${args.join(' ')}`);
    const { status } = spawnSync(process.execPath, args, {
      cwd: this.directory,
      stdio: 'inherit',
      // Tests that play long are left out, and by the name of a store those that start programs.
      env: { ...process.env, AGENTKEEP_TESTS: 'short', AGENTKEEP_TEST_STORE: 'memory' },
    });
    return status === 0;
  }

  [Symbol.dispose](): void {
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** Packages of the workspace are linked to each other in the copy, others to the originals. */
  #linkInstalled(root: string, packages: readonly string[]): void {
    const own = join(this.directory, 'node_modules');
    mkdirSync(own);
    for (const name of readdirSync(join(root, 'node_modules'))) {
      if (!CACHES.test(name)) symlinkSync(join(root, 'node_modules', name), join(own, name));
    }
    for (const name of packages) {
      const from = join(root, 'packages', name, 'node_modules');
      const to = join(this.directory, 'packages', name, 'node_modules');
      cpSync(from, to, { recursive: true, verbatimSymlinks: true });
    }
  }
}
