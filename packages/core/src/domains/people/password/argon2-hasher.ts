/** Hashes passwords with Argon2id (RFC 9106) on a few threads off the event loop. */
import type { Options } from '@node-rs/argon2';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { PASSWORD_WAITING_MAX, PASSWORD_WORKERS_MAX } from '../../../contract/limits.js';
import { LazyPackage } from '../../../contract/errors/lazy-package.js';
import type { PasswordHasher, PasswordWork } from '../../../kernel/ports/password-hasher.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import { type WorkClient, WorkerQueue } from './worker-queue.js';

/** The hash function, as a port for tests. */
export interface Argon2 {
  /** The PHC string of a password, with a fresh salt. */
  readonly hash: (password: string) => Promise<string>;
  /** Returns whether a password matches a PHC string. */
  readonly verify: (stored: string, password: string) => Promise<boolean>;
}

/** Options of a hasher. */
export interface Argon2HasherOptions {
  readonly argon2?: Argon2;
  /** Most hashes that run at a time. */
  readonly workersMax?: number;
  /** Most hashes that wait, for logins and for new passwords each; further ones are refused. */
  readonly waitingMax?: number;
}

// Variant and version are the defaults of the package, which names them only for its own compiler.
const parameters = {
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
  outputLen: 32,
} as const satisfies Options;

const nativePackage = new LazyPackage('@node-rs/argon2', () => import('@node-rs/argon2'));

const nativeArgon2: Argon2 = {
  hash: async (password) => (await nativePackage.get()).hash(password, parameters),
  verify: async (stored, password) => (await nativePackage.get()).verify(stored, password),
};

/** Loads the package that hashes, before the first password. */
export async function loadArgon2(): Promise<void> {
  await nativePackage.get();
}

const { memoryCost, timeCost, parallelism } = parameters;
const HEAD = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`;

// 16 and 32 bytes; the last characters carry unused bits, which are zero in the canonical form.
const TAIL = /^[A-Za-z0-9+/]{21}[AQgw]\$[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]$/u;

/** A hash of an unknown password, verified for names without an account at the same cost. */
const DUMMY = `${HEAD}${'A'.repeat(22)}$${'A'.repeat(43)}`;

/**
 * Hashes with Argon2id, m = 19,456 KiB, t = 2, p = 1. At most two hashes run and a bounded number
 * waits; beyond that, calls fail with `login_busy`. Authorities take turns, and new passwords leave
 * one worker to logins.
 */
export function argon2Hasher(options: Argon2HasherOptions = {}): PasswordHasher {
  const { argon2 = nativeArgon2 } = options;
  const queue = new WorkerQueue({
    workersMax: options.workersMax ?? PASSWORD_WORKERS_MAX,
    waitingMax: options.waitingMax ?? PASSWORD_WAITING_MAX,
    busy: () => new AgentkeepError('login_busy'),
  });
  return {
    hash: (password, work) => queue.run(clientOf(work), () => argon2.hash(password)),
    verify: async (stored, password, work) => {
      if (stored !== undefined && !isOfOurs(stored)) {
        throw new AgentkeepError('storage_inconsistency');
      }
      const isEqual = await queue.run(clientOf(work), () =>
        argon2.verify(stored ?? DUMMY, password),
      );
      return isEqual && stored !== undefined;
    },
  };
}

/** Work without a purpose counts as a login. */
function clientOf(work: PasswordWork | undefined): WorkClient {
  return { name: work?.authority ?? INSTALLATION, isDeferrable: work?.purpose === 'change' };
}

function isOfOurs(stored: string): boolean {
  return stored.startsWith(HEAD) && TAIL.test(stored.slice(HEAD.length));
}
