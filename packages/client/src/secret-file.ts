/** A file that keeps a secret between runs of a program; only its user may read it. */
import type * as FileSystem from 'node:fs/promises';
import { AgentkeepError } from '@agentkeep/core/clients';

/** What runtimes with files have; others lack it. */
interface Runtime {
  readonly process?: { readonly getBuiltinModule?: (name: string) => unknown };
}

/** Whether a secret was kept, or another process kept one first. */
export type Kept = 'kept' | 'taken';

/** A file with one secret. */
export class SecretFile {
  readonly #path: string;
  readonly #files: typeof FileSystem;

  /**
   * Names the file, and reads nothing yet.
   * @throws {AgentkeepError} `invalid_request` where there are no files, as in a browser.
   */
  constructor(path: string) {
    this.#path = path;
    // Not imported, so that other runtimes can load this module.
    const { process } = globalThis as Runtime;
    const files = process?.getBuiltinModule?.('node:fs/promises');
    if (files === undefined) throw refused('needs a runtime with files, such as Node.js');
    this.#files = files as typeof FileSystem;
  }

  /** Returns the secret, or `undefined` if there is no file. */
  async read(): Promise<string | undefined> {
    try {
      const text = await this.#files.readFile(this.#path, 'utf8');
      return text.trim();
    } catch (cause) {
      if (isCode(cause, 'ENOENT')) return undefined;
      throw refused(`cannot be read (${codeOf(cause)})`, cause);
    }
  }

  /**
   * Keeps the secret that `issue` returns, with mode 0600. It is called only once there is a file
   * to write to. A file that is there stays and wins, unless it is to be replaced.
   */
  async keep(issue: () => Promise<string>, mayReplace: boolean): Promise<Kept> {
    const draft = `${this.#path}.${crypto.randomUUID()}`;
    const file = await this.#files.open(draft, 'wx', 0o600).catch((cause: unknown) => {
      throw refused(`cannot be made (${codeOf(cause)}); nothing was sent`, cause);
    });
    try {
      try {
        await file.writeFile(`${await issue()}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      return await this.#publish(draft, mayReplace);
    } finally {
      await this.#files.rm(draft, { force: true });
    }
  }

  /** The file appears under its name at once, with all of its content. */
  async #publish(draft: string, mayReplace: boolean): Promise<Kept> {
    if (mayReplace) {
      await this.#files.rename(draft, this.#path);
      return 'kept';
    }
    try {
      await this.#files.link(draft, this.#path);
      return 'kept';
    } catch (cause) {
      if (isCode(cause, 'EEXIST')) return 'taken';
      throw cause;
    }
  }
}

function refused(what: string, cause?: unknown): AgentkeepError {
  const members = [{ path: 'secretFile', expected: 'a file that can be read and made' }];
  const message = `agentFor(): \`secretFile\` ${what}.`;
  return new AgentkeepError('invalid_request', { members, message, cause });
}

function codeOf(cause: unknown): string {
  const { code } = cause as { code?: unknown };
  return typeof code === 'string' ? code : 'unknown reason';
}

function isCode(cause: unknown, code: string): boolean {
  return codeOf(cause) === code;
}
