/** The page of paths: what bounds the requests of each. */
import {
  CHANGES_WAITS_MAX,
  HEAVY_CALLS_MAX,
  HEAVY_WORKING_MAX,
  PASSWORD_WAITING_MAX,
  PASSWORD_WORKERS_MAX,
} from '../../packages/core/src/contract/limits.ts';
import { WAITING_GRANTS_MAX } from '../../packages/core/src/domains/people/connection/grant-slots.ts';
import { defaultRateLimitPolicies } from '../../packages/core/src/operator.ts';
import { code, grouped, page, type ReferencePage, table } from './page.ts';
import { type Bound, nameOf, pathBounds, type PathBounds } from './path-bounds.ts';

const three = (most: Readonly<Record<string, number>>): string =>
  Object.values(most).map(grouped).join(', ');

/** Each further bound with its numbers: those of a caller, of a tenant and in all. */
const explained: Readonly<Record<Bound, string>> = {
  approvals:
    `requests and approvals of programs that wait: the newest ${three(WAITING_GRANTS_MAX)} of an ` +
    'account, of a tenant and in all ([OAU-6](../contract/oauth.md#oau-6), ' +
    '[OAU-25](../contract/oauth.md#oau-25))',
  documents:
    'fetches of what programs publish: 4 of an account, 16 of a tenant, 4 of them at one host ' +
    '([OAU-34](../contract/oauth.md#oau-34))',
  fetches:
    'fetches from issuers: 16 of an authority, 4 of them at one host, one for all that need the ' +
    'same keys ([OID-28](../contract/openid.md#oid-28), [FED-11](../contract/federation.md#fed-11))',
  hashes:
    `password hashes: ${PASSWORD_WORKERS_MAX} at a time, ${PASSWORD_WAITING_MAX} wait, tenants in ` +
    'turns ([USR-51](../contract/users.md#usr-51))',
  heavy:
    `work in slices: ${three(HEAVY_WORKING_MAX)} calls work, ${three(HEAVY_CALLS_MAX)} are in ` +
    'flight ([LOA-3](../contract/load.md#loa-3))',
  quota: 'the storage quota of the tenant, where one is set ([quotas](../contract/quotas.md))',
  snapshot: 'one snapshot at a time',
  subscriptions: 'subscriptions that are open: 8, 256, 1,024 ([MCP-16](../contract/mcp.md#mcp-16))',
  waits: `calls and streams that wait: ${three(CHANGES_WAITS_MAX)} ([CHG-17](../contract/changes.md#chg-17))`,
};

const introduction = `What bounds a request of each path and method that the server can serve. For \
every request hold, in addition: the bounds of connections and their bytes, headers and times; one \
request of a connection at a time; the bounds of unread answers \
([LOA-6](../contract/load.md#loa-6)); and a path without a row is 404. [Security](../security.md) \
names the attacks that test these bounds.`;

const counting = `A request counts under the rate limit of its path: for the account or credential \
of a good proof and for its tenant, else for the address \
([RTL-26](../contract/rate-limits.md#rtl-26)). The limits below are those of a new installation.`;

/** Returns the page of paths. */
export function pathsPage(): ReferencePage {
  const rows = pathBounds();
  const isOfApi = ({ path }: PathBounds): boolean => path.startsWith('/api/');
  const limits = defaultRateLimitPolicies.map(({ endpointType, maxRequests, windowSecs }) => [
    code(nameOf(endpointType)),
    `${grouped(maxRequests)} in ${windowSecs} s`,
  ]);
  const bounds = Object.entries(explained).map(([bound, text]) => [bound, text]);
  const source = '`path-targets.ts` and the operations';
  return page('paths.md', 'Paths and their bounds', source, [
    introduction,
    '## Rate limits',
    counting,
    table(['Rate limit', 'Requests'], limits),
    '## Further bounds',
    'Three numbers are those of a caller, of a tenant and in all.',
    table(['Bound', 'Is'], bounds),
    '## Pages and endpoints',
    tableOf(rows.filter((row) => !isOfApi(row))),
    '## Operations below /api/v1',
    tableOf(rows.filter(isOfApi)),
  ]);
}

function tableOf(rows: readonly PathBounds[]): string {
  const sorted = rows.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  return table(
    ['Path', 'Rate limit', 'Proof', 'Body, bytes', 'Further bounds'],
    sorted.map(({ method, path, endpointType, proof, bodyBytesMax, bounds }) => [
      code(`${method} ${path}`),
      endpointType === undefined ? 'never refused' : code(endpointType),
      proof,
      bodyBytesMax === undefined ? 'not read' : grouped(bodyBytesMax),
      bounds.join(', '),
    ]),
  );
}
