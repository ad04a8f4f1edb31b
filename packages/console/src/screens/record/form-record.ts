/** Makes the document of a record from what a form was filled with. */
import type { MemoryRecord, RecordInput } from '@agentkeep/client';
import { millisOfTime } from '../../parts/local-time.js';
import { objectOf } from '../../parts/written-json.js';
import { localValue } from '../../parts/time.js';
import { texts } from '../../texts/en/english.js';
import { episodeTypes, sources, tagsOf } from '../memory/search-filter.js';

/** The document, or what is wrong. */
export type FormRecord =
  { readonly input: RecordInput; readonly problem?: undefined } | { readonly problem: string };

/** Returns the document. What a form does not show stays as it is in the record. */
export function recordOfForm(
  sent: Readonly<Record<string, string>>,
  record: MemoryRecord | undefined,
): FormRecord {
  const metadata = membersOf(sent['metadata'] ?? '{}');
  if (metadata === undefined) return { problem: texts.record.badJson };
  const times = timesOf(sent, record);
  if ('problem' in times) return times;
  const { content, episode_type: type } = record?.payload ?? {};
  const source = sources.find((each) => each === sent['source']);
  const input: RecordInput = {
    ...kept(record),
    episode_type: episodeTypes.find((each) => each === sent['type']) ?? type ?? 'Observation',
    content: {
      ...content,
      primary: sent['primary'] ?? '',
      secondary: sent['secondary'] ?? null,
      context: sent['context'] ?? null,
    },
    ...times,
    tags: tagsOf(sent['tags'] ?? ''),
    metadata,
    ...(source === undefined ? {} : { source }),
  };
  return { input };
}

/** Returns what no field of the form shows. */
function kept(record: MemoryRecord | undefined): Pick<RecordInput, 'derived_from'> {
  const sources = record?.payload.derived_from;
  return sources === undefined ? {} : { derived_from: sources };
}

/** A field shows minutes, so a time that was not touched keeps its milliseconds. */
function timesOf(
  sent: Readonly<Record<string, string>>,
  record: MemoryRecord | undefined,
): Pick<RecordInput, 'event_time_millis' | 'valid_until_millis'> | { readonly problem: string } {
  const { event_time_millis: event, valid_until_millis: until } = record?.payload ?? {};
  const chosen = (text: string | undefined, kept: number | null | undefined) => {
    if (text === undefined) return null;
    if (typeof kept === 'number' && localValue(kept) === text) return kept;
    return millisOfTime(text);
  };
  const [eventTime, validUntil] = [chosen(sent['event'], event), chosen(sent['until'], until)];
  if (eventTime === undefined) return { problem: texts.noTime(texts.record.eventTime) };
  if (validUntil === undefined) return { problem: texts.noTime(texts.record.validUntil) };
  const stated = eventTime ?? event;
  return {
    ...(typeof stated === 'number' ? { event_time_millis: stated } : {}),
    valid_until_millis: validUntil,
  };
}

function membersOf(text: string): Record<string, never> | undefined {
  const value = objectOf(text);
  return Array.isArray(value) ? undefined : (value as Record<string, never> | undefined);
}
