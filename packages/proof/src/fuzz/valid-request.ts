/** Generates requests that are valid according to their schemas and earlier answers. */
import { replaceAt, valueAt } from '@agentkeep/testkit/member-paths';
import { linksOf } from '@agentkeep/testkit/operations';
import type { Use } from '@agentkeep/testkit/operation-links';
import { type Caller, GLOBAL } from './caller.js';
import type { Chooser } from './chooser.js';
import type { ContractOperation } from './contract-operations.js';
import { type Draft, pathParameter, plainText } from './draft.js';
import { hintsFor } from './hints.js';
import { isObject, type JsonObject } from './json-text.js';
import { type Making, valueOf } from './schema-value.js';
import type { World } from './world.js';

const FITTING_CALLER_SHARE = 0.85;
const FOREIGN_SHARE = 0.06;
const OPTIONAL_PARAMETER_SHARE = 0.25;

/** Returns a draft of a request to an operation by a caller, at a time in Unix milliseconds. */
export function validDraft(
  world: World,
  chooser: Chooser,
  operation: ContractOperation,
  nowMs: number,
): Draft {
  const caller = world.callerFor(chooser, operation, chooser.chance(FITTING_CALLER_SHARE));
  const { schemas } = world.contract;
  const making = { chooser, schemas, hints: hintsFor(caller, nowMs) };
  const { path, query } = parametersOf(making, operation, caller);
  const document = operation.body === undefined ? undefined : valueOf(making, operation.body);
  const parts = { path, query, document: isObject(document) ? document : undefined };
  for (const use of linksOf(operation.id).uses ?? [])
    apply(world, chooser, use, parts, { operation, caller });
  return { operation, caller, ...parts, query: entriesOf(parts.query) };
}

function parametersOf(making: Making, { parameters }: ContractOperation, caller: Caller) {
  const path: JsonObject = {};
  const query: JsonObject = {};
  for (const { name, in: place, required, schema } of parameters) {
    if (!required && !making.chooser.chance(OPTIONAL_PARAMETER_SHARE)) continue;
    const isOwnTenant = name === 'tenant_id' && caller.authority !== GLOBAL;
    const value = isOwnTenant ? caller.authority : valueOf(making, schema, name);
    if (place === 'path') path[name] = value;
    else query[name] = value;
  }
  return { path, query };
}

function entriesOf(query: JsonObject): [string, string][] {
  return Object.entries(query).map(([name, value]) => [name, plainText(value)]);
}

interface Asking {
  readonly operation: ContractOperation;
  readonly caller: Caller;
}

function apply(
  world: World,
  chooser: Chooser,
  { kind, members }: Use,
  parts: { readonly path: JsonObject },
  asking: Asking,
): void {
  const authority = authorityOf(world, chooser, asking);
  const thing = chooser.chance(FOREIGN_SHARE)
    ? world.pool.findForeign(chooser, kind, authority)
    : world.pool.find(chooser, kind, authority);
  if (thing === undefined) return;
  for (const [target, source] of Object.entries(members)) {
    // Links call the parameter of a path `id`, whatever its name is.
    const at = target === 'path.id' ? `path.${pathParameter(parts.path)}` : target;
    replaceAt(parts, at, valueAt(thing, source));
  }
}

/**
 * Returns the authority whose resources a request uses: that of its caller, or any if it has none.
 */
function authorityOf(world: World, chooser: Chooser, { operation, caller }: Asking): string {
  if (operation.id === 'loginGlobal') return GLOBAL;
  if (operation.needs.length > 0) return caller.authority;
  const all = [...new Set(world.callers.map(({ authority }) => authority))];
  const some = all.filter(
    (name) => name !== 'unauthenticated' && (operation.id !== 'loginTenant' || name !== GLOBAL),
  );
  return chooser.pick(some);
}
