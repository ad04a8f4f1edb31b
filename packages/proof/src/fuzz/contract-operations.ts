/**
 * The operations of a published contract, as the fuzzer reads them.
 * @module
 */

/** A schema of the contract; only the keywords that the contract uses. */
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
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: Schema;
}

/** An operation with all that a request to it can hold. */
export interface ContractOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
  /** Who can succeed: names of rights, any of which is enough; empty for everyone. */
  readonly needs: readonly string[];
}

/** Schemas by their name in the contract. */
export type Schemas = Readonly<Record<string, Schema>>;

/** What is read of a contract. */
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

/** Reads the text of `/openapi.json`. */
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

/** The sentence in which the contract tells who may call, and the rights that it asks for. */
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

/** The schema that a reference leads to; any other schema as it is. */
export function resolved(schemas: Schemas, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const found = schemas[nameOf(schema.$ref)];
  if (found === undefined) throw new Error(`${schema.$ref} leads nowhere.`);
  return resolved(schemas, found);
}

/** The name at the end of a reference. */
export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
