/** Opens a keep: the store, then everything that runs on it, lowest first. */
import { sealedFamilies } from './administration/families/sealed-families.js';
import { channel } from 'node:diagnostics_channel';
import { KnownNamespaces } from './access/known-namespaces.js';
import { type AuditOptions, auditSettings } from './administration/audit/audit-options.js';
import { openAudit } from './administration/audit/open-audit.js';
import { backgroundOf } from './administration/background/background-work.js';
import { authenticator } from './people/authenticate.js';
import { repairDirectories } from './people/repair-directories.js';
import { type Embed, Embeddings } from './clients/embeddings.js';
import { AgentkeepError } from './contract/errors/agentkeep-error.js';
import { QUERY_CACHE_BYTES_DEFAULT, QUERY_CACHE_BYTES_MIN } from './contract/limits.js';
import {
  refuseUnknownOptions,
  requireArguments,
  wrongMembers,
} from './contract/errors/arguments.js';
import { Keep } from './keep.js';
import { ChangeFeed } from './memory/changes/change-feed.js';
import { type ChangeFeedOptions, changeRetentionMs } from './memory/changes/change-options.js';
import { VIEW_CACHE_BYTES, ViewCache } from './memory/view/view-cache.js';
import { openSegments } from './memory/view/open-segments.js';
import { type LmdbStoreOptions, openLmdbStore } from './storage/lmdb-store/open-lmdb-store.js';
import { serviceOf } from './identity/delegation/service-of.js';
import { hasTenant } from './identity/tenant/tenant-store.js';
import { erasureTurn } from './memory/record/removal-store.js';
import { apiKeyIdOf } from './people/api-key/authenticate-api-key.js';
import { LockoutSweeper } from './people/lockout/lockout-sweeper.js';
import { argon2Hasher } from './people/password/argon2-hasher.js';
import { CountedHasher } from './runtime/ports/counted-hasher.js';
import type { PasswordHasher } from './runtime/ports/password-hasher.js';
import { HeavyWork } from './runtime/load/heavy-work.js';
import { HeldTexts } from './runtime/load/held-texts.js';
import { inOrder } from './administration/participants.js';
import { quotaParticipant } from './administration/quota/quota-participant.js';
import { QuotaHolders } from './administration/quota/quota-holders.js';
import { UseCounter } from './administration/quota/use-counter.js';
import { policyRefresh } from './administration/rate-limit/refresh-policies.js';
import { openRateLimiter } from './administration/rate-limit/stored-policies.js';
import { type Clock, systemClock } from './runtime/ports/clock.js';
import { durableIds } from './runtime/services/durable-ids.js';
import { type Entropy, systemEntropy } from './runtime/ports/entropy.js';
import type { Runtime } from './runtime/services/runtime.js';
import { StoreProbe } from './runtime/services/store-probe.js';
import { UseLog } from './runtime/services/use-log.js';
import { underIdleLimit } from './people/session/idle-limit.js';
import { idleLimitMs, type SessionOptions } from './people/session/session-options.js';
import { removeUnfinishedSnapshots } from './administration/snapshot/snapshot-folder.js';
import {
  type SnapshotOptions,
  snapshotSchedule,
} from './administration/snapshot/schedule/snapshot-options.js';
import { openTally } from './administration/stats/open-tally.js';
import {
  type EncryptionOptions,
  type OpenedSealing,
  openSealed,
  refuseSealed,
} from './storage/key-files/open-sealed.js';
import { committedReads } from './storage/store/committed-reads.js';
import { withParticipants } from './storage/store/with-participants.js';
import type { Store } from './storage/store/store.js';
import type { DocumentFetcher } from './runtime/ports/document-fetcher.js';
import { noSignInProtocol, type SignInProtocol } from './runtime/ports/sign-in-protocol.js';
import type { WebhookSender } from './runtime/ports/webhook-sender.js';
import { JoseAssertions } from './identity/federation/jose-assertions.js';
import { DpopProofs } from './identity/key-credential/dpop-proofs.js';
import { openTokens } from './people/token/open-tokens.js';
import { RevocationSweeper } from './people/token/revocation-sweeper.js';
import { type TokenOptions, tokenSettings } from './people/token/token-options.js';
import { warmUp } from './people/warm-up.js';

