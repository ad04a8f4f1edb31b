/**
 * The events of changes, as a participant of every transaction: those that a body noted are stored
 * with its changes, all at once, and go to the files once the transaction is durable.
 */
import type { EndedRun, Participant } from '../../storage/store/participant.js';
import type { WriteTx } from '../../storage/store/store.js';
import { appendEvents, type KeepBounds, type RecordedEvent } from './append-events.js';
import type { AuditFiles } from './audit-files.js';
import { CommitOrder, type UnderWay } from './commit-order.js';
import { notedIn } from './event-notes.js';

/** The files, with the order in which events go to them. */
interface OrderedFiles {
  readonly files: AuditFiles;
  readonly order: CommitOrder;
}

/** Stores the events of one keep. */
export class ChangeEvents implements Participant<UnderWay | undefined, WriteTx, void> {
  readonly #bounds: KeepBounds;
  readonly #written: OrderedFiles | undefined;

  /** Without `files`, events are only stored. */
  constructor(bounds: KeepBounds, files?: AuditFiles) {
    this.#bounds = bounds;
    if (files === undefined) return;
    this.#written = { files, order: new CommitOrder((events) => files.write(events)) };
  }

  /** Events that are stored and not written to a file yet; 0 where no files are written. */
  get waitingLines(): number {
    if (this.#written === undefined) return 0;
    return this.#written.order.held + this.#written.files.waiting;
  }

  /** Opens the first file. */
  open(): void {
    this.#written?.files.open();
  }

  /** Begins a transaction. Later events of its chains wait for it. */
  begin(): UnderWay | undefined {
    return this.#written?.order.begin();
  }

  /** Appends the events that a body noted. */
  settle({ tx, notes }: EndedRun, transaction: UnderWay | undefined): void {
    const appended: RecordedEvent[] = [];
    for (const [authority, { drafts, nowMs }] of notedIn(notes)) {
      appended.push(...appendEvents(tx, authority, drafts, { nowMs, bounds: this.#bounds }));
    }
    if (transaction !== undefined) transaction.appended = appended;
  }

  /** Passes the events of a transaction on to the files. */
  committed(_: unknown, transaction: UnderWay | undefined): void {
    if (transaction !== undefined) this.#written?.order.committed(transaction);
  }

  /** Stops waiting for a transaction. */
  failed(transaction: UnderWay | undefined): void {
    if (transaction !== undefined) this.#written?.order.failed(transaction);
  }

  /** Writes the waiting events to the files, and closes them. */
  async close(): Promise<void> {
    this.#written?.order.flush();
    await this.#written?.files.close();
  }
}
