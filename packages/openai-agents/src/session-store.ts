/** The records of a session: a head under a fixed name, and pages that never change. */
import {
  AgentkeepError,
  type MemoryChangeInput,
  type RecordInput,
  type ScopedMemory,
} from '@agentkeep/client';
import { type AgentInputItem, UserError } from '@openai/agents-core';
import { readItems, writeItems } from './item-json.js';
import { CHANGE_BYTES_MAX, SessionLimitError } from './session-limits.js';
import {
  emptyState,
  type NewPage,
  type Operation,
  type PageRef,
  type SessionChange,
  type SessionState,
} from './session-state.js';
import { shownText } from './shown-text.js';

/** The head of a session as it was read; without `record` there is none. */
export interface SessionHead {
  readonly record?: { readonly record_id: string; readonly revision: number };
  readonly state: SessionState;
}

/** What is thrown where a session would only wait for review. */
const WAITS =
  'The scope requires review: this part of the session waits for a reviewer and is not stored yet. ' +
  'Keep sessions in a private scope.';

/** Longest session id, percent-encoded, that leaves room for the names of pages. */
const ID_BYTES_MAX = 440;

/** Pages that are fetched at a time. */
const FETCHED_AT_ONCE = 8;

/** The data of a head. */
interface HeadData extends Omit<SessionState, 'tail'> {
  readonly format: 1;
  readonly items: string;
}

/** Reads and changes the records of one session. */
export class SessionStore {
  readonly #memory: ScopedMemory;
  readonly #prefix: string;
  readonly #now: () => number;

  constructor(memory: ScopedMemory, sessionId: string, now: () => number) {
    if (sessionId.trim() === '' || !sessionId.isWellFormed()) {
      throw new UserError('A session id is a text that is not blank.');
    }
    const id = encodeURIComponent(sessionId);
    if (id.length > ID_BYTES_MAX) {
      throw new UserError(`A session id has up to ${ID_BYTES_MAX} bytes, percent-encoded.`);
    }
    this.#memory = memory;
    this.#prefix = `openai-agents/${id}`;
    this.#now = now;
  }

  /** Reads the head. */
  async head(): Promise<SessionHead> {
    const record = await this.#memory.read({ name: `${this.#prefix}/head` });
    if (record === undefined) return { state: emptyState };
    const { record_id, revision, payload } = record;
    const data = payload.content.data as HeadData | null | undefined;
    if (data?.format !== 1) {
      throw new UserError(`The record ${this.#prefix}/head is not the head of a session.`);
    }
    const { pages, items, operationPages, operations } = data;
    const state = { pages, tail: readItems(items), operationPages, operations };
    return { record: { record_id, revision }, state };
  }

  /** Returns the items of pages in their order; `undefined` if the head was changed meanwhile. */
  async items(
    head: SessionHead,
    pages: readonly PageRef[],
  ): Promise<AgentInputItem[][] | undefined> {
    const ids = pages.map(([id]) => id);
    const found = await this.#pages<{ items: string }>(head, ids);
    return found?.map((page, index) => {
      return page === undefined ? [] : readItems(page.items).slice(0, pages[index]?.[1]);
    });
  }

  /** Returns the applied operations of all pages, or `undefined` as {@link items} does. */
  async operations(head: SessionHead): Promise<Operation[] | undefined> {
    const found = await this.#pages<{ operations: Operation[] }>(head, head.state.operationPages);
    return found?.flatMap((page) => page?.operations ?? []);
  }

  /** Commits a change of a head. Returns false if it isn't current any more. */
  async commit(head: SessionHead, change: SessionChange): Promise<boolean> {
    const { record } = head;
    const { tail, ...state } = change.state;
    const data: HeadData = { format: 1, ...state, items: writeItems(tail) };
    const payload = this.#payload(data, shownText(tail));
    return this.#commit([
      record === undefined
        ? { type: 'put', name: `${this.#prefix}/head`, expected_revision: 0, record: payload }
        : { type: 'update', ...target(record), record: payload },
      ...change.written.map((page) => this.#writing(page)),
      ...change.removed.map((id) => this.#removing(id)),
    ]);
  }

  /** Removes everything. Returns false if the head isn't current any more. */
  async clear({ record, state }: SessionHead): Promise<boolean> {
    if (record === undefined) return true;
    const ids = [...state.pages.map(([id]) => id), ...state.operationPages];
    return this.#commit([
      { type: 'delete', ...target(record) },
      ...ids.map((id) => this.#removing(id)),
    ]);
  }

  /** A page that is gone although the head names it has expired; it counts as empty. */
  async #pages<P>(
    head: SessionHead,
    ids: readonly string[],
  ): Promise<(P | undefined)[] | undefined> {
    const found: (P | undefined)[] = [];
    for (let at = 0; at < ids.length; at += FETCHED_AT_ONCE) {
      const names = ids.slice(at, at + FETCHED_AT_ONCE).map((id) => `${this.#prefix}/${id}`);
      const records = await Promise.all(names.map((name) => this.#memory.read({ name })));
      found.push(...records.map((record) => record?.payload.content.data as P | undefined));
    }
    if (!found.includes(undefined)) return found;
    const { record } = await this.head();
    const isCurrent =
      record?.record_id === head.record?.record_id && record?.revision === head.record?.revision;
    return isCurrent ? found : undefined;
  }

  async #commit(commands: readonly MemoryChangeInput[]): Promise<boolean> {
    if (Buffer.byteLength(JSON.stringify(commands)) > CHANGE_BYTES_MAX) {
      throw new SessionLimitError('change_bytes');
    }
    try {
      const { proposal } = await this.#memory.batch(commands);
      if (proposal !== undefined) throw new Error(WAITS);
      return true;
    } catch (error) {
      if (!(error instanceof AgentkeepError)) throw error;
      if (error.code === 'revision_conflict') return false;
      if (error.code !== 'record_not_found') throw error;
      // The head comes first, so this is either the head or a page that has expired.
      const index = Number(/^commands\[(\d+)\]/.exec(error.members[0]?.path ?? '')?.[1] ?? 0);
      return index > 0 && this.#commit(commands.filter((_, each) => each !== index));
    }
  }

  #writing(page: NewPage): MemoryChangeInput {
    const record =
      'items' in page
        ? this.#payload({ items: writeItems(page.items) }, shownText(page.items))
        : this.#payload({ operations: page.operations }, '');
    return { type: 'put', name: `${this.#prefix}/${page.id}`, expected_revision: 0, record };
  }

  #removing(id: string): MemoryChangeInput {
    return { type: 'remove', name: `${this.#prefix}/${id}` };
  }

  #payload(data: RecordInput['content']['data'], primary: string): RecordInput {
    return {
      episode_type: 'Conversation',
      content: { primary, data },
      event_time_millis: this.#now(),
      tags: ['openai-agents'],
    };
  }
}

function target({ record_id, revision }: NonNullable<SessionHead['record']>) {
  return { record_id, expected_revision: revision };
}
