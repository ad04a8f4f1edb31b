/**
 * What a namespace held at a position: the records that changed since, each with the revision that
 * stood then. All others are as they are now. A view follows the journal: it never reads a record
 * to find out whether that has changed.
 */
import type { Namespace } from '../../../kernel/access/namespace.js';
import type { HeldView, WantedBytes } from '../../../kernel/ports/memory-scan.js';
import { keyText } from '../../../storage/store/bytes.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { type PositionedChange, revisionBefore } from '../journal/change-store.js';
import { findRecord, hasEntry } from '../record/memory-store.js';
import { searchEntryOf } from '../record/search-entry.js';
import { DEFAULT_RETENTION } from '../retention/retention-policy.js';
import {
  isSameJudge,
  type Judge,
  type Judgement,
  type Standing,
  standingRecord,
} from './standing-record.js';

/** The changed records of a view, once all is known of them. It is made again after a change. */
class OrderedStandings {
  readonly all: readonly Standing[];
  /** The folded texts of one record after those of another one. */
  readonly #texts: Buffer;
  /** Where the texts of each record end. */
  readonly #ends: Uint32Array;

  constructor(all: readonly Standing[]) {
    this.all = all;
    this.#ends = new Uint32Array(all.length);
    const texts = all.map(({ entry }, index) => {
      const { bytes, textsAt, end } = entry?.spans() ?? { bytes: NONE, textsAt: 0, end: 0 };
      this.#ends[index] = (this.#ends[index - 1] ?? 0) + end - textsAt;
      return bytes.subarray(textsAt, end);
    });
    this.#texts = Buffer.concat(texts);
  }

  /** Memory of the texts. */
  get bytes(): number {
    return this.#texts.length + this.#ends.byteLength;
  }