/**
 * The channel of `node:diagnostics_channel` that publishes each keep once it is open. A module
 * that is loaded before a program with `node --import` can watch the keep of the program there.
 */
export const KEEP_OPENED_CHANNEL = 'agentkeep:open';

// Held for good: Node.js 20 can lose subscribers of a channel that was collected in between.
const openedKeeps = channel(KEEP_OPENED_CHANNEL);

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
  /** How long changes of memory can be followed. */
  readonly changes?: ChangeFeedOptions;
  /**
   * How often snapshots are made by themselves, and how many of them are kept. They go into the
   * folder `snapshots` of `dataDir`. Default: none are made.
   */
  readonly snapshots?: SnapshotOptions;
  /**
   * Makes embeddings of the records that agents of this keep write, and of their queries. A record
   * is stored first and can be found by words at once; its embedding follows.
   * `memory.embedMissing()` makes the embeddings of records that others wrote. Default: none are
   * made.
   */
  readonly embed?: Embed;
  /**
   * The name of the model that `embed` uses, 1 to 64 bytes: its embeddings are kept apart from
   * those of other models. Default: the default space of each scope.
   */
  readonly embeddingSpace?: string;
  /**
   * Sends the messages of webhooks. Without it, webhooks wait for a keep that has one. The server
   * brings its own.
   */
  readonly webhookSender?: WebhookSender;
  /**
   * Fetches the keys of issuers that tenants trust. Without it, only issuers whose keys are stated
   * inline prove credentials. The server brings its own.
   */
  readonly documentFetcher?: DocumentFetcher;
  /**
   * Speaks OpenID Connect with the issuers that people sign in by. Without it, they sign in with
   * passwords only. The server brings its own.
   */
  readonly signInProtocol?: SignInProtocol;
  /**
   * Most memory that searchable copies of records take, so that queries need not read them from the
   * store: 0, or at least 1 MiB. Default: 128 MiB. Unused with a store that several servers share.
   */
  readonly queryCacheBytes?: number;
  /**
   * Seals what is stored with keys of its tenants, subjects and shared scopes. A plain store is
   * turned to encryption beside its work, and never back.
   */
  readonly encryption?: EncryptionOptions;
}

/** Where a keep stores its data: in a directory of its own, or in a store that is already open. */
export type KeepOptions = KeepPorts &
  (
    | ({ readonly dataDir: string; readonly store?: never } & Omit<LmdbStoreOptions, 'directory'>)
    | {
        readonly store: Store;
        /**
         * The directory for snapshots, which go into its folder `snapshots`. Without it, none can
         * be made.
         */
        readonly dataDir?: string;
      }
  );

/**
 * Opens a keep. Makes the directory if it does not exist; closes a given store with the keep.
 * Publishes the keep on {@link KEEP_OPENED_CHANNEL}.
 * @throws {AgentkeepError} `invalid_request`, with the options as `members`, for one that is
 * unknown, missing, out of range or a key that cannot be used; `store_in_use` if the directory is
 * open elsewhere; `store_incompatible` if it holds something else; `keys_unusable` if the store is
 * encrypted with other keys than those of `encryption`; `storage_inconsistency` if the list of
 * revoked tokens or a rate limit does not verify.
 * @example
 * ```ts
 * import { mkdtemp } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { openKeep } from '@agentkeep/core';
 *
 * const dataDir = join(await mkdtemp(join(tmpdir(), 'keep-')), 'data');
 * await using keep = await openKeep({ dataDir, audit: { retentionDays: 30 } });
 * console.log((await keep.waiting()).transactions); // 0
 * ```
 */
