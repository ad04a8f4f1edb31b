/** A view in one transaction, which has followed the journal as far as that transaction sees it. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { WantedBytes } from '../../../kernel/ports/memory-scan.js';
import { LAST_POSITION, afterPosition } from '../../../storage/store/position.js';
import type { ReadTx, SnapshotTx } from '../../../storage/store/store.js';
import type { Measured } from '../../../storage/store/subspace.js';
import { changesBetween, floorOf, journalMark } from '../journal/change-store.js';
import { type BranchUse, liveBranch } from '../branch/live-branch.js';
import {
  findNamed,
  findRecordMeasured,
  findRecordState,
  hasEntry,
  idOfName,
  type NamedRecord,
} from '../record/memory-store.js';
import type { StoredRecord } from '../record/record-layout.js';
import { erasuresEnded } from '../../../kernel/erased/removal-store.js';
import { expiredSince } from '../retention/retention-policy.js';
import { retentionOf } from '../retention/retention-store.js';
import type { FormerHolder } from './memory-source.js';
import {
  absent,
  findOwn,
  findStanding,
  Found,
  GONE,
  type MemoryView,
  noteLater,
} from './memory-view.js';
import { type Judgement, type Standing, standingRecord } from './standing-record.js';

/** Changes that one transaction follows; with more of them, another one goes on. */
const FOLLOWED_AT_ONCE = 256;

/** Comes after all ids. */
const AFTER_IDS = 'g';

/** A range of ids; each bound is optional. */
export interface IdRange {
  readonly after?: string | undefined;
  readonly from?: string | undefined;
  readonly through?: string | undefined;
  readonly before?: string | undefined;
}

/** The changed records in a range. */
export interface StandingsInRange {
  readonly standings: readonly Standing[];
  /** Those that have the wanted text; absent where each has to be looked at. */
  readonly having?: ReadonlySet<Standing>;
}

/** A view as one transaction sees it. What it finds is adopted once the transaction is over. */
export class OpenedView {
  readonly view: MemoryView;
  /** Whether the end of the journal was reached. */
  readonly isWhole: boolean;
  readonly #tx: ReadTx;
  readonly #version: number;
  readonly #judgement: Judgement;
  #found: Found | undefined;
  #fresh: readonly string[] | undefined;

  constructor(view: MemoryView, tx: SnapshotTx, use: BranchUse) {
    const { tenantId } = view.namespace;
    const retention = retentionOf(tx, view.namespace);
    const erasures = erasuresEnded(tx);
    const judgement = { retention, erasures, nowMs: use.nowMs, isHeld: view.isBase };
    if (!view.isBase) requireKept(judgement, view);
    if (view.branch !== undefined) liveBranch(tx, view.branch, use);
    this.view = view;
    this.#tx = tx;
    this.#version = view.version;
    this.#judgement = judgement;
    const mark = journalMark(tx, tenantId);
    this.isWhole = (mark !== undefined && mark === view.mark) || this.#follow(tx, mark);
  }

