/** Opens a keep: the store, then everything that runs on it, lowest first. */
import type { AuditSettings } from '../kernel/audit-log/audit-options.js';
import { type Levels, LEVELS } from '../contract/levels.js';
import { cursorSecret, heldCursorSecret } from '../kernel/installation/cursor-secret.js';
import { levelInForce, LevelKeeper } from '../kernel/installation/level-keeper.js';
import { raiseRecord } from '../kernel/installation/operator-events.js';
import { delivery } from '../kernel/services/delivery.js';
import { waitingWork } from '../kernel/services/waiting-work.js';
import { snapshotLocation } from '../upkeep/snapshot/keep-snapshots.js';
import { continueErasures } from '../upkeep/erasure/erasure-worker.js';
import { tally } from '../kernel/counts/counts.js';
import { knownNamespaces } from '../kernel/ports/known-callers.js';
import { answeredPorts, type ProvidedPort } from '../kernel/ports/port.js';
import { domains, families } from '../domains.js';
import { sealedFamilies } from './sealed-families.js';
import { channel } from 'node:diagnostics_channel';
import { KnownNamespaces } from '../kernel/access/namespace.js';
import { openAudit } from '../kernel/audit-log/open-audit.js';
import { openDomains, statedBy } from '../upkeep/domain/domain.js';
import { ErasurePlan, erasurePlan } from '../upkeep/erasure/erasure-plan.js';
import { exportedLines, Lines } from '../upkeep/lines/lines.js';
import { type ServerMeaning, serverMeaning } from '../domains/memory/meaning/server-meaning.js';
import { tellChanges } from '../domains/memory/journal/change-store.js';
import { BacklogCounter } from '../upkeep/backlog/backlog.js';
import { backgroundOf } from '../upkeep/background/background-work.js';
import { openCallers } from '../domains/people/authenticate.js';
import { repairDirectories } from '../domains/people/repair-directories.js';
import { Embeddings } from '../client/embeddings.js';
import { AgentkeepError } from '../contract/errors/agentkeep-error.js';
import { Keep } from './keep.js';
import { openLmdbStore } from '../storage/lmdb-store/open-lmdb-store.js';
import { hasTenant } from '../domains/tenancy/tenant/tenant-store.js';
import { argon2Hasher } from '../domains/people/password/argon2-hasher.js';
import { CountedHasher } from '../kernel/ports/counted-hasher.js';
import { HeavyWork } from '../kernel/load/heavy-work.js';
import { HeldTexts, heldTexts } from '../kernel/load/held-texts.js';
import { inOrder } from '../upkeep/participants.js';
import { QuotaHolders, quotaParticipant } from '../upkeep/quota/quota-participant.js';
import { countedFamilies } from '../upkeep/quota/tenant-use.js';
import { countUse, UseCounter } from '../upkeep/quota/use-counter.js';
import { openRateLimiter, policyRefresh } from '../kernel/rate-limit-policies/stored-policies.js';
import { systemClock } from '../kernel/ports/clock.js';
import { durableIds } from '../kernel/ports/ids.js';
import { systemEntropy } from '../kernel/ports/entropy.js';
import type { Runtime } from '../kernel/services/runtime.js';
import { StoreProbe } from '../kernel/services/store-probe.js';
import { UseLog } from '../kernel/services/use-log.js';
import { openReplicated } from '../upkeep/replication/replicate.js';
import { ReplicatedStore } from '../upkeep/replication/replicated-store.js';
import { replicationStatus } from '../upkeep/replication/shown-replication.js';
import type { ReplicationSettings } from '../upkeep/replication/replication-options.js';
import { refuseStandby } from '../upkeep/replication/standby.js';
import { removeUnfinishedSnapshots } from '../upkeep/snapshot/snapshot-folder.js';
import { openTally } from '../upkeep/stats/get-stats.js';
import { type OpenedSealing, openSealed, refuseSealed } from '../storage/key-files/open-sealed.js';
import { committedReads } from '../storage/store/committed-values.js';
import { type Participant, withParticipants } from '../storage/store/participant.js';
import type { Store } from '../storage/store/store.js';
import { openTokens } from '../domains/people/token/open-tokens.js';
import { RevocationSweeper } from '../domains/people/token/revocation-sweeper.js';
import { warmUp } from '../domains/people/warm-up.js';
import {
  type KeepOptions,
  type KeepPorts,
  requireKnownOptions,
  settingsOf,
} from './keep-options.js';

