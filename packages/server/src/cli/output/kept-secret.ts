/** Writes the secret of an answer to a file instead of the terminal. */
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { CommandError } from '../command/command-error.js';
import type { OwnFlag } from '../command/command.js';
import type { GivenFlags } from '../command/given-flags.js';

/** Names the file for the secret. */
export const SECRET_FLAG: OwnFlag = {
  name: 'write-secret',
  placeholder: '<file>',
  summary: 'Write the secret to a new file (mode 0600) instead of printing it.',
};

/** Members that hold the secret of an answer. */
export const SECRET_MEMBERS: readonly string[] = ['secret', 'key'];

/** A file for the secret of one answer. */
export interface SecretKeeper extends Disposable {
  /** The file, once a secret is in it. */
  readonly written: string | undefined;
  /** Writes the secret, and returns the answer with the path of the file in its place. */
  keep(answer: object): object;
}

/**
 * Makes the file of `--write-secret` before the call, so that a secret is never delivered without a
 * file for it. The file is removed if no secret was delivered. Returns `undefined` without the
 * flag.
 * @throws {CommandError} when the file is there already or cannot be made.
 */
export function keptSecret(flags: GivenFlags): SecretKeeper | undefined {
  const path = flags.text(SECRET_FLAG.name);
  if (path === undefined) return undefined;
  const file = openNew(path);
  let isWritten = false;
  return {
    get written() {
      return isWritten ? path : undefined;
    },
    keep: (answer) => {
      const entries = Object.entries(answer).map(
        ([name, value]: [string, unknown]): [string, unknown] => {
          if (!SECRET_MEMBERS.includes(name) || typeof value !== 'string') return [name, value];
          writeSync(file, `${value}\n`);
          isWritten = true;
          return [`${name}_file`, path];
        },
      );
      return Object.fromEntries<unknown>(entries);
    },
    [Symbol.dispose]: () => {
      closeSync(file);
      if (!isWritten) rmSync(path, { force: true });
    },
  };
}

function openNew(path: string): number {
  try {
    return openSync(path, 'wx', 0o600);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandError(
      `--write-secret: ${path} cannot be made (${reason}). Nothing was sent. Name a new file.`,
      { cause },
    );
  }
}