export async function openKeep(options: KeepOptions): Promise<Keep> {
  requireKnownOptions(options);
  const settings = settingsOf(options);
  const opened = options.store ?? (await openDirectory(options));
  try {
    const keep = await keepOver(await sealedIfAsked(opened, options), options, settings);
    openedKeeps.publish(keep);
    return keep;
  } catch (error) {
    // A given store stays open, and the first failure is the one to report.
    if (options.store === undefined) await opened.close().catch(() => undefined);
    throw error;
  }
}

/** A store that may be encrypted. */
interface FoundStore {
  readonly store: Store;
  readonly sealing?: Pick<OpenedSealing, 'source' | 'sealSlice'>;
}

/** Returns the store with its keys, if it is encrypted. */
async function sealedIfAsked(
  store: Store,
  { encryption, dataDir, clock = systemClock }: KeepOptions,
): Promise<FoundStore> {
  if (encryption !== undefined) {
    const parts = { families: sealedFamilies, dataDir, now: () => clock.now() };
    const { store: sealed, ...sealing } = await openSealed(store, encryption, parts);
    return { store: sealed, sealing };
  }
  await refuseSealed(store);
  return { store };
}

const knownOptions = [
  'dataDir',
  'store',
  'durability',
  'mapSizeBytes',
  'reserveBytes',
  'onFatal',
  'clock',
  'entropy',
  'audit',
  'passwords',
  'tokens',
  'sessions',
  'changes',
  'snapshots',
  'webhookSender',
  'documentFetcher',
  'signInProtocol',
  'queryCacheBytes',
  'embed',
  'embeddingSpace',
  'encryption',
] as const satisfies readonly (keyof KeepOptions | keyof LmdbStoreOptions)[];

function requireKnownOptions(options: KeepOptions): void {
  requireArguments('openKeep()', { options });
  refuseUnknownOptions<Partial<Record<(typeof knownOptions)[number], unknown>>>(
    'openKeep()',
    options,
    knownOptions,
  );
  const { dataDir, store, snapshots } = options;
  if (snapshots !== undefined && dataDir === undefined) {
    throw wrongMembers('openKeep()', [
      { path: 'dataDir', expected: 'the directory for the snapshots that `snapshots` schedules' },
    ]);
  }
  if (store === undefined && (typeof dataDir !== 'string' || dataDir === '')) {
    const message = 'openKeep() needs `dataDir`, the directory of its data, or an open `store`.';
    throw new AgentkeepError('invalid_request', {
      members: [{ path: 'dataDir', expected: 'the path of a directory' }],
      message,
    });
  }
}

/** Checks what can be refused before anything is opened. */
function settingsOf(ports: KeepPorts) {
  const { audit = {}, tokens = {}, sessions = {}, changes = {}, queryCacheBytes } = ports;
  const { snapshots } = ports;
  requireQueryCacheBytes(queryCacheBytes);
  requireFunction(ports.embed);
  try {
    return {
      queryCacheBytes: queryCacheBytes ?? QUERY_CACHE_BYTES_DEFAULT,
      audit: auditSettings(audit),
      tokens: tokenSettings(tokens),
      idleMs: idleLimitMs(sessions),
      retentionMs: changeRetentionMs(changes),
      snapshots: snapshots && snapshotSchedule(snapshots),
    };
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    const { message } = cause;
    // Each of these messages begins with the option that it is about.
    const [member] = /^\w+\.\w+/u.exec(message) ?? [];
    const members = member === undefined ? [] : [{ path: member, expected: 'a valid option' }];
    throw new AgentkeepError('invalid_request', { members, message, cause });
  }
}

function requireFunction(embed: unknown): void {
  if (embed === undefined || typeof embed === 'function') return;
  const expected = 'a function that makes embeddings';
  throw new AgentkeepError('invalid_request', {
    members: [{ path: 'embed', expected }],
    message: `\`embed\` must be ${expected}.`,
  });
}

function requireQueryCacheBytes(bytes: number | undefined): void {
  const isValid = bytes === undefined || bytes === 0 || bytes >= QUERY_CACHE_BYTES_MIN;
  if (isValid && Number.isSafeInteger(bytes ?? 0)) return;
  const expected = `0, or an integer from ${QUERY_CACHE_BYTES_MIN}`;
  throw new AgentkeepError('invalid_request', {
    members: [{ path: 'queryCacheBytes', expected }],
    message: `\`queryCacheBytes\` must be ${expected}.`,
  });
}

