/**
 * Generates the published contract from the operations, their routes and the error catalogue.
 * @module
 */
import {
  CONTRACT_DOCUMENT_VERSION,
  type Operation,
  type OperationName,
  operations,
} from '@agentkeep/core';
import type * as v from 'valibot';
import { contractRoute, type Route, routes } from '../../routes.js';
import type { OpenApiDocument, OperationObject } from '../openapi-document.js';
import { errorSchemas } from './error-schemas.js';
import { errorsOf, errorsOfPublicCall, responseComponents } from './errors.js';
import { headerComponents } from './headers.js';
import { contractOperation, type InputParts, operationObject } from './operation-object.js';
import { SchemaConverter } from './schema-converter.js';
import { security, securitySchemes } from './security.js';

const info = {
  title: 'Agentkeep',
  version: CONTRACT_DOCUMENT_VERSION,
  summary: 'Durable identity and scoped memory for AI agents.',
  description: [
    'Documents are closed: a member that is not described here is refused.',
    'Integers are at most 2^53 - 1, and times are Unix milliseconds.',
    'Branch on status and error code, never on a message.',
  ].join(' '),
  license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
};

const tagDescriptions: Readonly<Record<string, string>> = {
  'Login accounts': 'Accounts of people as the platform manages them, and its own logins.',
  Administration: 'The installation: its credentials, its tenants, its accounts.',
  Sessions: 'Logins of people, access tokens and their end.',
  Keys: 'API keys of an account.',
  Users: 'Accounts of people: made, changed, deleted; their roles and passwords.',
  Lockouts: 'Names that are locked after failed logins, or by an administrator.',
  RateLimits: 'How many requests of a client each part of the API takes.',
  Operations: 'Snapshots and statistics of the installation.',
  Health: 'Whether the process answers, and what it serves.',
  Identity: 'Credentials of a tenant: issued, inspected, rotated, revoked.',
  Audit: 'What was done, by whom, and with which result.',
  Learning:
    'Procedures of a scope: proposed, evaluated under a policy, selected when they qualify.',
  Tools: 'Executors, artifacts, and the development of tools, which is coordinated and never run.',
  Experiences: 'Attempts in a learning context, and what their reporters observed.',
  Memory: 'Records of a scope: written by command, read by id, found by query.',
};

/** The contract, the same at every call. */
export function generateDocument(): OpenApiDocument {
  const all = Object.entries(operations) as [OperationName, Operation][];
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
    tags: tagsOf(all.map(([, { tag }]) => tag)),
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