  /** Follows the journal; returns whether its end was reached. */
  #follow(tx: SnapshotTx, mark: object | undefined): boolean {
    const { view } = this;
    const { tenantId } = view.namespace;
    if (view.branch === undefined) requireChanges(tx, view);
    const span = { from: view.upTo, to: LAST_POSITION, limit: FOLLOWED_AT_ONCE };
    const changes = changesBetween(tx, tenantId, span);
    const isWhole = changes.length < FOLLOWED_AT_ONCE;
    const found = this.#noted();
    found.upTo = followedTo(view.upTo, changes, tx.horizon());
    found.mark = isWhole ? mark : undefined;
    for (const change of changes) noteLater(found, view, change);
    return isWhole;
  }

  #noted(): Found {
    this.#found ??= new Found(this.view, this.#judgement);
    return this.#found;
  }

  /** Returns whether a record has changed since the position, or in the branch. */
  readonly isHidden = (recordId: string): boolean =>
    this.isOwn(recordId) || this.#revisionOf(recordId) !== undefined;

  /** Returns whether the branch has a record of its own. */
  isOwn(recordId: string): boolean {
    return this.view.isOwn(recordId) || this.#found?.own.has(recordId) === true;
  }

  /** Returns the revision of a record at the position, branches aside; 0 for none. */
  revisionAt(recordId: string): number {
    const changed = this.#revisionOf(recordId);
    if (changed !== undefined) return changed;
    return findRecordState(this.#tx, this.view.namespace, recordId)?.value.revision ?? 0;
  }

  /** Returns a record or tombstone as it stood, or `undefined`. */
  find(recordId: string): Measured<StoredRecord> | undefined {
    const revision = this.#revisionOf(recordId);
    const { namespace, branch } = this.view;
    if (branch !== undefined && this.isOwn(recordId)) {
      return findRecordMeasured(this.#tx, branch, recordId);
    }
    if (revision === undefined) return findRecordMeasured(this.#tx, namespace, recordId);
    if (revision === 0) return undefined;
    const key = { namespace, recordId };
    const found = standingRecord(this.#tx, key, revision, this.#judgement);
    if (found === undefined && (this.view.isBase || this.view.leavesOut)) return undefined;
    if (found === undefined) throw new AgentkeepError('history_gone');
    return { value: found.record, bytes: found.bytes };
  }

  /**
   * Returns the record with a name as it stood, if it still has the name, or `undefined`. A record
   * has one name for life, so who has it now had it then, if it was there.
   */
  findNamed(name: string): NamedRecord | undefined {
    const { namespace, branch } = this.view;
    const own = branch && findNamed(this.#tx, branch, name);
    if (own !== undefined) return own;
    const recordId = idOfName(this.#tx, namespace, name);
    return recordId === undefined ? undefined : this.#namedIn([recordId], name).found;
  }

  /** Looks among some changed records for the one that had a name. */
  findFormer(name: string, from: number, most: number): FormerHolder {
    const ids = this.view.ids.slice(from, from + most);
    return { ...this.#namedIn(ids, name), next: from + ids.length };
  }

  #namedIn(ids: readonly string[], name: string): Omit<FormerHolder, 'next'> {
    let isGone = false;
    for (const recordId of ids) {
      // The branch has its own records under the names that they have there.
      if (this.isOwn(recordId)) continue;
      const revision = this.#revisionOf(recordId);
      const standing = revision === undefined ? undefined : this.#known(recordId);
      if (standing === GONE) isGone = true;
      else if (standing === undefined || standing.name === name) {
        const record = this.find(recordId)?.value;
        if (record?.name === name) return { found: { recordId, record }, isGone };
      }
    }
    return { found: undefined, isGone };
  }

  /** Returns the ids of the changed records in a range, ascending. */
  idsIn(range: IdRange): readonly string[] {
    const known = within(this.view.ids, range);
    this.#fresh ??= this.#freshIds();
    const fresh = within(this.#fresh, range);
    return fresh.length === 0 ? known : [...known, ...fresh].sort();
  }

  /** Returns the changed records in a range of ids, ascending, and which may have a text. */
  standingsIn(range: IdRange, text: WantedBytes | null): StandingsInRange {
    const ordered = this.#hasNews ? undefined : this.view.ordered(this.#judgement);
    if (ordered === undefined) {
      return { standings: this.idsIn(range).map((recordId) => this.#standingOf(recordId)) };
    }
    const [start, end] = placesOf(this.view.ids, range);
    const having = text === null ? {} : { having: ordered.having(text, start, end) };
    return { standings: ordered.all.slice(start, end), ...having };
  }

  /** Whether the transaction found out what the view doesn't know. */
  get #hasNews(): boolean {
    if (this.#found === undefined) return false;
    const { revisions, own, standings } = this.#found;
    return revisions.size + own.size + standings.size > 0;
  }

  /** Finds out what is not known of some changed records; returns where to go on. */
  learn(from: number, most: number): number {
    const ids = this.view.ids.slice(from, from + most);
    for (const recordId of ids) this.#standingOf(recordId);
    return from + ids.length;
  }

  /** Takes over what was found. Call it once the transaction is over. */
  adopt(): void {
    if (this.#found !== undefined) this.view.adopt(this.#found, this.#version);
  }

  #freshIds(): string[] {
    if (this.#found === undefined) return [];
    const { revisions, own } = this.#found;
    const found = [...new Set([...revisions.keys(), ...own])];
    const { view } = this;
    const isKnown = (id: string) => view.isOwn(id) || view.revisionOf(id) !== undefined;
    return found.filter((id) => !isKnown(id)).sort();
  }

  #revisionOf(recordId: string): number | undefined {
    return this.view.revisionOf(recordId) ?? this.#found?.revisions.get(recordId);
  }

  #standingOf(recordId: string): Standing {
    const known = this.#known(recordId);
    if (known === GONE) throw new AgentkeepError('history_gone');
    return known;
  }

  #known(recordId: string): Standing | typeof GONE {
    const known =
      this.#found?.standings.has(recordId) === true
        ? this.#found.standings.get(recordId)
        : this.view.standingOf(recordId, this.#judgement);
    if (known !== undefined) return known;
    const found = this.#findStanding(recordId);
    if (found !== GONE) this.#noted().standings.set(recordId, found);
    return found;
  }

  #findStanding(recordId: string): Standing | typeof GONE {
    const { namespace, branch } = this.view;
    const judgement = this.#judgement;
    if (branch !== undefined && this.isOwn(recordId)) {
      return findOwn(this.#tx, { namespace, branch }, recordId, judgement.nowMs);
    }
    const revision = this.#revisionOf(recordId) ?? 0;
    const found = findStanding(this.#tx, namespace, { recordId, revision }, judgement);
    const { isBase, leavesOut } = this.view;
    if (found !== GONE || (!isBase && !leavesOut)) return found;
    // What was taken away in the scope is taken away in its branches too.
    const nothing = absent(recordId, hasEntry(this.#tx, namespace, recordId));
    return leavesOut ? { ...nothing, isMissing: true } : nothing;
  }
}

/**
 * Requires all records that were not expired in a view.
 *
 * @throws {AgentkeepError} `history_gone`
 */
function requireKept({ retention, nowMs }: Judgement, { atMillis }: MemoryView): void {
  const isExpired = atMillis < (expiredSince(retention, nowMs) ?? -Infinity);
  if (isExpired) throw new AgentkeepError('history_gone');
}

/**
 * Requires all changes since a view.
 *
 * @throws {AgentkeepError} `history_gone`
 */
function requireChanges(tx: ReadTx, { namespace, needed }: MemoryView): void {
  const floor = floorOf(tx, namespace.tenantId);
  const isRemoved = floor !== undefined && Buffer.compare(floor, needed) >= 0;
  if (isRemoved) throw new AgentkeepError('history_gone');
}

/** Returns how far the journal was followed: not beyond what an earlier commit may still add to. */
function followedTo(
  from: Uint8Array,
  changes: readonly { readonly position: Uint8Array }[],
  horizon: Uint8Array,
): Uint8Array {
  const last = changes.at(-1);
  const reached = last === undefined ? from : afterPosition(last.position);
  if (Buffer.compare(reached, horizon) <= 0) return reached;
  return Buffer.compare(from, horizon) > 0 ? from : Uint8Array.from(horizon);
}

/** Returns the ids in a range. */
function within(ids: readonly string[], range: IdRange): readonly string[] {
  const [start, end] = placesOf(ids, range);
  return start === 0 && end === ids.length ? ids : ids.slice(start, end);
}

/** Returns where the ids of a range start and end. */
function placesOf(
  ids: readonly string[],
  { after, from, through, before }: IdRange,
): readonly [start: number, end: number] {
  const start = after === undefined ? countTo(ids, from ?? '', false) : countTo(ids, after, true);
  const end =
    through === undefined ? countTo(ids, before ?? AFTER_IDS, false) : countTo(ids, through, true);
  return [start, Math.max(start, end)];
}

/** Returns how many of some ascending ids come up to an id, itself included or not. */
function countTo(ids: readonly string[], id: string, isIncluded: boolean): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = ids[middle] ?? '';
    if (other < id || (isIncluded && other === id)) low = middle + 1;
    else high = middle;
  }
  return low;
}
