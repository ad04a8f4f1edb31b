/**
 * The short way from a stored record to its document as JSON: the stored texts of its members go
 * into the document without being parsed. What they can't show is decoded and printed.
 */
import { placeOf, spread } from '../../../storage/store/fields.js';
import { jsonElements } from '../../../storage/store/json-elements.js';
import type { ContentSpan, ValueLayout } from '../../../storage/store/value.js';
import { payloadFields } from '../documents/payload-members.js';
import { readHead } from './record-head.js';
import { recordLayout, showRecord, type StoredRecord } from './record-layout.js';

const payloadFormat = spread(payloadFields);
const VALID_UNTIL = placeOf(payloadFields, 'valid_until_millis');
const DERIVED_FROM = placeOf(payloadFields, 'derived_from');

/** A record that is shown without being decoded. */
export interface RecordText {
  /** As in the payload of the record; `undefined` in a tombstone. */
  readonly validUntilMillis: number | null | undefined;
  /** Whether it states what it was derived from, so that it may have lost some of it. */
  readonly isDerived: boolean;
  /** Returns what `JSON.stringify` makes of {@link showRecord}. */
  readonly print: (recordId: string) => string;
}

/** Reads values of {@link recordLayout}. */
export const recordTextLayout: ValueLayout<never, RecordText> = {
  version: recordLayout.version,
  encode: () => {
    throw new TypeError('A text is never stored.');
  },
  decode: (content) => textOf(content) ?? decodedText(recordLayout.decode(content)),
};

/** Returns a record by its stored texts; `undefined` where they can't show it. */
function textOf(content: ContentSpan): RecordText | undefined {
  const { revision, createdAtMillis, modifiedAtMillis, credentialId, end } = readHead(content);
  const places = jsonElements(content.bytes.toString('utf8', end, content.end));
  const [subjectId, payload, name = 'null'] = places;
  const isMerged = places.at(-1)?.startsWith('{') === true;
  if (payload === undefined || isMerged) return undefined;
  const members = jsonElements(payload);
  const validUntil = members[VALID_UNTIL];
  const shown = payloadFormat.print?.(members, 0);
  if (validUntil === undefined || shown === undefined) return undefined;
  const named = name === 'null' ? '' : `"name":${name},`;
  return {
    validUntilMillis: validUntil === 'null' ? null : Number(validUntil),
    isDerived: members[DERIVED_FROM] !== undefined,
    print: (recordId) =>
      `{"schema_version":1,"record_id":"${recordId}",${named}"revision":${revision}` +
      `,"created_at_millis":${createdAtMillis},"modified_at_millis":${modifiedAtMillis}` +
      `,"author":{"credential_id":"${credentialId}","subject_id":${subjectId}},"payload":${shown}}`,
  };
}

function decodedText(record: StoredRecord): RecordText {
  return {
    validUntilMillis: record.payload?.valid_until_millis,
    isDerived: record.payload?.derived_from !== undefined,
    print: (recordId) => JSON.stringify(showRecord(recordId, record)),
  };
}
