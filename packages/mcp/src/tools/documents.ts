/** The documents and arguments that several tools take. */
import schemas from '../../tool-schemas.json' with { type: 'json' };
import { type JsonSchema, listOf, type ObjectSchema, text } from '../json-schema.js';

type DocumentName = Exclude<keyof typeof schemas, 'MemoryOperation'>;

/** Returns the schema of a document of the contract, without what the tools fill in. */
export function documentOf(name: DocumentName): ObjectSchema {
  return (schemas as unknown as Readonly<Record<DocumentName, ObjectSchema>>)[name];
}

/** The changes of a batch, in words. */
export const changes = schemas.MemoryOperation.description;

/** The arguments that name scopes. */
export const scopeMembers = {
  scope: documentOf('MemoryScope'),
  scopes: listOf(documentOf('MemoryScope')),
} as const;

/** A record as it is written. */
export const record: JsonSchema = documentOf('RecordInput');

/** The argument that makes a repeated call safe. */
export const idempotencyKey = text('To repeat a call safely.');
