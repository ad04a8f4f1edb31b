/**
 * The amounts of the attacks. Those of the full scale are those of the reported attacks, or beyond.
 */
import type { Scale } from '../proof.js';

/** How much of everything. */
export interface Amounts {
  /** Records of 62 KB, which large pages show. */
  readonly largeRecords: number;
  /** Records that a scan examines. */
  readonly smallRecords: number;
  /** Queries ahead on one connection that reads nothing. */
  readonly pipelined: number;
  /** Connections with one query each that read nothing. */
  readonly unread: number;
  /** Connections with a batch of MCP each. */
  readonly batches: number;
  /** Scans, and pages, at the same time. */
  readonly parallel: number;
  /** How often each of them is asked. */
  readonly repeats: number;
  /** Requests of each flood. */
  readonly flood: number;
  /** Audit events that each quota keeps; fewer than a flood. */
  readonly auditEvents: number;
  /** Changes of the own e-mail address. */
  readonly emails: number;
  /** Password changes at the same time. */
  readonly passwords: number;
  /** Most connections of one address (docs/contract/operator.md#opr-82). */
  readonly connectionsPerAddress: number;
  /** Idle connections of one address. */
  readonly idle: number;
  /** Half-sent bodies, clients that leave, and revoked credentials. */
  readonly halfSent: number;
  readonly leaving: number;
  readonly revoked: number;
  /** Batches of redactions that change nothing, and made-up scopes, at a full quota. */
  readonly beyondQuota: number;
  /** Rounds of the tenant's work beside each attack. */
  readonly rounds: number;
  /** Whether each attack runs alone before all of them run at once. */
  readonly isEachAlone: boolean;
  /** How many times as long waits may take. The short scale runs on any machine, however busy. */
  readonly patience: number;
}

/** The amounts by scale. */
export const amountsOf: Readonly<Record<Scale, Amounts>> = {
  short: {
    largeRecords: 80,
    smallRecords: 300,
    pipelined: 120,
    unread: 20,
    batches: 20,
    parallel: 8,
    repeats: 2,
    flood: 300,
    auditEvents: 200,
    emails: 70,
    passwords: 20,
    connectionsPerAddress: 50,
    idle: 80,
    halfSent: 20,
    leaving: 20,
    revoked: 3,
    beyondQuota: 10,
    rounds: 3,
    isEachAlone: false,
    patience: 10,
  },
  full: {
    largeRecords: 1_000,
    smallRecords: 10_000,
    pipelined: 200,
    unread: 150,
    batches: 200,
    parallel: 32,
    repeats: 4,
    flood: 10_000,
    auditEvents: 5_000,
    emails: 1_500,
    passwords: 160,
    connectionsPerAddress: 1_000,
    idle: 10_500,
    halfSent: 500,
    leaving: 500,
    revoked: 30,
    beyondQuota: 200,
    rounds: 20,
    isEachAlone: true,
    patience: 1,
  },
};
