/** What a program asks a person for, and whether this browser may answer. */
import type { Grants, Principal } from '@agentkeep/core/operator';
import type Provider from 'oidc-provider';
import type { Client, Interaction } from 'oidc-provider';
import { cookieOf } from '../../cookies/cookie-of.js';
import type { DoorRequest } from '../request/door-request.js';

/** A request of a program that waits for a person. */
export interface AskedConsent {
  readonly interaction: Interaction;
  readonly client: Client;
  /** Where the answer goes. */
  readonly redirectUri: URL;
  /** What the tokens are for: this server, or its MCP. */
  readonly resource: string;
  readonly scope: string | undefined;
}

/** The account that answers. */
export type Person = Principal & { readonly kind: 'account' };

/** Returns how far the request of a page is, for the browser that began it only. */
export async function stateInBrowser(request: DoorRequest): ReturnType<Grants['requestState']> {
  return isOfBrowser(request) ? request.keep.grants.requestState(request.id) : undefined;
}

function isOfBrowser(request: DoorRequest): boolean {
  return cookieOf(request.header('cookie'), '_interaction') === request.id;
}

/**
 * Returns the request that a page is about, or `undefined` if it has ended or another browser began
 * it: a link to it must not make one person agree to what another one began.
 */
export async function askedConsent(
  provider: Provider,
  request: DoorRequest,
): Promise<AskedConsent | undefined> {
  if (!isOfBrowser(request)) return undefined;
  const interaction = await provider.Interaction.find(request.id);
  if (interaction === undefined) return undefined;
  const { client_id, redirect_uri, resource, scope } = interaction.params as unknown as Asked;
  const client = await provider.Client.find(client_id);
  if (client === undefined) return undefined;
  const [first = ''] = [resource].flat();
  return { interaction, client, redirectUri: new URL(redirect_uri), resource: first, scope };
}

interface Asked {
  readonly client_id: string;
  readonly redirect_uri: string;
  readonly resource: string | readonly string[];
  readonly scope?: string;
}
