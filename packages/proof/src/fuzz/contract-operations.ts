/** Reads the operations of a published contract. */

/** A schema of the contract, with only the keywords that the contract uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly not?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly maxProperties?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
}

/** A parameter of a path or of a query. */
interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: Schema;
}

/** An operation with all parts of its requests. */
export interface ContractOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
  /** Names of rights, any of which suffices; empty if none is required. */
  readonly needs: readonly string[];
}

/** Schemas by their name in the contract. */
export type Schemas = Readonly<Record<string, Schema>>;

/** The relevant parts of a contract. */
export interface Contract {
  readonly operations: readonly ContractOperation[];
  readonly schemas: Schemas;
}

interface PublishedOperation {
  readonly operationId: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: Schema }>> };
}

interface Published {
  readonly paths: Readonly<Record<string, Readonly<Record<string, PublishedOperation>>>>;
  readonly components: { readonly schemas: Schemas };
}

/** Parses the text of `/openapi.json`. */
export function readContract(text: string): Contract {
  const { paths, components } = JSON.parse(text) as Published;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => read(path, method, operation)),
  );
  return { operations, schemas: components.schemas };
}

function read(path: string, method: string, operation: PublishedOperation): ContractOperation {
  const {
    operationId: id,
    description = '',
    parameters = [],
    security = [],
    requestBody,
  } = operation;
  const body = requestBody?.content['application/json']?.schema;
  const isForAccounts = security.length === 1 && security[0]?.['loginSession'] !== undefined;
  const needs = needsOf(description);
  if (isForAccounts && needs.includes('tenant')) needs.push('session');
  return { id, method: method.toUpperCase(), path, parameters, body, needs };
}

/** Sentences of the contract that name the permitted callers, with the rights that they require. */
const NEEDS: readonly (readonly [RegExp, (found: RegExpExecArray) => string[]])[] = [
  [/the master of the installation/, () => ['master']],
  [/role `Admin` of the installation/, () => ['installation Admin']],
  [/an account for itself, and the role `Admin`/, () => ['Admin', 'account']],
  [/the role `Admin`/, () => ['Admin']],
  [/the capability `(\w+)` in the installation/, ([, name = '']) => [`installation ${name}`]],
  [/the capability `(\w+)` or `(\w+)`/, ([, one = '', other = '']) => [one, other]],
  [/the capability `(\w+)`/, ([, name = '']) => [name]],
  [/a credential of the installation/, () => ['installation']],
  [/an account in a session|a session:/, () => ['session']],
  [/an account/, () => ['account']],
  [/a proof/, () => ['tenant']],
];

function needsOf(description: string): string[] {
  for (const [sentence, rights] of NEEDS) {
    const found = sentence.exec(description);
    if (found !== null) return rights(found);
  }
  return [];
}

/** Returns the target of a reference, or the schema itself if it is no reference. */
export function resolved(schemas: Schemas, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const found = schemas[nameOf(schema.$ref)];
  if (found === undefined) throw new Error(`${schema.$ref} leads nowhere.`);
  return resolved(schemas, found);
}

/** Returns the name at the end of a reference. */
export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
