/** The notes of transaction bodies about events, which are appended when the body has run. */
import type { AuditDraft } from '../audit/audit.js';
import { INSTALLATION } from '../../storage/store/key.js';

/** An event that commits with the transaction. */
export class NotedEvent {
  readonly draft: AuditDraft;
  /** When it was noticed, in Unix milliseconds. */
  readonly noticedAtMillis: number;

  constructor(draft: AuditDraft, noticedAtMillis: number) {
    this.draft = draft;
    this.noticedAtMillis = noticedAtMillis;
  }
}

/** The events of one authority, in order. */
export interface NotedEvents {
  readonly drafts: AuditDraft[];
  /** When the last of them was noticed, in Unix milliseconds. */
  nowMs: number;
}

const NONE: ReadonlyMap<string, NotedEvents> = new Map();

/** Returns the noted events of each authority. */
export function notedIn(notes: readonly object[]): ReadonlyMap<string, NotedEvents> {
  if (!notes.some((note) => note instanceof NotedEvent)) return NONE;
  const noted = new Map<string, NotedEvents>();
  for (const note of notes) {
    if (!(note instanceof NotedEvent)) continue;
    const { draft, noticedAtMillis } = note;
    const authority = draft.tenantId ?? INSTALLATION;
    const known = noted.get(authority);
    if (known === undefined) {
      noted.set(authority, { drafts: [draft], nowMs: noticedAtMillis });
    } else {
      known.drafts.push(draft);
      known.nowMs = Math.max(known.nowMs, noticedAtMillis);
    }
  }
  return noted;
}
