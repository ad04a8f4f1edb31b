/** Tools that propose changes of memory, and review those of others. */
import type { MemoryChangeInput, Receipt, ScopeInput } from '@agentkeep/client';
import { listOf, objectOf, text } from '../json-schema.js';
import { reviewView } from '../views/review-view.js';
import { idempotencyKey } from './documents.js';
import { defineTool, scopeOf, type Tool } from './tool.js';

/** What a model should know of a change that waits. */
export const WAITS =
  'This change waits for review and is not memory yet. Do not repeat it; a reviewer decides.';

/** Returns the answer with a receipt; a change that waits says so in words. */
export function receiptAnswer<R extends Pick<Receipt, 'proposal'>>(receipt: R) {
  return receipt.proposal === undefined ? { receipt } : { note: WAITS, receipt };
}

/** Changes in words, as short as they can be. */
const OPERATION =
  '{type: put, name, record}, {type: remove, name}, or another change of memory_batch.';

interface ProposeArguments {
  readonly scope?: ScopeInput;
  readonly operation: MemoryChangeInput;
  readonly purpose?: string;
  readonly idempotency_key?: string;
}

const memoryPropose: Tool = defineTool<ProposeArguments>({
  name: 'memory_propose',
  title: 'Propose a change',
  description: 'Proposes a change of a shared scope, which waits for a reviewer.',
  effect: 'adds',
  isIdempotent: false,
  capabilities: ['memory_propose', 'memory_write'],
  scopeArgument: 'scope',
  input: objectOf(
    {
      operation: { type: 'object', description: OPERATION },
      purpose: text('Why.'),
      idempotency_key: idempotencyKey,
    },
    ['operation'],
  ),
  run: async (given, call) => {
    const { operation, purpose, idempotency_key: idempotencyKey = call.key } = given;
    const options = { purpose, idempotencyKey, signal: call.signal };
    const scope = await scopeOf(given.scope, call);
    return receiptAnswer(await call.agent.proposals.propose(scope, operation, options));
  },
});

interface ReviewArguments {
  readonly action: 'list' | 'show' | 'accept' | 'reject';
  readonly id?: string;
  readonly digest?: string;
  readonly records?: readonly string[];
  readonly reason?: string;
  readonly cursor?: string;
}

const memoryReview: Tool = defineTool<ReviewArguments>({
  name: 'memory_review',
  title: 'Review proposals',
  description:
    'list what waits; show the changes and digest of an id; accept all or some records with the ' +
    'digest; reject with a reason.',
  effect: 'changes',
  isIdempotent: false,
  capabilities: ['memory_review'],
  view: reviewView.uri,
  input: objectOf(
    {
      action: { type: 'string', enum: ['list', 'show', 'accept', 'reject'] },
      id: text(),
      digest: text(),
      records: listOf(text()),
      reason: text(),
      cursor: text(),
    },
    ['action'],
  ),
  run: async (
    { action, id = '', digest = '', records, reason = '', cursor },
    { agent, signal },
  ) => {
    const page = { limit: PAGE_ITEMS, cursor, signal };
    switch (action) {
      case 'list':
        return { page: await agent.proposals.listPage(page) };
      case 'show':
        return agent.branches.diffPage(id, page);
      case 'accept':
        return { merge: await agent.branches.merge(id, { digest, records, signal }) };
      case 'reject':
        return { proposal: await agent.proposals.reject(id, reason, { signal }) };
    }
  },
});

/** Items of a page that a model reads. */
const PAGE_ITEMS = 10;

/** The tools of proposals. */
export const reviewTools: readonly Tool[] = [memoryPropose, memoryReview];
