/**
 * The page of operations: the route of each, the authority it needs and the order of its checks.
 */
import {
  AgentkeepError,
  type ErrorCode,
  type OperationName,
  operations,
} from '../../packages/core/src/index.ts';
import {
  type AuthenticatedOperation,
  type Operation,
} from '../../packages/core/src/kernel/operation/operation.ts';
import type { Check } from '../../packages/core/src/kernel/input/input-rules.ts';
import { firstMembersOf } from '../../packages/core/src/kernel/operation/orders-of-checks.ts';
import { statusOfKind } from '../../packages/server/src/http/status.ts';
import { errorsOf } from '../openapi/errors.ts';
import { generateDocument } from '../openapi/generate-document.ts';
import type { OperationObject } from '../../packages/server/src/openapi/openapi-document.ts';
import { routes } from '../../packages/client/src/routes.ts';
import { authorityOf } from './needed-authority.ts';
import { code, page, type ReferencePage, table } from './page.ts';
import { typePhrase } from './schema-phrase.ts';

const contract = generateDocument();

const introduction = `Every HTTP call goes through the same steps as an embedded one. The steps of \
an operation run in the order of its table, and the first failure decides the response, so a \
request with several faults always gets the same error. Documents are described in \
[documents.md](documents.md), errors in [errors.md](errors.md). The machine-readable contract is \
\`GET /openapi.json\`.

Any response can be replaced by 429 \`rate_limit_exceeded\` or, when the service itself fails, by \
500 \`internal_error\`.`;

/** Returns the page of operations. */
export function operationsPage(): ReferencePage {
  const names = Object.keys(routes) as OperationName[];
  const overview = table(
    ['Operation', 'Method and path', 'Does'],
    names.map((name) => [
      `[${code(name)}](#${name.toLowerCase()})`,
      code(routeText(name)),
      operations[name].summary,
    ]),
  );
  const source = 'the domains and `routes.ts`';
  const sections = names.map((name) => section(name, operations[name]));
  return page('operations.md', 'Operations', source, [introduction, overview, ...sections]);
}

function section(name: OperationName, operation: Operation): string {
  const described = describedOperation(name);
  return [
    `## ${name}`,
    operation.summary,
    factsOf(name, operation, described),
    ...parametersOf(described),
    ...(operation.kind === 'public' ? [] : [checksOf(operation)]),
    'Errors:',
    errorsTable(name, operation),
  ].join('\n\n');
}

function factsOf(name: OperationName, operation: Operation, described: OperationObject): string {
  const body = described.requestBody?.content['application/json']?.schema;
  const { status } = routes[name];
  const answer = answerSchema(described, status);
  return table(
    ['', ''],
    [
      ['Route', code(routeText(name))],
      ['Needs', needsOf(operation)],
      ...(body === undefined ? [] : [['Body', typePhrase(body)]]),
      ['Answer', `${status} ${typePhrase(answer)}`],
    ],
  );
}

function answerSchema(described: OperationObject, status: number): Record<string, unknown> {
  const answer = described.responses[String(status)];
  if (answer === undefined || '$ref' in answer)
    throw new Error('A success response must not be a reference.');
  return answer.content['application/json']?.schema ?? {};
}

function needsOf(operation: Operation): string {
  return operation.kind === 'public'
    ? 'no proof'
    : ['a proof', ...authorityOf(operation)].join(', ');
}

function parametersOf({ parameters = [] }: OperationObject): string[] {
  if (parameters.length === 0) return [];
  const rows = parameters.map(({ name, in: place, required, schema }) => [
    code(name),
    place,
    required ? 'yes' : 'no',
    typePhrase(schema),
  ]);
  return [table(['Parameter', 'In', 'Required', 'Value'], rows)];
}

function checksOf(operation: AuthenticatedOperation): string {
  const rows = [
    ['the proof belongs to a live credential', answers(['unauthorized'])],
    ...operation.checks.map((check) => stepOf(check, operation)),
    ['checks of the operation itself, against time and stored state', 'see below'],
  ];
  return table(
    ['Step', 'Checked', 'If it fails'],
    rows.map((row, index) => [String(index + 1), ...row]),
  );
}

function stepOf(check: Check, operation: AuthenticatedOperation): string[] {
  const refused = answers(['invalid_request']);
  switch (check) {
    case 'document':
      return [
        'media type, size, JSON, members and types of the body',
        answers(['invalid_request', 'request_too_large']),
      ];
    case 'parameters':
      return ['members and types of the query', refused];
    case 'version':
      return [`${code('contract_version')} is 1`, answers(['unsupported_contract_version'])];
    case 'id':
      return ['format of the id in the path', refused];
    case 'authority': {
      const needed = authorityOf(operation).join(', ');
      return [needed === '' ? 'a bound credential' : needed, answers(['forbidden'])];
    }
    case 'rules': {
      const deferred = operation.kind === 'tenant' ? operation.deferred : undefined;
      const later = deferred === undefined ? '' : `; those of ${code(deferred)} come later`;
      return [`all other text rules and limits${later}`, refused];
    }
    case 'first rules': {
      const first = firstMembersOf(operation).map(code).join(', ');
      return [`text rules and limits of ${first}`, refused];
    }
    case 'tenant':
      return [
        `${code('tenant_id')} names an authority that the caller may act in`,
        answers(['forbidden', 'tenant_not_found']),
      ];
  }
}

function answers(codes: readonly ErrorCode[]): string {
  return codes
    .map((each) => new AgentkeepError(each))
    .map(({ kind, wireCode }) => `${statusOfKind[kind]} ${code(wireCode)}`)
    .join(', ');
}

function errorsTable(name: OperationName, operation: Operation): string {
  const byStatus = [...errorsOf(name, operation).codes].sort(([one], [other]) => one - other);
  return table(
    ['Status', 'Codes'],
    byStatus.map(([status, codes]) => [
      String(status),
      codes.map((each) => code(each.code)).join(', '),
    ]),
  );
}

function describedOperation(name: OperationName): OperationObject {
  const { path, method } = routes[name];
  const found = contract.paths[path]?.[method.toLowerCase()];
  if (found === undefined) throw new Error(`The contract does not describe ${name}.`);
  return found;
}

function routeText(name: OperationName): string {
  const { method, path } = routes[name];
  return `${method} ${path}`;
}
