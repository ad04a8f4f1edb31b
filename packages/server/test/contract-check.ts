/**
 * Checks a response against the published contract: status, headers and body.
 * @module
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { contractDocument } from '../src/openapi/document.js';
import type { HeaderObject, Reference, ResponseObject } from '../src/openapi/openapi-document.js';

/** What calls that reach no operation answer with, by status. */
const elsewhere: Readonly<Record<number, string>> = {
  404: 'not_found',
  405: 'method_not_allowed',
};

/** What can come in place of any answer. */
const rateLimited: ResponseObject | Reference = {
  $ref: '#/components/responses/RateLimitExceeded429',
};

const mediaType = 'application/json';
const documentId = 'contract';

const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false });
formats.default(ajv);
// The members of the document are no keywords of JSON Schema; they only hold schemas.
ajv.addVocabulary(Object.keys(contractDocument));
ajv.addSchema({ ...contractDocument, $id: documentId }, documentId);

/** What was compiled of each schema of the document, which is made once and never changes. */
const compiled = new WeakMap<object, ValidateFunction>();

/** What is looked at of a response. */
export interface ContractAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Checks a response to a request, and gives its body back; the response stays readable.
 * @param method The method of the request; `HEAD` counts as `GET`.
 * @param path The path of the request; a query string is ignored.
 * @throws {Error} when the contract does not describe the response.
 */
export async function assertContractResponse(
  method: string,
  path: string,
  response: Response,
): Promise<unknown> {
  const { status, headers } = response;
  const text = await response.clone().text();
  return assertContractAnswer(method, path, { status, headers, text });
}

/**
 * Checks an answer whose text is read, as {@link assertContractResponse} does.
 * @throws {Error} when the contract does not describe the answer.
 */
export function assertContractAnswer(
  method: string,
  path: string,
  answer: ContractAnswer,
): unknown {
  const { status, headers, text } = answer;
  const where = `${method} ${path}: ${status}`;
  const documented = documentedResponse(method, path, status);
  if (documented === undefined) throw new Error(`${where} is not in the contract.`);
  checkHeaders(where, documented, headers);
  if (method === 'HEAD') {
    if (text !== '') throw new Error(`${where} has a body.`);
    return undefined;
  }
  if (headers.get('content-type') !== mediaType) {
    throw new Error(`${where} is not ${mediaType}.`);
  }
  const schema = documented.content[mediaType]?.schema;
  const body: unknown = JSON.parse(text);
  if (schema !== undefined) check(`${where} body`, schema, body);
  requireErrorOf(where, documented, answer, body);
  return body;
}

function documentedResponse(
  method: string,
  path: string,
  status: number,
): ResponseObject | undefined {
  const methods = operationsAt(path);
  const operation = methods?.[(method === 'HEAD' ? 'GET' : method).toLowerCase()];
  const outside = methods === undefined ? 404 : 405;
  if (operation === undefined && status === 429) return resolved(rateLimited);
  if (operation === undefined) {
    return status === outside ? outsideResponse(status, methods) : undefined;
  }
  const response = operation.responses[status];
  return response === undefined ? undefined : resolved(response);
}

const templates = Object.entries(contractDocument.paths).map(
  ([template, methods]) => [template.split('/'), methods] as const,
);

/** The operations of the path template that a path fits, by method. */
function operationsAt(path: string) {
  const [pathname = ''] = path.split('?', 1);
  const segments = pathname.split('/');
  return templates.find(([wanted]) => {
    return (
      wanted.length === segments.length &&
      wanted.every((want, index) => {
        const segment = segments[index];
        return want.startsWith('{') ? segment !== '' : want === segment;
      })
    );
  })?.[1];
}

/** The answer to a call that reaches no operation: as other errors of its path are described. */
function outsideResponse(status: number, methods: ReturnType<typeof operationsAt>): ResponseObject {
  const [operation] = Object.values(methods ?? {});
  const { headers, content } = resolved<ResponseObject>(
    operation?.responses['500'] ?? { $ref: '#/components/responses/InternalError500' },
  );
  return { description: `Code: \`${String(elsewhere[status])}\`.`, headers, content };
}

function checkHeaders(where: string, documented: ResponseObject, headers: Headers): void {
  for (const [name, reference] of Object.entries(documented.headers)) {
    const { required, schema } = resolved<HeaderObject>(reference);
    const text = headers.get(name);
    if (text !== null) {
      const isNumber = schema['type'] === 'integer' && /^\d+$/.test(text);
      check(`${where} ${name}`, schema, isNumber ? Number(text) : text);
    } else if (required) throw new Error(`${where} lacks ${name}.`);
  }
}

/** An error has one of the codes that its response names. */
function requireErrorOf(
  where: string,
  { description }: ResponseObject,
  { status, headers }: ContractAnswer,
  body: unknown,
): void {
  if (status === 405 && !headers.has('allow')) throw new Error(`${where} lacks Allow.`);
  if (status < 400 || status === 429) return;
  const { error } = body as { error: string | { code: string } };
  const code = typeof error === 'string' ? error : error.code;
  if (!description.includes(`\`${code}\``)) throw new Error(`${where} has the code ${code}.`);
}

function check(what: string, schema: object, value: unknown): void {
  const validate = compiled.get(schema) ?? ajv.compile(located(JSON.stringify(schema)));
  compiled.set(schema, validate);
  if (!validate(value)) throw new Error(`${what}: ${ajv.errorsText(validate.errors)}`);
}

/** The schema with its references into the document, wherever in it they are. */
function located(text: string): object {
  return JSON.parse(text.replaceAll('{"$ref":"#/', `{"$ref":"${documentId}#/`)) as object;
}

function resolved<T extends object>(node: T | Reference): T {
  if (!('$ref' in node)) return node;
  const parts = node.$ref.replace('#/', '').split('/');
  let found: unknown = contractDocument;
  for (const part of parts) found = (found as Record<string, unknown>)[part];
  if (found === undefined) throw new Error(`${node.$ref} leads nowhere.`);
  return found as T;
}
