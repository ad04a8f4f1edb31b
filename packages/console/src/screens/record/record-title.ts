/** How a record is called in links and buttons. */
import type { MemoryRecord } from '@agentkeep/client';
import { texts } from '../../texts/en/english.js';

const SHOWN_CHARS = 120;

/** Returns the name of a record, or the begin of its text. */
export function titleOf({ name, payload }: Pick<MemoryRecord, 'name' | 'payload'>): string {
  const text = payload.content.primary;
  const begin = text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
  return name ?? (begin || texts.memory.noText);
}
