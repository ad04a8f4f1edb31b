/** The lines of memory. */
import * as v from 'valibot';
import { isUuid } from '../../../contract/schema/uuid.js';
import type { DomainLines, OwnLine } from '../../../upkeep/lines/domain-lines.js';
import { Revision } from '../../../upkeep/lines/line-schemas.js';
import { ANY, type PlainLine } from '../../../upkeep/lines/plain-line.js';
import { besideRecords } from './beside-records.js';
import { branchLines } from './import-branches.js';
import { recordWrite, revisionWrite } from './import-records.js';
import { RecordLine, RevisionLine, ShownSpaces } from './line-schemas.js';
import { recordLine, revisionLine } from './record-lines.js';

const record: OwnLine<RecordLine> = {
  name: 'record',
  isOfHistory: false,
  show: async (state, scope, entries, withHistory) => {
    const beside = await besideRecords(state, scope, entries);
    const lines = entries.map((entry) => recordLine(entry, { ...beside, withHistory }));
    return lines.filter((line) => line !== undefined);
  },
  schema: RecordLine,
  prepare: recordWrite,
};

const revision: OwnLine<RevisionLine> = {
  name: 'revision',
  isOfHistory: true,
  show: async (state, scope, entries) => {
    const beside = await besideRecords(state, scope, entries);
    return entries.map((entry) => revisionLine(entry, beside));
  },
  schema: RevisionLine,
  prepare: revisionWrite,
};

const redactedSource: PlainLine = {
  name: 'redacted_source',
  form: 'document',
  schema: v.null(),
  keyOf: () => [ANY, ANY],
  isKey: ([id, number]) => isUuid(id) && v.is(Revision, number),
};

const embeddingSpaces: PlainLine = {
  name: 'embedding_spaces',
  form: ['spaces'],
  schema: ShownSpaces,
  keyOf: () => [],
};

/** The lines of memory. */
export const memoryLines: DomainLines = {
  plain: [redactedSource, embeddingSpaces],
  own: [record, revision] as readonly OwnLine[],
  branches: branchLines,
};
