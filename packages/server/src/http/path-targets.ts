/** Lists the paths of the service with the target of each method. */
import { type OperationName, operations } from '@agentkeep/core';
import type { Operation } from '@agentkeep/core/operator';
import { METRICS_PATH } from '../metrics/metrics.js';
import type { DoorAction } from '../front-door/front-door.js';
import { doorRoutes, type OpenPage, openRoutes } from '../front-door/door-routes.js';
import { TOKEN_PATH } from './token-endpoint.js';
import { MCP_METHODS, MCP_PATH } from './mcp-paths.js';
import { contractText } from '../openapi/contract-text.js';
import { type Probe, probePaths } from './probes.js';
import { CONSOLE_ASSET, CONSOLE_DOOR, CONSOLE_PAGE } from '../console/console-paths.js';
import { consoleAsset, consolePage } from '../console/console-files.js';
import type { StaticFile } from '../files/static-file.js';
import { pageFiles } from '../reference-page/page-files.js';
import {
  contractRoute,
  parameterOf,
  type Route,
  routes,
  type Surface,
} from '@agentkeep/client/routes';

/**
 * The target of a method of a path: an operation, or a resource of the server that needs no proof.
 */
export type Target = {
  /** The name of the operation or of the resource; for metrics. */
  readonly name: string;
} & (
  | { readonly operation: Operation; readonly route: Route }
  /** A JSON text. */
  | { readonly text: () => Promise<string> }
  /** A page or a part of it, for the variable segment of the path if there is one. */
  | { readonly page: (segment: string | undefined) => Promise<StaticFile> }
  | { readonly consoleDoor: true }
  | { readonly probe: Probe }
  | { readonly metrics: true }
  | { readonly mcp: true }
  | { readonly token: true }
  | { readonly door: DoorAction }
  | { readonly openPage: OpenPage }
);

/** A path and its supported methods. */
export interface PathTargets {
  /** The path template, with its only variable segment in braces. */
  readonly path: string;
  /** Index of the variable segment, if there is one; 0 is before the first slash. */
  readonly parameterIndex: number | undefined;
  /** Decides the shape of errors. */
  readonly surface: Surface;
  readonly byMethod: ReadonlyMap<string, Target>;
}

/** The path of a request, matched against the paths of the service. */
export interface Routed {
  /** Percent-decoded, as it is matched, without the query. */
  readonly path: string;
  /** The targets of the path; `undefined` for an unknown one. */
  readonly targets: PathTargets | undefined;
}

/** Where a target is; on `platform` unless it is an operation of another surface. */
type Location = Pick<Route, 'path' | 'method'> & Partial<Pick<Route, 'surface'>>;

/** Returns all paths; those of metrics, MCP, front door and console only if they are served. */
export function pathTargets({
  hasMetrics = false,
  hasMcp = false,
  hasDoor = false,
  hasConsole = false,
} = {}): PathTargets[] {
  const byPath = new Map<string, PathTargets & { readonly byMethod: Map<string, Target> }>();
  const add = ({ path, method, surface = 'platform' }: Location, target: Target): void => {
    const known = byPath.get(path) ?? {
      path,
      parameterIndex: parameterIndexOf(path),
      surface,
      byMethod: new Map<string, Target>(),
    };
    known.byMethod.set(method, target);
    byPath.set(path, known);
  };
  for (const name of Object.keys(routes) as OperationName[]) {
    const route = routes[name];
    add(route, { name, operation: operations[name], route });
  }
  add(contractRoute, { name: 'getContract', text: contractText });
  for (const [path, page] of pageFiles) {
    add({ path, method: 'GET' }, { name: 'referencePage', page: () => Promise.resolve(page) });
  }
  for (const probe of Object.keys(probePaths) as Probe[]) {
    const path = probePaths[probe];
    add({ path, method: 'GET' }, { name: path.slice(1), probe });
  }
  add({ path: TOKEN_PATH, method: 'POST' }, { name: 'oauthToken', token: true });
  for (const [openPage, method, path] of openRoutes) {
    add({ path, method }, { name: openPage, openPage });
  }
  if (hasMetrics) {
    add({ path: METRICS_PATH, method: 'GET' }, { name: 'metrics', metrics: true });
  }
  if (hasMcp) {
    for (const method of MCP_METHODS) {
      add({ path: MCP_PATH, method }, { name: 'mcp', mcp: true });
    }
  }
  if (hasDoor) {
    for (const [action, method, path] of doorRoutes) {
      if (!hasMcp && action === 'protectedMcp') continue;
      add({ path, method }, { name: action, door: action });
    }
  }
  if (hasConsole) addConsole(add);
  return [...byPath.values()];
}

/** Any path below the page shows it, so that the addresses of its screens can be shared. */
function addConsole(add: (location: Location, target: Target) => void): void {
  for (const path of [CONSOLE_PAGE, `${CONSOLE_PAGE}/`, `${CONSOLE_PAGE}/{screen}`]) {
    add({ path, method: 'GET' }, { name: 'console', page: () => Promise.resolve(consolePage) });
  }
  add({ path: CONSOLE_ASSET, method: 'GET' }, { name: 'console', page: consoleAsset });
  for (const method of ['POST', 'DELETE'] as const) {
    const location = { path: CONSOLE_DOOR, method, surface: 'account' } as const;
    add(location, { name: 'consoleSession', consoleDoor: true });
  }
}

function parameterIndexOf(path: string): number | undefined {
  if (parameterOf(path) === undefined) return undefined;
  return path.split('/').findIndex((segment) => segment.startsWith('{'));
}
