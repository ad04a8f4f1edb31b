/** JSON Schemas of tools, made from the documents of the contract. */
import schemas from '../tool-schemas.json' with { type: 'json' };

/** A JSON Schema, in the dialect of 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A JSON Schema of an object. */
export interface ObjectSchema extends JsonSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** The name of a document that tools use. */
export type DocumentName = keyof typeof schemas;

const documents: Readonly<Record<string, JsonSchema>> = schemas;

/** Members that the adapter fills in, so that no tool takes them. */
const FILLED_IN = 'contract_version';

/** Returns a reference to a document. */
export function refTo(name: DocumentName): JsonSchema {
  return { $ref: `#/$defs/${name}` };
}

/** Returns a schema of an object without further members. */
export function objectOf(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = Object.keys(properties),
): ObjectSchema {
  return { type: 'object', properties, additionalProperties: false, required };
}

/** Returns the members of a request of the contract, apart from what the adapter fills in. */
export function membersOf(name: DocumentName): ObjectSchema {
  const { properties = {}, required = [] } = documents[name] as Partial<ObjectSchema>;
  const members = Object.entries(properties).filter(([member]) => member !== FILLED_IN);
  return objectOf(
    Object.fromEntries(members),
    required.filter((member) => member !== FILLED_IN),
  );
}

/** Returns a schema with everything that it refers to. */
export function withDefinitions<S extends JsonSchema>(schema: S): S {
  const definitions: Record<string, JsonSchema> = {};
  const collect = (from: JsonSchema): void => {
    for (const [, name = ''] of JSON.stringify(from).matchAll(/"#\/\$defs\/([^"]+)"/g)) {
      const found = documents[name];
      if (found === undefined || name in definitions) continue;
      definitions[name] = found;
      collect(found);
    }
  };
  collect(schema);
  return Object.keys(definitions).length === 0 ? schema : { ...schema, $defs: definitions };
}