/** How the domains erase and export. */
const plan = new ErasurePlan(families, statedBy(domains, 'erasure'));
const lines = new Lines(families, statedBy(domains, 'lines'));
const enginePorts = [erasurePlan.answeredBy(plan), exportedLines.answeredBy(lines)];

/**
 * The channel of `node:diagnostics_channel` that publishes each keep once it is open. A module
 * that is loaded before a program with `node --import` can watch the keep of the program there.
 */
export const KEEP_OPENED_CHANNEL = 'agentkeep:open';

// Held for good: Node.js 20 can lose subscribers of a channel that was collected in between.
const openedKeeps = channel(KEEP_OPENED_CHANNEL);

/**
 * Opens a keep. Makes the directory if it does not exist; closes a given store with the keep.
 * Publishes the keep on {@link KEEP_OPENED_CHANNEL}.
 * @throws {AgentkeepError} `invalid_request`, with the options as `members`, for one that is
 * unknown, missing, out of range or a key that cannot be used; `store_in_use` if the directory is
 * open elsewhere; `store_incompatible` if it holds something else; `keys_unusable` if the store is
 * encrypted with other keys than those of `encryption`; `storage_inconsistency` if the list of
 * revoked tokens or a rate limit does not verify; `replica_fenced`, `replica_foreign` or
 * `replica_unsuitable` for a target of `replicateTo` that another directory or store writes to, or
 * that can be none.
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
  return openKeepAt(LEVELS, options);
}

/** Opens a keep as a version with these levels does. */
export async function openKeepAt(levels: Levels, options: KeepOptions): Promise<Keep> {
  requireKnownOptions(options);
  const settings = settingsOf(options);
  const opened = options.store ?? (await openDirectory(options, settings.replication));
  const replicated = opened instanceof ReplicatedStore ? opened : undefined;
  try {
    const level = await openLevel(opened, levels, options);
    const sealed = await sealedIfAsked(opened, options);
    const keep = await keepOver({ ...sealed, replicated, level }, options, settings);
    openedKeeps.publish(keep);
    return keep;
  } catch (error) {
    // A given store stays open, and the first failure is the one to report.
    if (options.store === undefined) await opened.close().catch(() => undefined);
    throw error;
  }
}

/** Checks the level of a store before anything is written to it. */
function openLevel(store: Store, levels: Levels, options: KeepOptions): Promise<LevelKeeper> {
  const { clock = systemClock, entropy = systemEntropy, raiseLevel: isAutomatic = true } = options;
  return LevelKeeper.open({ store, clock, entropy, levels, isAutomatic });
}

/** A store that may be encrypted. */
interface FoundStore {
  readonly store: Store;
  readonly sealing?: Pick<OpenedSealing, 'source' | 'sealSlice'>;
}

