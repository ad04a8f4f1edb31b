/**
 * A reader of the change feed that stops, resumes and restarts from the cursor of the last change
 * that it saw, and checks that it sees every change exactly once and in order.
 */
import type { CommittedChange, ScopedMemory } from '@agentkeep/core';

/** Reads on, page by page. */
export class FeedFollower {
  /** Everything that was seen, in order. */
  readonly seen: CommittedChange[] = [];
  /** What was wrong, one sentence each. */
  readonly violations: string[] = [];
  readonly #revisions = new Map<string, number>();
  #after: string | undefined;

  /** Reads one page after the last change. Returns the number of changes. */
  async readPage(memory: ScopedMemory, limit: number, waitMillis = 0): Promise<number> {
    const page = await memory.changesPage({ after: this.#after, limit, waitMillis });
    for (const change of page.changes) this.#take(change);
    // Sometimes on from the cursor of a change, sometimes from that of the page.
    const last = page.changes.at(-1)?.cursor;
    this.#after = this.seen.length % 2 === 0 ? page.next_after : (last ?? page.next_after);
    return page.has_more ? Math.max(1, page.changes.length) : page.changes.length;
  }

  /** Reads until nothing is left. */
  async readAll(memory: ScopedMemory): Promise<void> {
    while ((await this.readPage(memory, 64)) > 0);
  }

  /** Notes the acknowledged revisions that were not seen, by record. */
  expect(acknowledged: Iterable<readonly [recordId: string, revision: number]>): void {
    for (const [recordId, revision] of acknowledged) {
      if ((this.#revisions.get(recordId) ?? 0) >= revision) continue;
      this.violations.push(`Revision ${revision} of ${recordId} was not in the feed.`);
    }
  }

  #take(change: CommittedChange): void {
    const before = this.#revisions.get(change.record_id) ?? 0;
    if (change.revision !== before + 1) {
      const found = `Revision ${change.revision} of ${change.record_id}`;
      this.violations.push(`${found} came after revision ${before}.`);
    }
    this.#revisions.set(change.record_id, change.revision);
    this.seen.push(change);
  }
}