async function keepOver(
  { store: found, sealing }: FoundStore,
  options: KeepOptions,
  settings: ReturnType<typeof settingsOf>,
): Promise<Keep> {
  const clock = options.clock ?? systemClock;
  const entropy = options.entropy ?? systemEntropy;
  const tally = await openTally({ store: found, clock, entropy });
  const log = openAudit(clock, settings.audit);
  const countUse = (tenantId: string): void => {
    useCounter.wake(tenantId);
  };
  const participants = inOrder({
    remembered: committedReads(found),
    audit: log.participant,
    quota: quotaParticipant(countUse, await QuotaHolders.of(found)),
    counts: tally,
  });
  const store = withParticipants(found, participants);
  const useCounter = new UseCounter({ store });
  await unlessFull(repairDirectories(store));
  const ids = await durableIds(store, clock, entropy);
  const rateLimiter = await openRateLimiter({ store, clock, newId: ids.newId });
  const uses = new UseLog(store);
  const revocations = new RevocationSweeper({ store, clock });
  // Load all revocations first: a partial list would accept revoked tokens.
  await revocations.start();
  const audit = log.openLog(store);
  const changeFeed = new ChangeFeed({ store, backend: found, entropy });
  const tokens = openTokens(store, clock, settings.tokens);
  const knownNamespaces = found.isShared ? undefined : new KnownNamespaces();
  const heldViews = new ViewCache(VIEW_CACHE_BYTES);
  const heldTexts = new HeldTexts(entropy);
  const { dataDir } = options;
  const ports = { store, audit, backend: found, clock, entropy, ...ids, dataDir, tokens, sealing };
  const heavyWork = new HeavyWork();
  const held = { knownNamespaces, heldViews, heldTexts, heavyWork };
  const background = backgroundOf({ ...ports, ...held }, options, settings);
  const runtime: Runtime = {
    store,
    audit,
    backend: found,
    probe: new StoreProbe({ store: found, clock }),
    tally,
    ...{ dataDir, scheduledSnapshots: settings.snapshots },
    ...{ clock, entropy, ...ids },
    authenticate: underIdleLimit(authenticator(uses), { store, uses, ...settings }),
    passwords: new CountedHasher(options.passwords ?? argon2Hasher()),
    tokens,
    keyProofs: new DpopProofs(entropy),
    ...issuerPorts(options),
    ...{ uses, sessionIdleMs: settings.idleMs },
    rateLimiter,
    refreshPolicies: policyRefresh(store, rateLimiter),
    ...{ apiKeyIdOf, hasTenant, serviceOf },
    erasureTurn: found.isShared ? erasureTurn : undefined,
    ...held,
    changeFeed,
    ...openSegments(found, settings.queryCacheBytes),
    ...background.ports,
    countUse,
  };
  await background.erasedAgain();
  const lockouts = new LockoutSweeper(runtime);
  const started = [lockouts, ...background.sweepers, useCounter];
  for (const sweeper of started) sweeper.start();
  const sweepers = [heldTexts, changeFeed, revocations, ...started, warmUp()];
  return new Keep(runtime, { sweepers, embeddings: embeddingsOf(options) });
}

/** Waits for work that the next opening does if the disk is full: what is stored can be read. */
async function unlessFull(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof AgentkeepError && error.code === 'store_full')) throw error;
  });
}

function embeddingsOf({ embed, embeddingSpace: space }: KeepPorts): Embeddings | undefined {
  return embed && new Embeddings(embed, { space });
}

/** Returns the ports that reach issuers. */
function issuerPorts({
  documentFetcher,
  signInProtocol = noSignInProtocol,
}: KeepOptions): Pick<Runtime, 'assertions' | 'signIns'> {
  return { assertions: new JoseAssertions(documentFetcher), signIns: signInProtocol };
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
