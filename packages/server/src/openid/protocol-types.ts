/** The types of the port that this room fills. */
import type { KeepPorts } from '@agentkeep/core';

/** The port. */
export type SignInProtocol = NonNullable<KeepPorts['signInProtocol']>;

/** An issuer, and the client that we are there. */
export type SignInTrust = Parameters<SignInProtocol['addressFor']>[0];

/** What belongs to one sign-in. */
export type SignInRound = Parameters<SignInProtocol['addressFor']>[1];
