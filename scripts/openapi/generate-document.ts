/** Generates the published contract from the operations, their routes and the error catalogue. */
import {
  CONTRACT_DOCUMENT_VERSION,
  type OperationName,
  operations,
} from '../../packages/core/src/index.ts';
import type { Operation } from '../../packages/core/src/transport.ts';
import type * as v from 'valibot';
import { contractRoute, type Route, routes } from '../../packages/client/src/routes.ts';
import type {
  OpenApiDocument,
  OperationObject,
} from '../../packages/server/src/openapi/openapi-document.ts';
import { errorSchemas } from './error-schemas.ts';
import { errorsOf, errorsOfPublicCall, responseComponents } from './errors.ts';
import { forGenerators } from './for-generators.ts';
import { headerComponents } from './headers.ts';
import { contractOperation, type InputParts, operationObject } from './operation-object.ts';
import { SchemaConverter } from './schema-converter.ts';
import { security, securitySchemes } from './security.ts';

const info = {
  title: 'Agentkeep',
  version: CONTRACT_DOCUMENT_VERSION,
  summary: 'Durable identity and scoped memory for AI agents.',
  description: [
    'Documents are closed: undocumented members are refused.',
    'Integers are at most 2^53 - 1, and times are Unix milliseconds.',
    'Branch on status and error code, never on a message.',
  ].join(' '),
  license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
};

const tagDescriptions: Readonly<Record<string, string>> = {
  'Login accounts': 'Login accounts of people on the platform surface, and their logins.',
  Administration: 'The installation: its credentials, tenants and accounts.',
  'Sign-in': 'How people sign in by issuers, with OpenID Connect.',
  Sessions: 'Logins of people, and their access tokens.',
  Keys: 'API keys of an account.',
  Connections: 'Programs that an account connected by OAuth.',
  Users: 'Accounts of people, with their roles and passwords.',
  Lockouts: 'Names that are locked after failed logins or by an administrator.',
  RateLimits: 'How many requests a client may make to each part of the API.',
  Operations: 'Snapshots and statistics of the installation.',
  Health: 'Whether the process is alive, and which version it serves.',
  Access: 'Scopes and subjects of a tenant, and who reaches what.',
  Erasure: 'Subjects and scopes that are erased for good, with certificates.',
  Identity: 'Credentials of a tenant: issue, inspect, rotate, revoke.',
  Audit: 'What was done, by whom, and with which result.',
  Learning:
    'Procedures of a scope: proposed, evaluated under a learning policy, selected once they ' +
    'qualify.',
  Tools:
    'Executors, artifacts, and the development of tools, which Agentkeep coordinates but never ' +
    'runs.',
  Experiences: 'Attempts in an evaluation context, and what their reporters observed.',
  Exports: 'Memory of a tenant, a subject or a scope as lines of JSON, and their import.',
  Webhooks: 'Changes of memory, delivered to addresses that a tenant chooses.',
  Memory: 'Records of a scope: written by command, read by id, found by query.',
};

/** Generates the contract; every call returns an equal document. */
export function generateDocument(): OpenApiDocument {
  const document = documentWithDefaults();
  const { components } = document;
  const schemas = forGenerators(components.schemas);
  return { ...document, components: { ...components, schemas } };
}

/** Returns the contract in the form that reference pages read: defaults are members of schemas. */
export function documentWithDefaults(): OpenApiDocument {
  const all = operationsInOrder();
  const schemas = new SchemaConverter(
    all.flatMap(([, { input }]) => requestSchemas(input)),
    all.map(([, { output }]) => output),
  );
  const errors = [errorsOfPublicCall, ...all.map(([name, operation]) => errorsOf(name, operation))];
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/' }],
    security,
    tags: tagsOf(Object.values(operations).map(({ tag }) => tag)),
    paths: pathsOf([
      ...all.map(([name, operation]): [Route, OperationObject] => [
        routes[name],
        operationObject(name, operation, routes[name], schemas),
      ]),
      [contractRoute, contractOperation(contractRoute, operations.getHealth.tag)],
    ]),
    components: {
      schemas: { ...schemas.components(), ...errorSchemas(errors) },
      responses: responseComponents(errors),
      headers: headerComponents,
      securitySchemes,
    },
  };
}

/** Returns the operations in the order of the routes. */
function operationsInOrder(): readonly [OperationName, Operation][] {
  const names = Object.keys(routes) as OperationName[];
  return names.map((name) => [name, operations[name]]);
}

function requestSchemas({ id, parameters, document }: InputParts): v.GenericSchema[] {
  return [id, parameters, document].filter((schema) => schema !== undefined);
}

function tagsOf(names: readonly string[]): OpenApiDocument['tags'] {
  return [...new Set(names)].map((name) => {
    const description = tagDescriptions[name];
    if (description === undefined) throw new Error(`The tag ${name} is not described.`);
    return { name, description };
  });
}

function pathsOf(routed: readonly (readonly [Route, OperationObject])[]): OpenApiDocument['paths'] {
  const paths: Record<string, Record<string, OperationObject>> = {};
  for (const [{ method, path }, operation] of routed) {
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  }
  return paths;
}
