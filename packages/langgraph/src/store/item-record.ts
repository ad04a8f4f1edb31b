/** An item of the store in the form of its record. */
import { cutText, type MemoryRecord, type RecordInput } from '@agentkeep/client';
import type { Item, PutOperation } from '@langchain/langgraph-checkpoint';
import { recordName } from '../record-names.js';
import { textsAt } from './indexed-text.js';
import { lifetimeOf, type PutOptions } from './item-lifetime.js';
import { tagsOf } from './namespace-tags.js';

/** A put, with the further options of the stores of LangGraph. */
export type ItemPut = PutOperation & { readonly options?: PutOptions | undefined };

/** The settings of a store for its items. */
export interface ItemSettings {
  /** What is embedded of a value where a put says nothing. */
  readonly fields: readonly string[];
  /** Minutes that an item lives when its put says nothing. */
  readonly defaultTtl: number | undefined;
}

/** UTF-16 units of the text of an item, which words and vectors find. */
const TEXT_UNITS = 8_000;

/** Returns the name of the record of an item. */
export function itemName(namespace: readonly string[], key: string): Promise<string> {
  return recordName('item', ...namespace, key);
}

/** Returns the record of an item. The value is converted as JSON converts it. */
export function itemRecord(
  { namespace, key, value, index, options }: ItemPut,
  { fields, defaultTtl }: ItemSettings,
): RecordInput {
  const json: unknown = JSON.parse(JSON.stringify(value));
  const texts = index === false ? [] : (index ?? fields).flatMap((path) => textsAt(json, path));
  const lifetime = lifetimeOf(options?.ttl ?? defaultTtl);
  return {
    ...lifetime,
    episode_type: { Custom: 'langgraph.item' },
    content: {
      primary: cutText(texts.join('\n').toWellFormed(), TEXT_UNITS),
      data: json,
    },
    event_time_millis: Date.now(),
    tags: tagsOf(namespace),
    metadata: { ...lifetime.metadata, namespace, key },
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
