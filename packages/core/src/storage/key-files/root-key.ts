/** Root keys: 32 bytes in a private file, or a command that wraps and unwraps. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { clearTimeout, setTimeout } from 'node:timers';
import { hmacSha256 } from '../../contract/digest.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { SealKey } from '../sealing/seal-key.js';
import { writeNew } from './durable-file.js';

/** Where a root key is. */
export type RootKeyOptions =
  | {
      /** A file of 32 bytes that only its owner may read. */
      readonly file: string;
    }
  | {
      /**
       * A program with its arguments. It is started with one argument more, `wrap` or `unwrap`,
       * takes base64 on its input and writes base64 to its output.
       */
      readonly command: readonly [string, ...string[]];
    };

/** Wraps and unwraps the keys of tenants. */
export interface RootKey {
  /** Names the key without telling anything about it; the same for all commands. */
  readonly id: string;
  wrap(secret: Uint8Array): Promise<Uint8Array>;
  /** Returns `undefined` for what another key wrapped. */
  unwrap(wrapped: Uint8Array): Promise<Uint8Array | undefined>;
}

const ROOT_BYTES = 32;
/** What a file gives others; a credential of systemd gives its group an access by ACL only. */
const OTHERS = 0o077;
const OTHERS_OF_CREDENTIAL = 0o037;
/** Longest time and output of a command. */
const COMMAND_MS = 10_000;
const OUTPUT_BYTES_MAX = 65_536;

/**
 * Opens a root key.
 *
 * @throws {AgentkeepError} `keys_unusable` if its file is missing, of another size or open to all.
 */
export async function openRootKey(options: RootKeyOptions): Promise<RootKey> {
  return 'command' in options ? commandKey(options.command) : fileKey(options.file);
}

/** Makes a root key in a new file that only its owner may read. Returns whether there was none. */
export function makeRootKey(path: string): Promise<boolean> {
  return writeNew(path, randomBytes(ROOT_BYTES));
}

/** Returns `keys_unusable` with a reason that names no secret. */
export function unusableKeys(message: string, cause?: unknown): AgentkeepError {
  return new AgentkeepError('keys_unusable', { message, cause });
}

async function fileKey(path: string): Promise<RootKey> {
  const bytes = await readPrivate(path);
  if (bytes.length !== ROOT_BYTES) {
    throw unusableKeys(
      `The root key ${path} has ${bytes.length} bytes and needs ${ROOT_BYTES}. ` +
        'Name the file that keys init wrote.',
    );
  }
  const key = SealKey.derived(bytes, 'wrap');
  const associated = Buffer.from('agentkeep root');
  return {
    id: hmacSha256(bytes)('agentkeep root id', 'hex').slice(0, 16),
    wrap: (secret) => Promise.resolve(key.seal(secret, associated)),
    unwrap: (wrapped) => Promise.resolve(key.open(wrapped, associated)),
  };
}

async function readPrivate(path: string): Promise<Buffer> {
  try {
    const { mode } = await stat(path);
    const others = isCredential(path) ? OTHERS_OF_CREDENTIAL : OTHERS;
    if (process.platform !== 'win32' && (mode & others) !== 0) {
      const shown = (mode & 0o777).toString(8).padStart(4, '0');
      throw unusableKeys(
        `The root key ${path} has the mode ${shown}, so others may read it. Set it to 0600.`,
      );
    }
    return await readFile(path);
  } catch (cause) {
    if (cause instanceof AgentkeepError) throw cause;
    throw unusableKeys(
      `The root key ${path} cannot be read. Check the path, or make one with keys init.`,
      cause,
    );
  }
}

/** Whether systemd made the file (`LoadCredential`). */
function isCredential(path: string): boolean {
  const directory = process.env['CREDENTIALS_DIRECTORY'];
  return directory !== undefined && resolve(path).startsWith(`${resolve(directory)}${sep}`);
}

function commandKey(command: readonly [string, ...string[]]): RootKey {
  return {
    id: 'command',
    wrap: async (secret) => {
      const wrapped = await run(command, 'wrap', secret);
      if (wrapped === undefined) throw unusableKeys('The root command wrapped nothing.');
      return wrapped;
    },
    unwrap: (wrapped) => run(command, 'unwrap', wrapped),
  };
}

/** Runs a command. Returns its output, or `undefined` if it fails. */
function run(
  [program, ...args]: readonly [string, ...string[]],
  action: 'wrap' | 'unwrap',
  input: Uint8Array,
): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const child = spawn(program, [...args, action], { stdio: ['pipe', 'pipe', 'inherit'] });
    const timer = setTimeout(() => child.kill('SIGKILL'), COMMAND_MS);
    let output = '';
    child.stdout.setEncoding('latin1').on('data', (part: string) => {
      if (output.length < OUTPUT_BYTES_MAX) output += part;
    });
    child.stdin.on('error', () => undefined);
    child.on('error', () => {
      clearTimeout(timer);
      resolve(undefined);
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      const bytes = Buffer.from(output.trim(), 'base64');
      resolve(code === 0 && bytes.length > 0 ? bytes : undefined);
    });
    child.stdin.end(Buffer.from(input).toString('base64'));
  });
}