/** A store that this version may use. */
interface KeptStore extends FoundStore {
  readonly level: LevelKeeper;
  /** The store on disk, if it is copied to a target. */
  readonly replicated: ReplicatedStore | undefined;
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

/** A store whose changes are recorded and counted. */
async function recordedStore(
  found: Store,
  { clock, entropy }: Pick<Runtime, 'clock' | 'entropy'>,
  { audit, told }: { readonly audit: AuditSettings; readonly told: Participant },
) {
  const counts = await openTally({ store: found, families, clock, entropy });
  const log = openAudit(clock, audit);
  const count = (tenantId: string): void => {
    useCounter.wake(tenantId);
  };
  const participants = inOrder({
    remembered: committedReads(found),
    audit: log.participant,
    quota: quotaParticipant(count, await QuotaHolders.of(found)),
    counts,
    told,
  });
  const store = withParticipants(found, participants);
  const useCounter = new UseCounter({ store, families });
  const ports = [
    tally.answeredBy(counts),
    countUse.answeredBy(count),
    countedFamilies.answeredBy(families),
  ];
  const backlog = new BacklogCounter({ store, clock }, statedBy(domains, 'backlog'));
  return { store, counts, useCounter, backlog, ports, openLog: () => log.openLog(store) };
}

async function keepOver(
  { store: found, sealing, replicated, level }: KeptStore,
  options: KeepOptions,
  settings: ReturnType<typeof settingsOf>,
): Promise<Keep> {
  const { clock = systemClock, entropy = systemEntropy } = options;
  const { webhookSender, documentFetcher, signInProtocol, textEmbedder } = options;
  let meaning: ServerMeaning | null = null;
  const told = tellChanges((tenantId) => meaning?.noticeChange(tenantId));
  const recorded = await recordedStore(
    found,
    { clock, entropy },
    { audit: settings.audit, told: textEmbedder === undefined ? {} : told },
  );
  const { store, counts, useCounter, backlog } = recorded;
  await unlessFull(repairDirectories(store));
  const { newId, settleIds } = await durableIds(store, clock, entropy);
  const rateLimiter = await openRateLimiter({ store, clock, newId });
  const uses = new UseLog(store);
  const revocations = new RevocationSweeper({ store, clock });
  // Load all revocations first: a partial list would accept revoked tokens.
  await revocations.start();
  const audit = recorded.openLog();
  const tokens = openTokens(store, clock, settings.tokens);
  const heavyWork = new HeavyWork();
  const passwords = new CountedHasher(options.passwords ?? argon2Hasher());
  const services = { store, audit, backend: found, clock, entropy, newId, tokens, heavyWork };
  const { retentionMs, queryCacheBytes, idleMs } = settings;
  const handedIn = { passwords, webhookSender, documentFetcher, signInProtocol, textEmbedder };
  const opened = openDomains(domains, { ...services, ...handedIn, retentionMs, queryCacheBytes });
  const held = {
    knownNamespaces: found.isShared ? null : new KnownNamespaces(),
    heldTexts: new HeldTexts(entropy),
  };
  const location = { dataDir: options.dataDir, schedule: settings.snapshots };
  const { dropHeldStates } = opened;
  const parts = { ...services, ...held, ...location, dropHeldStates, hasTenant, sealing };
  const background = backgroundOf({ ...parts, isReplicated: replicated !== undefined }, plan);
  const callers = openCallers({ store, uses, idleMs });
  const runtime: Runtime = {
    ...services,
    authenticate: callers.authenticate,
    rateLimiter,
    refreshPolicies: policyRefresh(store, rateLimiter),
    ports: answeredPorts(
      ...[...enginePorts, ...recorded.ports, ...opened.ports, ...callers.ports],
      levelInForce.answeredBy(() => level.level),
      cursorSecret.answeredBy(heldCursorSecret({ store, entropy })),
      knownNamespaces.answeredBy(held.knownNamespaces),
      heldTexts.answeredBy(held.heldTexts),
      continueErasures.answeredBy(background.continueErasures),
      snapshotLocation.answeredBy(location),
      ...replicationPorts(replicated),
    ),
  };
  meaning = serverMeaning.of(runtime);
  await background.erasedAgain();
  level.begin({ store, raiseRecord: () => raiseRecord(runtime) });
  const started = [...opened.sweepers, ...background.sweepers, useCounter];
  for (const sweeper of started) sweeper.start?.();
  return new Keep(runtime, {
    sweepers: [held.heldTexts, revocations, ...started, warmUp(), level, backlog],
    ...{ level, backlog },
    probe: new StoreProbe({ store: found, clock }),
    waiting: () => waitingWork({ backend: found, audit, heavyWork, uses, passwords, meaning }),
    closing: [uses, audit, { close: settleIds }, counts, level],
    embeddings: embeddingsOf(options),
    replication: () => replicated?.replication,
  });
}

function replicationPorts(replicated: ReplicatedStore | undefined): readonly ProvidedPort[] {
  return [
    replicationStatus.answeredBy(() => replicated?.replication),
    delivery.answeredBy(replicated?.isAcknowledged === true ? () => replicated.delivered() : null),
  ];
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

async function openDirectory(
  options: Exclude<KeepOptions, { store: Store }>,
  replication: ReplicationSettings | undefined,
): Promise<Store> {
  const { dataDir, durability, mapSizeBytes, reserveBytes, onFatal } = options;
  const settings = {
    directory: dataDir,
    ...(durability === undefined ? {} : { durability }),
    ...(mapSizeBytes === undefined ? {} : { mapSizeBytes }),
    ...(reserveBytes === undefined ? {} : { reserveBytes }),
    ...(onFatal === undefined ? {} : { onFatal }),
  };
  const { clock = systemClock } = options;
  await refuseStandby(dataDir);
  const store =
    replication === undefined
      ? await openLmdbStore(settings)
      : await openReplicated(settings, replication, { clock });
  await removeUnfinishedSnapshots(dataDir);
  return store;
}
