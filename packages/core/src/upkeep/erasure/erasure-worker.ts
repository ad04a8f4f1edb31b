/**
 * Carries erasures out in the background, a slice at a time. Several servers may do it for one
 * store: a slice is one transaction, which begins where the last one ended.
 */
import { setImmediate } from 'node:timers/promises';
import type { ErasedKeys } from '../sealing/erased-keys.js';
import { LedgerKeeper } from './complete-ledger.js';
import { auditDraftOf } from './show-erasure.js';
import { type RefusedId, refusedIdsOf } from '../../kernel/erased/erased-subject-store.js';
import { noteErasedNamespaces, noteErasureTurn } from '../../kernel/erased/removal-store.js';
import type { KnownNamespaces } from '../../kernel/access/namespace.js';
import type { HeldTexts } from '../../kernel/load/held-texts.js';
import { Port } from '../../kernel/ports/port.js';
import type { Runtime } from '../../kernel/services/runtime.js';
import { Sweeper } from '../../kernel/services/sweeper.js';
import { UUID_MAX } from '../../storage/store/key.js';
import type { WriteTx } from '../../storage/store/store.js';
import { type CopyBeyondReach, signCertificate } from './certificate.js';
import {
  findErasure,
  listRunningErasures,
  putErasure,
  type RunningErasure,
  type StoredErasure,
} from '../stored/erasure-store.js';
import type { ErasurePlan } from './erasure-plan.js';
import type { Ledger } from './ledger.js';
import { Slice, type SliceValues } from './slice.js';
import { nameDigests, targetKeyFrom } from '../stored/target.js';

/** Carries erasures out, in the background. */
export const continueErasures = new Port<() => void>('continueErasures');

/** How often it looks for erasures that another server began, or that were interrupted. */
const LOOK_EVERY_MS = 30_000;

/** Slices of an erasure before other tenants have their turns. */
const SLICES_IN_TURN = 4;

/** Dependencies of the worker. */
export interface ErasureParts extends Pick<
  Runtime,
  'store' | 'clock' | 'entropy' | 'newId' | 'audit' | 'tokens' | 'heavyWork'
> {
  readonly plan: ErasurePlan;
  readonly knownNamespaces: KnownNamespaces | null;
  readonly heldTexts: HeldTexts;
  /** Drops what domains hold of states from before. */
  readonly dropHeldStates: () => void;
  /** The finished erasures in a file of the data directory; absent without a directory. */
  readonly ledger: Ledger | undefined;
  /** The keys of the store; absent unless it is encrypted. */
  readonly keys?: ErasedKeys | undefined;
  /** Returns the copies that an erasure does not reach. */
  readonly copiesBeyondReach: () => Promise<readonly CopyBeyondReach[]>;
}

/** Erases until it is stopped. */
export class ErasureWorker extends Sweeper {
  readonly #parts: ErasureParts;

  readonly #keeper: LedgerKeeper | undefined;

  constructor(parts: ErasureParts) {
    super();
    this.#parts = parts;
    const { store, ledger } = parts;
    this.#keeper = ledger && new LedgerKeeper(store, ledger);
  }

  /** Adds to the ledger what the store has and it lacks. */
  async completeLedger(): Promise<void> {
    await this.#keeper?.complete();
  }

  /** Looks every 30 seconds, and at once. */
  start(): void {
    this.repeat(LOOK_EVERY_MS);
    this.wake();
  }