  /** Returns the records with a text in their texts, among those from one index to another. */
  having(text: WantedBytes, start: number, end: number): Set<Standing> {
    const found = new Set<Standing>();
    const to = this.#ends[end - 1] ?? 0;
    for (let [index, from] = [start, this.#ends[start - 1] ?? 0]; index < end;) {
      const at = text.indexIn(this.#texts, from, to);
      if (at === -1) break;
      while ((this.#ends[index] ?? to) <= at) index += 1;
      const standing = this.all[index];
      if (standing !== undefined) found.add(standing);
      from = this.#ends[index] ?? to;
      index += 1;
    }
    return found;
  }
}

const NONE = Buffer.alloc(0);

/** Memory of a changed record without its entry, about. */
const FACT_BYTES = 300;

/** Memory that the entries of one view take at most; others are read each time. */
const HELD_ENTRIES_BYTES = 16_777_216;

/** Stands for a record whose revision is no longer kept. */
export const GONE = 'gone';

/** What is known of the changes since a view. */
interface Since {
  /** The revisions that stood at the position, of records that have changed since; 0 for none. */
  readonly revisions: Map<string, number>;
  /** The records that the branch of the view has of its own. */
  readonly own: Set<string>;
  /** The position up to which the journal was followed. */
  readonly upTo: Uint8Array;
}

/** What a transaction found out for a view. */
export class Found implements Since {
  readonly revisions = new Map<string, number>();
  readonly own = new Set<string>();
  /** What is known of records; `undefined` where it has to be found out again. */
  readonly standings = new Map<string, Standing | undefined>();
  upTo: Uint8Array;
  /** The mark of the journal if its end was reached. */
  mark: object | undefined;
  /** What the standings were judged by. */
  readonly judgedBy: Judge;

  constructor({ upTo, mark }: Pick<MemoryView, 'upTo' | 'mark'>, judgedBy: Judge) {
    this.upTo = upTo;
    this.mark = mark;
    this.judgedBy = judgedBy;
  }
}

/** The moment of a view. */
type ViewMoment = Pick<
  MemoryView,
  'branch' | 'isBase' | 'leavesOut' | 'position' | 'needed' | 'atMillis'
>;

/** A view of a namespace at a position. It is changed between transactions only. */
export class MemoryView implements HeldView {
  readonly namespace: Namespace;
  /** The namespace of the branch whose records come before those of the position. */
  readonly branch: Namespace | undefined;
  /** Whether a branch reads it, or begins with it: what retention removes later is absent there. */
  readonly isBase: boolean;
  /** Whether records of which nothing is kept are left out, and not a reason to refuse it. */
  readonly leavesOut: boolean;
  readonly position: Uint8Array;
  /** Once the change at this position was removed, the view is of no use. */
  readonly needed: Uint8Array;
  /** When that was. */
  readonly atMillis: number;
  readonly #revisions = new Map<string, number>();
  readonly #standings = new Map<string, Standing>();
  #judgedBy: Judge = { retention: DEFAULT_RETENTION, erasures: 0 };
  readonly #own = new Set<string>();
  #ids: string[] = [];
  #ordered: OrderedStandings | undefined;
  #entryBytes = 0;
  #missing = 0;
  #isOverfull = false;
  #leastUntilMillis = Infinity;
  #version = 0;
  upTo: Uint8Array;
  /** The mark of the journal at {@link upTo}, if that is the end: see `journalMark()`. */
  mark: object | undefined;

  /** Takes the changes since a position: the revision of each record, up to another position. */
  constructor(
    namespace: Namespace,
    { branch, isBase, leavesOut, position, needed, atMillis }: ViewMoment,
    { revisions, own, upTo }: Since,
  ) {
    this.namespace = namespace;
    this.branch = branch;
    this.isBase = isBase;
    this.leavesOut = leavesOut;
    this.position = position;
    this.needed = needed;
    this.atMillis = atMillis;
    this.upTo = upTo;
    this.#addChanged(revisions, own);
  }

  /** Memory that it takes, about. */
  get bytes(): number {
    const ordered = this.#ordered?.bytes ?? 0;
    return FACT_BYTES * (1 + this.#ids.length) + this.#entryBytes + ordered;
  }

  /** Whether it has more entries than it holds, so that some are read each time. */
  get isOverfull(): boolean {
    return this.#isOverfull;
  }

  /** How many records it leaves out, as far as that is known. */
  get missing(): number {
    return this.#missing;
  }

  /** Number of the states that it has had. */
  get version(): number {
    return this.#version;
  }

  /** The ids of the changed records, ascending. */
  get ids(): readonly string[] {
    return this.#ids;
  }

  /** Returns the revision of a changed record that stood, 0 for none; `undefined` for others. */
  revisionOf(recordId: string): number | undefined {
    return this.#revisions.get(recordId);
  }

  /** Returns whether the branch has a record of its own. */
  isOwn(recordId: string): boolean {
    return this.#own.has(recordId);
  }

  /** Returns what is known of a changed record, unless it has to be found out. */
  standingOf(recordId: string, judgement: Judgement): Standing | undefined {
    const known = this.#standings.get(recordId);
    const isKnown = known !== undefined && judgement.nowMs < known.untilMillis;
    return isKnown && isSameJudge(judgement, this.#judgedBy) ? known : undefined;
  }

  /** Returns what is known of all changed records; `undefined` if it isn't all. */
  ordered(judgement: Judgement): OrderedStandings | undefined {
    const isAll = !this.#isOverfull && this.isLearned(judgement.nowMs);
    if (!isAll || !isSameJudge(judgement, this.#judgedBy)) return undefined;
    this.#ordered ??= new OrderedStandings(
      this.#ids.flatMap((id) => this.#standings.get(id) ?? []),
    );
    return this.#ordered;
  }

  /** Whether every changed record has to be looked up again only after another change. */
  isLearned(nowMs: number): boolean {
    const isAll = this.#isOverfull || this.#standings.size === this.#ids.length;
    return isAll && nowMs < this.#leastUntilMillis;
  }

  /** Takes over what a transaction found, unless the view has changed meanwhile. */
  adopt({ revisions, own, standings, upTo, mark, judgedBy }: Found, version: number): void {
    if (version !== this.#version) return;
    this.upTo = upTo;
    this.mark = mark;
    if (revisions.size === 0 && own.size === 0 && standings.size === 0) return;
    this.#version += 1;
    this.#ordered = undefined;
    if (!isSameJudge(judgedBy, this.#judgedBy)) this.#forget(judgedBy);
    this.#addChanged(revisions, own);
    for (const [id, standing] of standings) this.#hold(id, standing);
  }

  #addChanged(revisions: ReadonlyMap<string, number>, own: ReadonlySet<string>): void {
    if (revisions.size === 0 && own.size === 0) return;
    for (const [id, revision] of revisions) this.#revisions.set(id, revision);
    for (const id of own) this.#own.add(id);
    this.#ids = [...new Set([...this.#revisions.keys(), ...this.#own])].sort();
  }

  #forget(judgedBy: Judge): void {
    this.#judgedBy = judgedBy;
    this.#standings.clear();
    this.#entryBytes = 0;
    this.#missing = 0;
    this.#leastUntilMillis = Infinity;
  }

  #hold(recordId: string, standing: Standing | undefined): void {
    const before = this.#standings.get(recordId);
    this.#entryBytes -= before?.entry?.size ?? 0;
    this.#missing -= Number(before?.isMissing === true);
    this.#standings.delete(recordId);
    const size = standing?.entry?.size ?? 0;
    if (standing === undefined) return;
    if (this.#entryBytes + size > HELD_ENTRIES_BYTES) {
      this.#isOverfull = true;
      return;
    }
    this.#standings.set(recordId, standing);
    this.#leastUntilMillis = Math.min(this.#leastUntilMillis, standing.untilMillis);
    this.#entryBytes += size;
    this.#missing += Number(standing.isMissing === true);
  }
}

/** Notes a change that came after the position of a view, in the order of the journal. */
export function noteLater(
  found: Found,
  view: Pick<MemoryView, 'revisionOf' | 'isOwn' | 'namespace' | 'branch'>,
  change: PositionedChange,
): void {
  const { digest, recordId, action } = change;
  const name = keyText(digest);
  if (view.branch !== undefined && name === keyText(view.branch.digest)) {
    if (!view.isOwn(recordId)) found.own.add(recordId);
    found.standings.set(recordId, undefined);
    return;
  }
  if (name !== keyText(view.namespace.digest)) return;
  // The content may be gone now, or its time run out.
  found.standings.set(recordId, undefined);
  if (action === 'redacted') return;
  const known = view.revisionOf(recordId) ?? found.revisions.get(recordId);
  if (known === undefined) found.revisions.set(recordId, revisionBefore(change));
}

/** Returns what a branch has of a record. Once it has ended, a sweep may remove it. */
export function findOwn(
  tx: ReadTx,
  { namespace, branch }: { readonly namespace: Namespace; readonly branch: Namespace },
  recordId: string,
  nowMs: number,
): Standing {
  const isInBase = hasEntry(tx, namespace, recordId);
  const found = findRecord(tx, branch, recordId);
  const end = found?.payload?.valid_until_millis ?? null;
  const entry = found === undefined ? null : searchEntryOf(found);
  const untilMillis = end === null ? Infinity : Math.max(end, nowMs);
  return { recordId, entry, isInBase, name: null, untilMillis };
}

/** Finds out what stood of a changed record. */
export function findStanding(
  tx: ReadTx,
  namespace: Namespace,
  { recordId, revision }: { readonly recordId: string; readonly revision: number },
  judgement: Judgement,
): Standing | typeof GONE {
  const isInBase = hasEntry(tx, namespace, recordId);
  if (revision === 0) return absent(recordId, isInBase);
  const found = standingRecord(tx, { namespace, recordId }, revision, judgement);
  if (found === undefined) return GONE;
  const { record, untilMillis } = found;
  const entry = searchEntryOf(record);
  return { recordId, entry, isInBase, name: record.name, untilMillis };
}

/** Returns what a view says of a record that isn't there. */
export function absent(recordId: string, isInBase: boolean): Standing {
  return { recordId, entry: null, isInBase, name: null, untilMillis: Infinity };
}
