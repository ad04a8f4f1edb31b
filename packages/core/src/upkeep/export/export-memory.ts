/** `exportMemory`: the memory of a tenant, of a subject or of a scope, as lines of JSON. */
import {
  heldTexts,
  type TextPage,
  type TextPages,
  type TextSource,
} from '../../kernel/load/held-texts.js';
import { exampleScope, exampleVersion } from '../../contract/example-values.js';
import type { ActingCredential } from '../../kernel/access/principal.js';
import type { NamespaceParts } from '../../kernel/access/namespace.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import { erasureTurn } from '../../kernel/erased/removal-store.js';
import type { EventSubject } from '../../kernel/audit/call-events.js';
import { partyOf } from '../../kernel/load/party.js';
import { defineTenantOperation } from '../../kernel/operation/define-operation.js';
import { inputFirstChecks } from '../../kernel/operation/orders-of-checks.js';
import type { HeldState, Transactions } from '../../storage/store/store.js';
import { exportLines } from './export-lines.js';
import { exportedLines } from '../lines/lines.js';
import { type Exported, ExportRequest, ExportResponse } from '../lines/export-schema.js';

/** UTF-8 bytes after which a page ends. */
const PAGE_BYTES = 1_048_576;

/** All pages are of the state in which the first one was made. */
export const exportMemory = defineTenantOperation({
  name: 'exportMemory',
  summary: 'Export the memory of a tenant, of a subject or of a scope, page by page.',
  example: {
    document: {
      ...exampleVersion,
      of: { type: 'scope', scope: exampleScope, subject_id: null },
      with_history: false,
    },
  },
  tag: 'Exports',
  effect: 'read',
  input: { document: ExportRequest },
  output: ExportResponse,
  requires: {
    capability: {
      among: ['credential_admin', 'memory_read'],
      of: ({ document: { of } }) => (isOwn(of) ? 'memory_read' : 'credential_admin'),
    },
    scope: ({ document: { of } }) => (isOwn(of) ? of.scope : undefined),
  },
  checks: inputFirstChecks,
  errors: ['export_gone'],
  isHeavy: true,
  handler: async (request) => {
    const { runtime, credential, principal, input, nowMs } = request;
    const { of, with_history: withHistory, after } = input.document;
    const party = partyOf(principal);
    const name = JSON.stringify([of, withHistory]);
    const turn = (): Promise<void> => request.turn();
    const { tenantId } = credential;
    if (after !== null) {
      const page = await heldTexts.of(runtime).next(party, name, after, turn);
      return confirmedPage(runtime.store, tenantId, page);
    }
    const plan = { tenantId, of, selects: selectorOf(of, credential), withHistory, nowMs };
    // Read before the state is held, so that no erasure in between is overlooked.
    const made = await runtime.store.read((tx) => String(erasureTurn(tx, tenantId)));
    const lines = exportedLines.of(runtime);
    const open = async (): Promise<TextSource> =>
      pagesOf(await runtime.backend.hold(), (state) => exportLines(state, plan, lines), made);
    const first = await heldTexts.of(runtime).begin(party, name, open, turn);
    const answer = await confirmedPage(runtime.store, tenantId, first);
    request.observe(exportStarted(tenantId, of, withHistory));
    return answer;
  },
});

/**
 * Answers with a page, unless the authority of the caller ended while it was made, or an erasure in
 * the tenant has begun or ended since the state was held: on any server that shares the store.
 *
 * @throws {AgentkeepError} `export_gone`
 */
async function confirmedPage(
  store: Transactions,
  tenantId: string,
  { text, nextAfter, state }: TextPage,
) {
  // The state that is held confirms nothing; each read of the store of a call does.
  const turn = await store.read((tx) => String(erasureTurn(tx, tenantId)));
  if (turn !== state) throw new AgentkeepError('export_gone');
  return { contract_version: CONTRACT_VERSION, page: { text, next_after: nextAfter } };
}

type OwnScope = Extract<Exported, { type: 'scope' }>;

/** Returns whether an export is of the private scope of its caller. */
function isOwn(of: Exported): of is OwnScope {
  return of.type === 'scope' && of.scope.visibility === 'private' && of.subject_id === null;
}

/** Returns which namespaces of a tenant an export has. */
function selectorOf(of: Exported, { spec }: ActingCredential): (parts: NamespaceParts) => boolean {
  if (of.type === 'tenant') return () => true;
  if (of.type === 'subject') return (parts) => parts[4] === of.subject_id;
  const { project_id, mission_id, agent_id, visibility } = of.scope;
  const owner = visibility === 'private' ? (of.subject_id ?? spec.subject_id) : null;
  const wanted = [project_id, mission_id, agent_id, visibility, owner];
  return (parts) => wanted.every((part, at) => part === parts[at]);
}

function exportStarted(tenantId: string, of: Exported, withHistory: boolean): EventSubject {
  return {
    type: 'data_exported',
    action: 'data_exported',
    resource: `export:${tenantId}`,
    result: 'success',
    metadata: { of: { ...of }, with_history: withHistory },
  };
}

/** Returns the lines of an export in pages. */
function pagesOf(
  state: HeldState,
  linesOf: (state: HeldState) => AsyncGenerator<string | undefined, void>,
  turn: string,
): TextSource {
  return {
    state: turn,
    pages: () => {
      const lines = linesOf(state);
      return { next: (turn) => nextPage(lines, turn) };
    },
    close: () => state.close(),
  };
}

async function nextPage(
  lines: AsyncGenerator<string | undefined, void>,
  turn: () => Promise<void>,
): ReturnType<TextPages['next']> {
  const page: string[] = [];
  let bytes = 0;
  for (;;) {
    const { value, done } = await lines.next();
    if (done === true) return { text: page.join(''), isEnd: true };
    if (value === undefined) await turn();
    else {
      page.push(`${value}\n`);
      bytes += Buffer.byteLength(value, 'utf8') + 1;
      if (bytes >= PAGE_BYTES) return { text: page.join(''), isEnd: false };
    }
  }
}
