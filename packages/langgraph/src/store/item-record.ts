/** An item of the store as its record holds it. */
import type { MemoryRecord, RecordInput } from '@agentkeep/client';
import type { Item, PutOperation } from '@langchain/langgraph-checkpoint';
import { recordName } from '../record-names.js';
import { textsAt } from './indexed-text.js';
import { tagsOf } from './namespace-tags.js';

/** UTF-16 units of the text of an item, which words and vectors find. */
const TEXT_UNITS = 8_000;

/** Returns the name of the record of an item. */
export function itemName(namespace: readonly string[], key: string): Promise<string> {
  return recordName('item', ...namespace, key);
}

/** Returns the record of an item. The value becomes what JSON makes of it. */
export function itemRecord(
  { namespace, key, value, index }: PutOperation,
  fields: readonly string[],
): RecordInput {
  const json: unknown = JSON.parse(JSON.stringify(value));
  const texts = index === false ? [] : (index ?? fields).flatMap((path) => textsAt(json, path));
  return {
    episode_type: { Custom: 'langgraph.item' },
    content: {
      primary: texts.join('\n').slice(0, TEXT_UNITS).toWellFormed(),
      data: json,
    },
    event_time_millis: Date.now(),
    tags: tagsOf(namespace),
    metadata: { namespace, key },
  };
}

/** Returns the item of a record. */
export function itemOf(record: MemoryRecord): Item {
  const { content, metadata } = record.payload;
  const { namespace, key } = metadata as { namespace: string[]; key: string };
  return {
    namespace,
    key,
    value: content.data as Item['value'],
    createdAt: new Date(record.created_at_millis),
    updatedAt: new Date(record.modified_at_millis),
  };
}
