/** Makes the records of a scope what files of other projects say, or says what would change. */
import { isDeepStrictEqual } from 'node:util';
import {
  AgentkeepError,
  type Agent,
  type MemoryChangeInput,
  type MemoryRecord,
  type RecordInput,
  type ScopedMemory,
  type ScopeInput,
} from '@agentkeep/client';
import { batchesOf } from '@agentkeep/core/operator';
import type { CommandIo } from '../../command/command.js';
import { digestOf, type ForeignItem, type ForeignPart } from './foreign-item.js';

/** An item that wasn't stored. */
export interface RefusedItem {
  readonly place: string;
  readonly reason: string;
}

/** What an import changed, or would change. */
export interface ForeignTotals {
  /** Records that were not there. */
  created: number;
  /** Records that the file says otherwise. */
  changed: number;
  /** Records that are as the file says. */
  unchanged: number;
  /** Changes that wait for a review. */
  proposed: number;
  readonly refused: RefusedItem[];
  /** What the importer doesn't take, with how many of it there are. */
  readonly left_out: Record<string, number>;
}

/** Where an import stores. */
export interface ForeignTarget {
  readonly agent: Agent;
  readonly scope: ScopeInput;
  readonly isDryRun: boolean;
}

/** Items that are planned and stored together. */
const WINDOW_ITEMS = 256;
const READS_AT_ONCE = 16;
/** Another program changed a record each time. */
const ATTEMPTS = 8;

/** Refusals of one item; every other error ends the import. */
const OF_ITEM = new Set(['invalid_request', 'request_too_large', 'stale_source']);

interface NamedItem {
  readonly place: string;
  readonly name: string;
  readonly record: RecordInput;
}

interface Planned {
  readonly place: string;
  readonly isNew: boolean;
  readonly change: MemoryChangeInput;
}

/**
 * Makes the records what the items say: the names that are not there are created, and those that
 * differ are changed. So a second run changes nothing but what failed or was changed meanwhile.
 */
export async function importForeign(
  io: CommandIo,
  target: ForeignTarget,
  parts: AsyncIterable<ForeignPart>,
): Promise<ForeignTotals> {
  const work = new ForeignImport(target);
  for await (const part of parts) {
    await work.take(part);
    if (io.isWatched === true) io.writeError(`\r${work.seen} items`);
  }
  await work.finish();
  if (io.isWatched === true) io.writeError('\n');
  return work.totals;
}

class ForeignImport {
  readonly totals: ForeignTotals = {
    created: 0,
    changed: 0,
    unchanged: 0,
    proposed: 0,
    refused: [],
    left_out: {},
  };
  readonly #target: ForeignTarget;
  readonly #memory: ScopedMemory;
  /** How often a content came that has no name. */
  readonly #nameless = new Map<string, number>();
  #window = new Map<string, NamedItem>();
  seen = 0;

  constructor(target: ForeignTarget) {
    this.#target = target;
    this.#memory = target.agent.memory.in(target.scope);
  }