  /**
   * Carries out all erasures there are: tenants in turn, so that none waits for a large erasure of
   * another one.
   *
   * @throws {AgentkeepError} the first failure. The others are carried out.
   */
  protected override async sweepAll(): Promise<void> {
    const failures: unknown[] = [];
    /** Erasures that this sweep has finished, or that failed. */
    const ended = new Set<string>();
    let turns: number;
    do {
      turns = 0;
      for await (const [tenantId, id] of this.#firstOfEachTenant(ended)) {
        turns += 1;
        const hasMore = await this.#takeTurn(tenantId, id).catch((error: unknown) => {
          failures.push(error);
          return false;
        });
        if (!hasMore) ended.add(id);
      }
    } while (turns > 0 && !this.isStopped);
    await this.#keeper?.complete().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }

  async *#firstOfEachTenant(ended: ReadonlySet<string>): AsyncGenerator<RunningErasure, void> {
    let after: RunningErasure | undefined;
    while (!this.isStopped) {
      const range = { after, limit: 1 };
      const [found] = await this.#parts.store.read((tx) => listRunningErasures(tx, range));
      if (found === undefined) return;
      const [tenantId, id] = found;
      const isNext = !ended.has(id);
      if (isNext) yield found;
      after = isNext ? [tenantId, UUID_MAX] : found;
    }
  }

  /** Does the slices of one turn. Returns whether there is more. */
  async #takeTurn(tenantId: string, id: string): Promise<boolean> {
    const { store, clock, entropy, knownNamespaces, plan } = this.#parts;
    let erasure = await this.#begun(tenantId, id);
    // Events that wait could still name what is erased.
    await this.#parts.audit.flush();
    for (let slices = 0; slices < SLICES_IN_TURN; slices += 1) {
      if (erasure === undefined || this.isStopped) return false;
      const values = { nowMs: clock.now(), newKey: targetKeyFrom((size) => entropy.bytes(size)) };
      if (slices > 0 && erasure.from === null) await this.#parts.audit.flush();
      // What is known to be stored may be removed by this slice.
      const { target } = erasure;
      knownNamespaces?.forget(target?.kind === 'tenant' ? target.tenant_id : tenantId);
      // The last step lets the tenant be registered again, and its names are gone after it.
      if (target?.kind === 'tenant' && this.#isAtLastStep(erasure))
        await this.#destroyKeys(erasure);
      erasure = await store.transact((tx) => eraseSlice(tx, tenantId, { id, plan, ...values }));
      await setImmediate();
      if (erasure !== undefined && erasure.step === plan.stepsOf(erasure.kind).length) {
        await this.#finish(erasure);
        return false;
      }
    }
    return true;
  }

  /** Returns the stored erasure, whose keys seal nothing any more. */
  #begun(tenantId: string, id: string): Promise<StoredErasure | undefined> {
    const { keys, store } = this.#parts;
    if (keys === undefined) return store.read((tx) => findErasure(tx, tenantId, id));
    return this.#retireKeys(keys, tenantId, id);
  }

  /** Remembers which keys end, before they are retired. Returns the erasure then. */
  async #retireKeys(
    keys: ErasedKeys,
    tenantId: string,
    id: string,
  ): Promise<StoredErasure | undefined> {
    const { store } = this.#parts;
    await keys.complete();
    const found = await store.read((tx) => findErasure(tx, tenantId, id));
    if (found === undefined || found.target === null) return undefined;
    const ids = found.keys ?? (await keys.idsOf(tenantId, found.target));
    const erasure = await store.transact((tx) => {
      const current = findErasure(tx, tenantId, id);
      if (current?.keys !== null) return current;
      const noted = { ...current, keys: ids };
      putErasure(tx, noted);
      return noted;
    });
    if (erasure !== undefined) await keys.retire(erasure);
    return erasure;
  }

  #isAtLastStep({ kind, step }: StoredErasure): boolean {
    return step >= this.#parts.plan.stepsOf(kind).length - 1;
  }

  async #destroyKeys(erasure: StoredErasure): Promise<void> {
    await this.#parts.keys?.destroy(erasure);
  }

  /** Ends what shows states from before, and waits for the calls that have begun to read them. */
  async #endHeldStates({ tenantId, target }: StoredErasure): Promise<void> {
    const { dropHeldStates, heldTexts, heavyWork } = this.#parts;
    const tenant = target?.kind === 'tenant' ? target.tenant_id : tenantId;
    await heavyWork.begunOf(tenant);
    // Only now, because such a call may hold a text or a view that it has made.
    await heldTexts.endOf(tenant);
    dropHeldStates();
  }

  /** Returns what refuses the id of an erased subject, for a store that knows nothing of it. */
  async #refusedIds({ tenantId, target }: StoredErasure): Promise<readonly RefusedId[]> {
    if (target?.kind !== 'subject') return [];
    const { subject_id: subjectId } = target;
    return this.#parts.store.read((tx) => refusedIdsOf(tx, { tenantId, subjectId }));
  }

  /** Signs the certificate, then forgets what was erased. */
  async #finish(erasure: StoredErasure): Promise<void> {
    const { store, clock, tokens, newId, audit, copiesBeyondReach, ledger } = this.#parts;
    await this.#endHeldStates(erasure);
    if (erasure.kind !== 'tenant') await this.#destroyKeys(erasure);
    const nowMs = clock.now();
    const all = await copiesBeyondReach();
    // Events about a scope name it. Those of a subject or a tenant name nothing of it any more.
    const copies = all.filter(({ kind }) => kind !== 'audit_log' || erasure.kind === 'scope');
    const certificate = await signCertificate(tokens, erasure, { nowMs, copies });
    const draft = auditDraftOf(erasure, { id: newId(), nowMs });
    const names = nameDigests(erasure.targetKey, erasure.names);
    const refusedIds = await this.#refusedIds(erasure);
    const end = { target: null, names, finishedAtMillis: nowMs, certificate, refusedIds };
    // Before it is called finished: then no state of the store can be put back that lacks it.
    await ledger?.add([{ ...erasure, ...end }]);
    await store.transact((tx) => {
      const current = findErasure(tx, erasure.tenantId, erasure.id);
      // Another server was faster, and its certificate counts.
      if (current?.finishedAtMillis !== null) return;
      putErasure(tx, { ...current, ...end });
      noteErasedNamespaces(tx);
      if (erasure.kind !== 'tenant') noteErasureTurn(tx, erasure.tenantId);
      audit.changed(tx, draft);
    });
  }
}

/** Does the next slice. Returns the erasure as it is then, or `undefined` if it is finished. */
function eraseSlice(
  tx: WriteTx,
  tenantId: string,
  { id, plan, ...values }: SliceValues & { readonly id: string; readonly plan: ErasurePlan },
): StoredErasure | undefined {
  const erasure = findErasure(tx, tenantId, id);
  if (erasure?.finishedAtMillis !== null) return undefined;
  const steps = plan.stepsOf(erasure.kind);
  const slice = new Slice(tx, erasure, { plan, ...values });
  let { step } = erasure;
  let from = erasure.from === null ? undefined : Buffer.from(erasure.from, 'hex');
  while (step < steps.length && slice.hasRoom) {
    const next = steps[step]?.(slice, from);
    from = next === undefined ? undefined : Buffer.from(next);
    if (from === undefined) step += 1;
  }
  const after: StoredErasure = {
    ...erasure,
    ...slice.counted,
    step,
    from: from === undefined ? null : from.toString('hex'),
  };
  putErasure(tx, after);
  return after;
}
