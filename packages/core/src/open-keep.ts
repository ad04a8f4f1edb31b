/**
 * Opens a keep: the store, then everything that runs on it, in the order in which one rests on the
 * other.
 * @module
 */
import { channel } from 'node:diagnostics_channel';
import { type AuditOptions, auditSettings } from './administration/audit/audit-options.js';
import { openAudit } from './administration/audit/open-audit.js';
import { authenticator } from './people/authenticate.js';
import { repairDirectories } from './people/repair-directories.js';
import { Keep } from './keep.js';
import { type LmdbStoreOptions, openLmdbStore } from './storage/lmdb-store/open-lmdb-store.js';
import { hasTenant } from './identity/tenant/tenant-store.js';
import { apiKeyIdOf } from './people/api-key/authenticate-api-key.js';
import { LockoutSweeper } from './people/lockout/lockout-sweeper.js';
import { argon2Hasher } from './people/password/argon2-hasher.js';
import { CountedHasher } from './runtime/ports/counted-hasher.js';
import type { PasswordHasher } from './runtime/ports/password-hasher.js';
import { policyRefresh } from './administration/rate-limit/refresh-policies.js';
import { openRateLimiter } from './administration/rate-limit/stored-policies.js';
import { type Clock, systemClock } from './runtime/ports/clock.js';
import { durableIds } from './runtime/durable-ids.js';
import { type Entropy, systemEntropy } from './runtime/ports/entropy.js';
import type { Runtime } from './runtime/runtime.js';
import { UseLog } from './runtime/use-log.js';
import { underIdleLimit } from './people/session/idle-limit.js';
import { idleLimitMs, type SessionOptions } from './people/session/session-options.js';
import { removeUnfinishedSnapshots } from './administration/snapshot/snapshot-folder.js';
import { openTally } from './administration/stats/open-tally.js';
import type { Store } from './storage/store/store.js';
import { openTokens } from './people/token/open-tokens.js';
import { RevocationSweeper } from './people/token/revocation-sweeper.js';
import { type TokenOptions, tokenSettings } from './people/token/token-options.js';

/**
 * The channel of `node:diagnostics_channel` on which each keep is published once it is open. So a
 * module that is loaded ahead of a program, with `node --import`, can watch its keep.
 */
export const KEEP_OPENED_CHANNEL = 'agentkeep:open';

/** Ports that a test or a host replaces. */
export interface KeepPorts {
  readonly clock?: Clock;
  readonly entropy?: Entropy;
  /** What is recorded, how long it is kept, and whether files are written too. */
  readonly audit?: AuditOptions;
  /** How passwords are hashed. Default: Argon2id. */
  readonly passwords?: PasswordHasher;
  /** How access tokens are signed, and for how long. */
  readonly tokens?: TokenOptions;
  /** When sessions end. */
  readonly sessions?: SessionOptions;
}

/** Where a keep lives: in a directory of its own, or in a store that the caller opened. */
export type KeepOptions = KeepPorts &
  (
    | ({ readonly dataDir: string; readonly store?: never } & Omit<LmdbStoreOptions, 'directory'>)
    | {
        readonly store: Store;
        /** Where snapshots go: into its folder `snapshots`. Without, none can be made. */
        readonly dataDir?: string;
      }
  );

/**
 * Opens a keep. A directory that does not exist is made; a store that is given is closed with it.
 * Whoever subscribes to {@link KEEP_OPENED_CHANNEL} gets the keep too.
 * @throws {AgentkeepError} `store_in_use` when the directory is open elsewhere, `store_incompatible`
 * when it holds something else, `storage_inconsistency` when its list of revoked tokens or a rate
 * limit does not verify.
 * @throws {TypeError} when something in `audit`, `tokens` or `sessions` is out of range, or a key
 * cannot be used.
 */
export async function openKeep(options: KeepOptions): Promise<Keep> {
  const settings = settingsOf(options);
  const opened = options.store ?? (await openDirectory(options));
  try {
    const keep = await keepOver(opened, options, settings);
    channel(KEEP_OPENED_CHANNEL).publish(keep);
    return keep;
  } catch (error) {
    // A store that was given is still its opener's, and the first failure is the one to tell.
    if (options.store === undefined) await opened.close().catch(() => undefined);
    throw error;
  }
}

/** What can be refused before anything is opened. */
function settingsOf({ audit = {}, tokens = {}, sessions = {} }: KeepPorts) {
  return {
    audit: auditSettings(audit),
    tokens: tokenSettings(tokens),
    idleMs: idleLimitMs(sessions),
  };
}

async function keepOver(
  found: Store,
  options: KeepOptions,
  settings: ReturnType<typeof settingsOf>,
): Promise<Keep> {
  const clock = options.clock ?? systemClock;
  const entropy = options.entropy ?? systemEntropy;
  const tally = await openTally({ store: found, clock });
  const opened = tally.followed();
  await repairDirectories(opened);
  const ids = await durableIds(opened, clock, entropy);
  const rateLimiter = await openRateLimiter({ store: opened, clock, newId: ids.newId });
  const uses = new UseLog(opened);
  const revocations = new RevocationSweeper({ store: opened, clock });
  // All of it is read before anything else, for nobody is proved against a list with a hole in it.
  await revocations.start();
  const { idleMs } = settings;
  const runtime: Runtime = {
    ...openAudit(opened, clock, settings.audit),
    backend: found,
    tally,
    dataDir: options.dataDir,
    clock,
    entropy,
    ...ids,
    authenticate: underIdleLimit(authenticator(uses), { store: opened, uses, idleMs }),
    passwords: new CountedHasher(options.passwords ?? argon2Hasher()),
    tokens: openTokens(opened, clock, settings.tokens),
    uses,
    rateLimiter,
    refreshPolicies: policyRefresh(opened, rateLimiter),
    apiKeyIdOf,
    hasTenant,
  };
  const lockouts = new LockoutSweeper(runtime);
  lockouts.start();
  return new Keep(runtime, { sweepers: [revocations, lockouts] });
}

async function openDirectory(options: Exclude<KeepOptions, { store: Store }>): Promise<Store> {
  const { dataDir, durability, mapSizeBytes, reserveBytes, onFatal } = options;
  const store = await openLmdbStore({
    directory: dataDir,
    ...(durability === undefined ? {} : { durability }),
    ...(mapSizeBytes === undefined ? {} : { mapSizeBytes }),
    ...(reserveBytes === undefined ? {} : { reserveBytes }),
    ...(onFatal === undefined ? {} : { onFatal }),
  });
  await removeUnfinishedSnapshots(dataDir);
  return store;
}
