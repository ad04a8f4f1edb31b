/** An audit log that is off. */
import type { AuditPort } from '../audit/audit.js';

/** Records nothing. */
export const noAudit: AuditPort = {
  isEnabled: false,
  recordsReads: false,
  changed: () => undefined,
  observed: () => undefined,
  maxEvents: 0,
  waitingEvents: 0,
  waitingLines: 0,
  keptFrom: () => Infinity,
  flush: () => Promise.resolve(),
  close: () => Promise.resolve(),
};
