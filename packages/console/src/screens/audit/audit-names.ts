/** The names of events and results, which the compiler compares with those of the contract. */
import type { Agent } from '@agentkeep/client';
import { texts } from '../../texts/en/english.js';

/** An event of the audit log. */
export type AuditEvent = Awaited<ReturnType<Agent['audit']['queryPage']>>['events'][number];

/** The name of each type of event. */
export const typeNames: Readonly<Record<AuditEvent['event_type'], string>> = texts.audit.types;

/** The name of each result. */
export const resultNames: Readonly<Record<AuditEvent['result'], string>> = texts.audit.results;

/** Every type of event. */
export const eventTypes = Object.keys(typeNames) as AuditEvent['event_type'][];

/** Every result. */
export const eventResults = Object.keys(resultNames) as AuditEvent['result'][];
