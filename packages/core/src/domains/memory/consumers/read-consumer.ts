/** `readConsumer`: reads the next page of a consumer, the same one until it is committed. */
import { exampleVersion } from '../../../contract/example-values.js';
import { namespaceOf } from '../../../kernel/access/namespace.js';
import { hmacSha256 } from '../../../contract/digest.js';
import { textId } from '../../../contract/schema/text.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { cursorSecret } from '../../../kernel/installation/cursor-secret.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import type { TenantRequest } from '../../../kernel/operation/requests.js';
import { scopedChecks } from '../../../kernel/operation/orders-of-checks.js';
import { awaitChanges } from '../changes/await-changes.js';
import { cursorsOf } from '../journal/change-cursor.js';
import { shownPage } from '../changes/list-memory-changes.js';
import { type Found, isEmpty, readChanges } from '../changes/read-changes.js';
import { putConsumer, type StoredConsumer } from './consumer-store.js';
import { ownerOf, requireHeld } from './held-consumer.js';
import { ConsumerPageResponse, ConsumerReadRequest } from './schema.js';

/** Characters of a page id: 132 bits. */
const PAGE_ID_CHARS = 22;

const inputs = { id: textId(), document: ConsumerReadRequest };
type Request = TenantRequest<typeof inputs>;

/** Each look reads with the authority of that moment, as the change feed does. */
export const readConsumer = defineTenantOperation({
  name: 'readConsumer',
  summary: 'Read the next changes of a consumer that the caller holds.',
  example: { id: 'nightly', document: { ...exampleVersion, holder: 'worker-1', limit: 50 } },
  tag: 'Memory',
  input: inputs,
  output: ConsumerPageResponse,
  requires: { capability: 'memory_read' },
  checks: scopedChecks,
  errors: ['target_not_found', 'consumer_not_held', 'position_expired', 'too_many_waits'],
  isHeavy: true,
  readsAgain: true,
  whenFull: 'served',
  handler: async (request) => {
    const { runtime, credential, input } = request;
    const { holder } = input.document;
    const owner = ownerOf(credential);
    const consumer = await runtime.store.read((tx) => requireHeld(tx, owner, input.id, holder));
    const secret = await cursorSecret.of(runtime)();
    const cursors = await cursorsOf(runtime, owner.tenantId);
    const found = await pageOf(request, consumer);
    if (consumer.page === null && found.changes.length > 0) {
      await pin(request, consumer, found);
    }
    const place = [owner.tenantId, owner.subjectId, consumer.name];
    const named = JSON.stringify([...place, Buffer.from(consumer.position).toString('hex')]);
    const page_id = hmacSha256(secret)(named, 'base64url').slice(0, PAGE_ID_CHARS);
    return { contract_version: CONTRACT_VERSION, page_id, page: shownPage(found, cursors) };
  },
});

async function pageOf(request: Request, consumer: StoredConsumer): Promise<Found> {
  const { limit, wait_millis: waitMs } = request.input.document;
  const { scope, page, position } = consumer;
  const wanted = scope === null ? undefined : namespaceOf(request.credential, scope);
  if (page !== null) {
    const found = await readChanges(request, position, { limit: page.limit, wanted });
    const changes = found.changes.filter(({ after }) => Buffer.compare(after, page.to) <= 0);
    return { changes, next: page.to, hasMore: true };
  }
  const found = await readChanges(request, position, { limit, wanted });
  if (waitMs === 0 || !isEmpty(found)) return found;
  return awaitChanges(request, found.next, { limit, wanted }, waitMs);
}

/** Keeps the end of a page, so that another worker reads the same one. */
async function pin(request: Request, consumer: StoredConsumer, found: Found): Promise<void> {
  const { runtime, input } = request;
  const { holder, limit } = input.document;
  await runtime.store.transact((tx) => {
    const owner = ownerOf(request.confirm(tx));
    const present = requireHeld(tx, owner, consumer.name, holder);
    const isSame = Buffer.compare(present.position, consumer.position) === 0;
    if (!isSame || present.page !== null) return;
    putConsumer(tx, owner, { ...present, page: { to: Uint8Array.from(found.next), limit } });
  });
}
