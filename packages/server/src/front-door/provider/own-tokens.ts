/** Replaces the access tokens of the authorization server by ours, which every call judges. */
import { AgentkeepError } from '@agentkeep/core';
import type { Grants } from '@agentkeep/core/operator';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { grantCalls } from './grant-adapter.js';

/** Returns the step that runs around each request of the authorization server. */
export function withOwnTokens(
  grants: Grants,
): (ctx: KoaContextWithOIDC, next: () => Promise<void>) => Promise<void> {
  return async (ctx, next) => {
    await next();
    const call = grantCalls.getStore();
    // Other paths have no context of the server.
    const oidc = ctx.oidc as KoaContextWithOIDC['oidc'] | undefined;
    const grantId = oidc?.route === 'token' ? oidc.entities.AccessToken?.grantId : undefined;
    if (ctx.status !== 200 || grantId === undefined || call === undefined) return;
    try {
      const { token, expiresInSecs, access } = await grants.issueToken(grantId, call);
      const { refresh_token } = ctx.body as { readonly refresh_token: string };
      ctx.body = {
        access_token: token,
        token_type: 'Bearer',
        expires_in: expiresInSecs,
        refresh_token,
        // A token is never narrower than its connection.
        scope: access.join(' '),
      };
    } catch (error) {
      if (!(error instanceof AgentkeepError) || error.code !== 'unauthorized') throw error;
      ctx.status = 400;
      ctx.body = { error: 'invalid_grant', error_description: 'the connection has ended' };
    }
  };
}
