/** Records what a transport refused by itself, before any operation decided. */
import type { Principal } from '../access/principal.js';
import type { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { ErrorCode } from '../../contract/errors/catalogue.js';
import { callEvent, denied, type EventSubject } from '../audit/call-events.js';
import { type Call, factsOf } from '../operation/call.js';
import type { Runtime } from '../services/runtime.js';

/** What is missing where a request has to come from a page, or go to a host, of the server. */
const ORIGIN = 'origin';

const LINK_CODES: readonly ErrorCode[] = [
  'console_link_used',
  'console_link_expired',
  'console_link_unknown',
];

/** The refusals that have their events. */
const noted = new WeakSet<AgentkeepError>();

/** Marks a refusal whose events are recorded, so that a transport records no other one. */
export function markNoted(error: AgentkeepError): void {
  noted.add(error);
}

/** Records a refusal that ends a request, unless the operation that it comes from has done so. */
export function noteRefusal(
  runtime: Runtime,
  error: AgentkeepError,
  call: Call,
  principal: Principal | undefined,
): void {
  const isLink = LINK_CODES.includes(error.code);
  if (!isLink && error.code !== 'forbidden') return;
  if (!runtime.audit.isEnabled || noted.has(error)) return;
  const facts = factsOf(runtime, call, { name: '', principal, nowMs: runtime.clock.now() });
  const { path } = facts.origin;
  const subject = isLink ? linkRefused(error, path) : denied(ORIGIN, path);
  runtime.audit.observed(callEvent(facts, subject));
}

function linkRefused({ code }: AgentkeepError, path: string): EventSubject {
  return {
    type: 'permission_denied',
    action: 'console_link',
    resource: path,
    result: 'unauthorized',
    metadata: { reason: code },
  };
}
