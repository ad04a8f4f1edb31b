/** The types of the port that this room fills. */
import type { KeepPorts } from '@agentkeep/core';
import type * as OpenidClient from 'openid-client';

/** The port. */
export type SignInProtocol = NonNullable<KeepPorts['signInProtocol']>;

/** An issuer, and the client that we are there. */
export type SignInTrust = Parameters<SignInProtocol['addressFor']>[0];

/**
 * The library. It would refuse every address without TLS; the client for outgoing requests permits
 * those that the operator lists, so that is left to it.
 */
export type Library = Omit<typeof OpenidClient, 'allowInsecureRequests'> & {
  readonly allowInsecureRequests: (configuration: OpenidClient.Configuration) => void;
};