  async take(part: ForeignPart): Promise<void> {
    if ('leftOut' in part) {
      const { left_out } = this.totals;
      left_out[part.leftOut] = (left_out[part.leftOut] ?? 0) + 1;
      return;
    }
    this.seen += 1;
    if ('reason' in part) {
      this.totals.refused.push(part);
      return;
    }
    const name = this.#nameOf(part.item);
    // A later item of the same name counts, after the earlier one.
    if (this.#window.has(name) || this.#window.size === WINDOW_ITEMS) await this.finish();
    this.#window.set(name, { place: part.place, name, record: part.item.record });
  }

  /** Stores what was taken and waits. */
  async finish(): Promise<void> {
    const items = [...this.#window.values()];
    this.#window = new Map();
    await this.#store(items, ATTEMPTS);
  }

  /** An item without a name is named by its content, and by how often that came before. */
  #nameOf({ name, record }: ForeignItem): string {
    if (name !== undefined) return name;
    const digest = digestOf(record);
    const before = this.#nameless.get(digest) ?? 0;
    this.#nameless.set(digest, before + 1);
    return before === 0 ? `import/${digest}` : `import/${digest}-${before + 1}`;
  }

  async #store(items: readonly NamedItem[], attempts: number): Promise<void> {
    const planned = await this.#plan(items);
    if (this.#target.isDryRun) {
      for (const { isNew } of planned) this.#count(isNew);
      return;
    }
    let from = 0;
    const changes = planned.map(({ change }) => change);
    for await (const commands of batchesOf(this.#target.scope, changes)) {
      const some = planned.slice(from, from + commands.length);
      from += commands.length;
      const overtaken = await this.#commit(some);
      const again = items.filter(({ place }) => overtaken.some((each) => each.place === place));
      if (again.length === 0) continue;
      if (attempts === 0) throw new AgentkeepError('revision_conflict');
      // What was stored already is counted when it is planned again, as unchanged.
      await this.#store(again, attempts - 1);
    }
  }

  /** Stores changes; returns those that another program overtook. */
  async #commit(some: readonly Planned[]): Promise<readonly Planned[]> {
    try {
      const { proposal } = await this.#memory.batch(some.map(({ change }) => change));
      if (proposal !== undefined) this.totals.proposed += some.length;
      else for (const { isNew } of some) this.#count(isNew);
      return [];
    } catch (error) {
      if (!(error instanceof AgentkeepError)) throw error;
      if (error.code === 'revision_conflict') return some;
      if (!OF_ITEM.has(error.code)) throw error;
      const [only, ...others] = some;
      if (only !== undefined && others.length === 0) {
        this.totals.refused.push({ place: only.place, reason: reasonOf(error) });
        return [];
      }
      const middle = some.length >> 1;
      return [
        ...(await this.#commit(some.slice(0, middle))),
        ...(await this.#commit(some.slice(middle))),
      ];
    }
  }

  #count(isNew: boolean): void {
    if (isNew) this.totals.created += 1;
    else this.totals.changed += 1;
  }

  async #plan(items: readonly NamedItem[]): Promise<Planned[]> {
    const planned: Planned[] = [];
    for (let at = 0; at < items.length; at += READS_AT_ONCE) {
      const some = items.slice(at, at + READS_AT_ONCE);
      const stored = await Promise.all(some.map((item) => this.#stored(item)));
      for (const [index, { place, name, record }] of some.entries()) {
        const found = stored[index];
        if (found === 'refused') continue;
        if (found !== undefined && isSame(record, found.payload)) {
          this.totals.unchanged += 1;
          continue;
        }
        const put = { type: 'put', name, expected_revision: found?.revision ?? 0 } as const;
        planned.push({ place, isNew: found === undefined, change: { ...put, record } });
      }
    }
    return planned;
  }

  async #stored({ place, name }: NamedItem): Promise<MemoryRecord | 'refused' | undefined> {
    try {
      return await this.#memory.read({ name });
    } catch (error) {
      if (!(error instanceof AgentkeepError) || error.code !== 'invalid_request') throw error;
      this.totals.refused.push({ place, reason: `The name ${JSON.stringify(name)} is refused.` });
      return 'refused';
    }
  }
}

/** Whether a stored payload is what would be stored. A time that the file lacks may be any. */
function isSame(record: RecordInput, stored: MemoryRecord['payload']): boolean {
  const { content } = record;
  const wanted = {
    episode_type: record.episode_type ?? 'Observation',
    content: {
      primary: content.primary,
      secondary: content.secondary ?? null,
      context: content.context ?? null,
      data: content.data ?? null,
    },
    event_time_millis: record.event_time_millis ?? stored.event_time_millis,
    valid_until_millis: record.valid_until_millis ?? null,
    tags: record.tags ?? [],
    metadata: record.metadata ?? {},
    source: record.source ?? null,
  };
  const { primary, secondary, context, data } = stored.content;
  const there = {
    episode_type: stored.episode_type,
    content: { primary, secondary, context, data },
    event_time_millis: stored.event_time_millis,
    valid_until_millis: stored.valid_until_millis,
    tags: stored.tags,
    metadata: stored.metadata,
    source: stored.source ?? null,
  };
  return isDeepStrictEqual(JSON.parse(JSON.stringify(wanted)), there);
}

function reasonOf({ message, members }: AgentkeepError): string {
  const named = members.map(({ path, expected }) => `${path}: ${expected}`).join('; ');
  return named === '' ? message : `${message} ${named}`;
}
