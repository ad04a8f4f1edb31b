/** Opens a keep: the store, then everything that runs on it, lowest first. */
import { domains, families } from '../domains.js';
import { sealedFamilies } from './sealed-families.js';
import { channel } from 'node:diagnostics_channel';
import { KnownNamespaces } from '../kernel/access/known-namespaces.js';
import { openAudit } from '../kernel/audit-log/open-audit.js';
import { openDomains, statedBy } from '../upkeep/domain/domain.js';
import { ErasurePlan, erasurePlan } from '../upkeep/erasure/erasure-plan.js';
import { exportedLines, Lines } from '../upkeep/lines/lines.js';
import { backgroundOf } from '../upkeep/background/background-work.js';
import { authenticator } from '../domains/people/authenticate.js';
import { repairDirectories } from '../domains/people/repair-directories.js';
import { Embeddings } from '../client/embeddings.js';
import { AgentkeepError } from '../contract/errors/agentkeep-error.js';
import { Keep } from './keep.js';
import { ChangeFeed } from '../domains/memory/changes/change-feed.js';
import { VIEW_CACHE_BYTES, ViewCache } from '../domains/memory/view/view-cache.js';
import { openSegments } from '../domains/memory/view/open-segments.js';
import { openLmdbStore } from '../storage/lmdb-store/open-lmdb-store.js';
import { serviceOf } from '../domains/tenancy/delegation/service-of.js';
import { hasTenant } from '../domains/tenancy/tenant/tenant-store.js';
import { erasureTurn } from '../kernel/erased/removal-store.js';
import { apiKeyIdOf } from '../domains/people/api-key/authenticate-api-key.js';
import { argon2Hasher } from '../domains/people/password/argon2-hasher.js';
import { CountedHasher } from '../kernel/ports/counted-hasher.js';
import { HeavyWork } from '../kernel/load/heavy-work.js';
import { HeldTexts } from '../kernel/load/held-texts.js';
import { inOrder } from '../upkeep/participants.js';
import { quotaParticipant } from '../upkeep/quota/quota-participant.js';
import { QuotaHolders } from '../upkeep/quota/quota-holders.js';
import { UseCounter } from '../upkeep/quota/use-counter.js';
import { policyRefresh } from '../kernel/rate-limit-policies/refresh-policies.js';
import { openRateLimiter } from '../kernel/rate-limit-policies/stored-policies.js';
import { systemClock } from '../kernel/ports/clock.js';
import { durableIds } from '../kernel/services/durable-ids.js';
import { systemEntropy } from '../kernel/ports/entropy.js';
import type { Runtime } from '../kernel/services/runtime.js';
import { StoreProbe } from '../kernel/services/store-probe.js';
import { UseLog } from '../kernel/services/use-log.js';
import { underIdleLimit } from '../domains/people/session/idle-limit.js';
import { removeUnfinishedSnapshots } from '../upkeep/snapshot/snapshot-folder.js';
import { openTally } from '../upkeep/stats/open-tally.js';
import { type OpenedSealing, openSealed, refuseSealed } from '../storage/key-files/open-sealed.js';
import { committedReads } from '../storage/store/committed-reads.js';
import { withParticipants } from '../storage/store/with-participants.js';
import type { Store } from '../storage/store/store.js';
import { noSignInProtocol } from '../kernel/ports/sign-in-protocol.js';
import { JoseAssertions } from '../domains/tenancy/federation/jose-assertions.js';
import { DpopProofs } from '../domains/tenancy/key-credential/dpop-proofs.js';
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

async function keepOver(
  { store: found, sealing }: FoundStore,
  options: KeepOptions,
  settings: ReturnType<typeof settingsOf>,
): Promise<Keep> {
  const clock = options.clock ?? systemClock;
  const entropy = options.entropy ?? systemEntropy;
  const tally = await openTally({ store: found, families, clock, entropy });
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
  const useCounter = new UseCounter({ store, families });
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
  const heldTexts = new HeldTexts(entropy);
  const { dataDir, webhookSender } = options;
  const ports = { store, audit, backend: found, clock, entropy, ...ids, dataDir, tokens, sealing };
  const heavyWork = new HeavyWork();
  const heldViews = new ViewCache(VIEW_CACHE_BYTES);
  const held = { knownNamespaces, heldViews, heldTexts, heavyWork };
  const background = backgroundOf({ ...ports, ...held, hasTenant }, plan, settings.snapshots);
  const opened = openDomains(domains, { ...settings, ...ports, heavyWork, webhookSender });
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
    ports: new Map([...enginePorts, ...opened.ports]),
    continueErasures: background.continueErasures,
    countUse,
  };
  await background.erasedAgain();
  const started = [...opened.sweepers, ...background.sweepers, useCounter];
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
