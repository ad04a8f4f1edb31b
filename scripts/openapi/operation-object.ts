/** Describes one operation: its input, the authority it needs and its responses. */
import type { OperationName } from '../../packages/core/src/index.ts';
import type {
  GlobalRequirement,
  PartyRequirement,
} from '../../packages/core/src/kernel/access/authorize.ts';
import {
  capabilitiesOf,
  needsScope,
  type Operation,
  type TenantOperation,
} from '../../packages/core/src/kernel/operation/operation.ts';
import type * as v from 'valibot';
import { parameterOf, type Route } from '../../packages/client/src/routes.ts';
import type {
  Content,
  OperationObject,
  ParameterObject,
  ResponseObject,
  SchemaNode,
} from '../../packages/server/src/openapi/openapi-document.ts';
import { errorResponses, errorsOf, errorsOfPublicCall } from './errors.ts';
import { headersOf } from './headers.ts';
import type { SchemaConverter } from './schema-converter.ts';
import { securityOf } from './security.ts';
import { entriesOf, mayBeLeftOut } from './schema-walk.ts';

/** The parts of an operation's input. */
export interface InputParts {
  readonly id?: v.GenericSchema;
  readonly parameters?: v.GenericSchema;
  readonly document?: v.GenericSchema;
}

/** A body of JSON. */
interface JsonContent extends Content {
  readonly 'application/json': { readonly schema: SchemaNode };
}

/** Describes an operation of the core at its route. */
export function operationObject(
  name: OperationName,
  operation: Operation,
  route: Route,
  schemas: SchemaConverter,
): OperationObject {
  const input: InputParts = operation.input;
  const parameters = [...pathParameters(route, input, schemas), ...queryParameters(input, schemas)];
  const { document } = input;
  return {
    operationId: name,
    summary: operation.summary,
    description: needs(operation, route),
    tags: [operation.tag],
    security: securityOf(operation),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(document === undefined
      ? {}
      : {
          requestBody: {
            required: operation.document?.presence !== 'optional',
            content: withExample(operation, json(schemas.request(document))),
          },
        }),
    responses: {
      [route.status]: streamed(route, success(schemas.answer(operation.output))),
      ...(route.mayWait ? { 202: waiting(schemas.answer(operation.output)) } : {}),
      ...errorResponses(errorsOf(name, operation)),
    },
  };
}

/** Describes the operation that returns the contract itself. */
export function contractOperation(route: Route, tag: string): OperationObject {
  return {
    operationId: 'getContract',
    summary: 'Fetch this contract.',
    description: 'Needs no proof.',
    tags: [tag],
    security: [],
    responses: {
      [route.status]: success({ type: 'object', description: 'An OpenAPI 3.1.0 document.' }),
      ...errorResponses(errorsOfPublicCall),
    },
  };
}

function pathParameters(
  { path }: Route,
  { id }: InputParts,
  schemas: SchemaConverter,
): ParameterObject[] {
  const name = parameterOf(path);
  if ((name === undefined) !== (id === undefined)) {
    throw new Error(`${path} does not fit its operation.`);
  }
  if (name === undefined || id === undefined) return [];
  return [{ name, in: 'path', required: true, schema: schemas.request(id) }];
}

function queryParameters({ parameters }: InputParts, schemas: SchemaConverter): ParameterObject[] {
  if (parameters === undefined) return [];
  return entriesOf(parameters).map(([name, member]) => ({
    name,
    in: 'query',
    required: !mayBeLeftOut(member),
    schema: schemas.request(member),
  }));
}

function needs(operation: Operation, { surface }: Route): string {
  switch (operation.kind) {
    case 'public':
      return 'Needs no proof.';
    case 'tenant':
      return tenantNeeds(operation);
    case 'installation':
      return globalNeeds(operation.requires);
    case 'account':
      return surface === 'platform' ? NO_CAPABILITY : needsOfParty(operation.requires);
  }
}

function tenantNeeds(operation: TenantOperation): string {
  const names = capabilitiesOf(operation).map((each) => `\`${each}\``);
  if (names.length === 0) return NO_CAPABILITY;
  const where = needsScope(operation) ? ', and authority over the scope' : '';
  return `Needs the capability ${names.join(' or ')}${where}.`;
}

function globalNeeds(requirement: GlobalRequirement): string {
  if (requirement === 'any') return 'Needs a credential of the installation, but no capability.';
  return requirement === 'master'
    ? 'Needs the master of the installation.'
    : `Needs the capability \`${requirement}\` in the installation.`;
}

const NO_CAPABILITY = 'Needs a proof, but no capability.';

const partyNeeds: Readonly<Record<NonNullable<PartyRequirement['party']>, string>> = {
  account: 'Needs an account.',
  login: 'Needs an account in a session; an API key is not enough.',
  session: 'Needs a session: an access token or an opaque session token.',
  self: 'Needs an account; the role `Admin` to act on other accounts.',
};

function needsOfParty(requires: PartyRequirement): string {
  if (requires.party !== undefined) return partyNeeds[requires.party];
  return requires.isInstallation === true
    ? `Needs the role \`${requires.role}\` of the installation.`
    : `Needs the role \`${requires.role}\`; for a credential, \`credential_admin\` is enough.`;
}

/** The answer to a change that waits for review. */
function waiting(schema: SchemaNode): ResponseObject {
  return { ...success(schema), description: 'The change waits for review in a proposal.' };
}

function success(schema: SchemaNode): ResponseObject {
  return { description: 'Done.', headers: headersOf(200), content: json(schema) };
}

/** Adds the stream that a client can request instead of a page. */
function streamed(route: Route, answer: ResponseObject): ResponseObject {
  return withLines(route, withEvents(route, answer));
}

/** Adds the stream of changes. */
function withEvents({ hasEvents }: Route, answer: ResponseObject): ResponseObject {
  if (!hasEvents) return answer;
  const description =
    'Server-sent events: each change as an event `change`, with its cursor as `id`. ' +
    '`Last-Event-ID` takes the place of `after`.';
  const events = { 'text/event-stream': { schema: { type: 'string', description } } };
  return { ...answer, content: { ...answer.content, ...events } };
}

/** Adds the stream of an export. */
function withLines({ hasLines }: Route, answer: ResponseObject): ResponseObject {
  if (!hasLines) return answer;
  const description =
    'Lines of JSON: those of all pages, with a line `page` between two of them, whose `after` ' +
    'leads on. A stream that fails ends with a line `error` instead of the manifest.';
  const lines = { 'application/x-ndjson': { schema: { type: 'string', description } } };
  return { ...answer, content: { ...answer.content, ...lines } };
}

/** Adds an example that the operation accepts. */
function withExample(operation: Operation, { 'application/json': body }: JsonContent): Content {
  return { 'application/json': { ...body, example: operation.example.document } };
}

function json(schema: SchemaNode): JsonContent {
  return { 'application/json': { schema } };
}
