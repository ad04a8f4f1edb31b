/**
 * Checks answers against the published contract: status, headers and body.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/** Codes of calls that reach no operation, by status. */
const elsewhere: Readonly<Record<number, string>> = {
  404: 'not_found',
  405: 'method_not_allowed',
};

/** The answer that any call can get. */
const rateLimited: Described | Reference = {
  $ref: '#/components/responses/RateLimitExceeded429',
};

const mediaType = 'application/json';
const documentId = 'contract';

interface Reference {
  readonly $ref: string;
}

interface DescribedHeader {
  readonly required: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** An answer as the contract describes it. */
interface Described {
  readonly description: string;
  readonly headers: Readonly<Record<string, Reference>>;
  readonly content: Readonly<Record<string, { readonly schema: object }>>;
}

/** Operations of a path, by method. */
type Methods = Readonly<
  Record<string, { readonly responses: Readonly<Record<string, Described | Reference>> }>
>;

/** The parts of an OpenAPI document that the check reads. */
export interface Contract {
  readonly paths: Readonly<Record<string, Methods>>;
}

/** The parts of a response that are checked. */
export interface ContractAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Checks answers against one document. */
export class ContractCheck {
  readonly #contract: Contract;
  readonly #ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false });
  /** Compiled schemas of the document, which never changes. */
  readonly #compiled = new WeakMap<object, ValidateFunction>();
  readonly #templates: readonly (readonly [template: readonly string[], methods: Methods])[];

  constructor(contract: Contract) {
    this.#contract = contract;
    formats.default(this.#ajv);
    // The members of the document hold schemas but are no keywords of JSON Schema.
    this.#ajv.addVocabulary(Object.keys(contract));
    this.#ajv.addSchema({ ...contract, $id: documentId }, documentId);
    this.#templates = Object.entries(contract.paths).map(
      ([template, methods]) => [template.split('/'), methods] as const,
    );
  }

  /**
   * Checks a response to a request and returns its body. The response stays readable.
   * @param method The method of the request; `HEAD` counts as `GET`.
   * @param path The path of the request; a query string is ignored.
   * @throws {Error} when the contract does not describe the response.
   */
  async response(method: string, path: string, response: Response): Promise<unknown> {
    const { status, headers } = response;
    // A stream may never end, and its parts are described in words.
    const text = isStream(headers) ? '' : await response.clone().text();
    return this.answer(method, path, { status, headers, text });
  }

  /**
   * Checks an answer whose text is read already, as {@link ContractCheck.response} does.
   * @throws {Error} when the contract does not describe the answer.
   */
  answer(method: string, path: string, answer: ContractAnswer): unknown {
    const { status, headers, text } = answer;
    const where = `${method} ${path}: ${status}`;
    const described = this.#describedAnswer(method, path, status);
    if (described === undefined) throw new Error(`${where} is not in the contract.`);
    this.#checkHeaders(where, described, headers);
    if (method === 'HEAD') {
      if (text !== '') throw new Error(`${where} has a body.`);
      return undefined;
    }
    const type = headers.get('content-type') ?? '';
    if (isStream(headers) && type in described.content) return undefined;
    if (type !== mediaType) {
      throw new Error(`${where} is not ${mediaType}.`);
    }
    const schema = described.content[mediaType]?.schema;
    const body: unknown = JSON.parse(text);
    if (schema !== undefined) this.#check(`${where} body`, schema, body);
    requireErrorOf(where, described, answer, body);
    return body;
  }

  /** Whether the contract has a path and what to answer there to a method. */
  describes(method: string, path: string): boolean {
    return method !== 'OPTIONS' && this.#operationsAt(path) !== undefined;
  }

  #describedAnswer(method: string, path: string, status: number): Described | undefined {
    const methods = this.#operationsAt(path);
    const operation = methods?.[(method === 'HEAD' ? 'GET' : method).toLowerCase()];
    const outside = methods === undefined ? 404 : 405;
    if (operation === undefined && status === 429) return this.#resolved(rateLimited);
    if (operation === undefined) {
      return status === outside ? this.#outsideAnswer(status, methods) : undefined;
    }
    const response = operation.responses[status];
    return response === undefined ? undefined : this.#resolved(response);
  }

  /** The operations of the path template that a path fits. */
  #operationsAt(path: string): Methods | undefined {
    const [pathname = ''] = path.split('?', 1);
    const segments = pathname.split('/');
    return this.#templates.find(([wanted]) => {
      return (
        wanted.length === segments.length &&
        wanted.every((want, index) => {
          const segment = segments[index];
          return want.startsWith('{') ? segment !== '' : want === segment;
        })
      );
    })?.[1];
  }

  /** The answer to a call that reaches no operation has the form of other errors of its path. */
  #outsideAnswer(status: number, methods: Methods | undefined): Described {
    const [operation] = Object.values(methods ?? {});
    const { headers, content } = this.#resolved<Described>(
      operation?.responses['500'] ?? { $ref: '#/components/responses/InternalError500' },
    );
    return { description: `Code: \`${String(elsewhere[status])}\`.`, headers, content };
  }

  #checkHeaders(where: string, described: Described, headers: Headers): void {
    for (const [name, reference] of Object.entries(described.headers)) {
      const { required, schema } = this.#resolved<DescribedHeader>(reference);
      const text = headers.get(name);
      if (text !== null) {
        const isNumber = schema['type'] === 'integer' && /^\d+$/.test(text);
        this.#check(`${where} ${name}`, schema, isNumber ? Number(text) : text);
      } else if (required) throw new Error(`${where} lacks ${name}.`);
    }
  }

  #check(what: string, schema: object, value: unknown): void {
    const known = this.#compiled.get(schema);
    const validate = known ?? this.#ajv.compile(located(JSON.stringify(schema)));
    this.#compiled.set(schema, validate);
    if (!validate(value)) throw new Error(`${what}: ${this.#ajv.errorsText(validate.errors)}`);
  }

  #resolved<T extends object>(node: T | Reference): T {
    if (!('$ref' in node)) return node;
    const parts = node.$ref.replace('#/', '').split('/');
    let found: unknown = this.#contract;
    for (const part of parts) found = (found as Record<string, unknown>)[part];
    if (found === undefined) throw new Error(`${node.$ref} leads nowhere.`);
    return found as T;
  }
}

/** Requires an error to have one of the codes that its response names. */
function requireErrorOf(
  where: string,
  { description }: Described,
  { status, headers }: ContractAnswer,
  body: unknown,
): void {
  if (status === 405 && !headers.has('allow')) throw new Error(`${where} lacks Allow.`);
  if (status < 400 || status === 429) return;
  const { error } = body as { error: string | { code: string } };
  const code = typeof error === 'string' ? error : error.code;
  if (!description.includes(`\`${code}\``)) throw new Error(`${where} has the code ${code}.`);
}

/** Whether an answer is sent part by part. */
function isStream(headers: Headers): boolean {
  const type = headers.get('content-type') ?? '';
  return type === 'text/event-stream' || type === 'application/x-ndjson';
}

/** A schema whose references lead into the document. */
function located(text: string): object {
  return JSON.parse(text.replaceAll('{"$ref":"#/', `{"$ref":"${documentId}#/`)) as object;
}
