/**
 * The normal form of a command, in which "the same command" means equal (contract, identity-memory
 * 4.3): defaults are filled in, ids are lower case, embeddings are 32-bit floats, and the order of
 * members does not matter.
 * @module
 */
import { sha256Text } from '../contract/digest.js';
import { canonicalJson, type JsonValue } from '../contract/schema/json.js';
import type { MemoryChange, RecordPayload } from './schema.js';

/** A payload as it is stored: its embedding rounded to 32-bit floats. */
export function storedPayload(payload: RecordPayload): RecordPayload {
  const { embedding } = payload.content;
  if (embedding === null) return payload;
  return { ...payload, content: { ...payload.content, embedding: embedding.map(Math.fround) } };
}

/** Digest of a change in normal form. The scope and the key name the space that it is stored in. */
export function fingerprintOf(change: MemoryChange): string {
  return sha256Text(JSON.stringify(normalForm(change)), 'base64url');
}

function normalForm(change: MemoryChange): readonly JsonValue[] {
  switch (change.type) {
    case 'create':
      return [change.type, ...payloadForm(change.record)];
    case 'update':
      return [
        change.type,
        change.record_id,
        change.expected_revision,
        ...payloadForm(change.record),
      ];
    case 'delete':
      return [change.type, change.record_id, change.expected_revision];
  }
}

function payloadForm(payload: RecordPayload): readonly JsonValue[] {
  const { primary, secondary, context, data, embedding } = payload.content;
  return [
    typeof payload.episode_type === 'string' ? payload.episode_type : [payload.episode_type.Custom],
    primary,
    secondary,
    context,
    canonicalJson(data as JsonValue),
    embedding === null ? null : embedding.map(Math.fround),
    payload.event_time_millis,
    payload.valid_until_millis,
    payload.tags,
    canonicalJson(payload.metadata as JsonValue),
  ];
}
