/** The port that sends messages of webhooks over HTTP. */

/** A signed message for one receiver. */
export interface WebhookRequest {
  /** The tenant that chose the address. */
  readonly tenantId: string;
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** A JSON text. */
  readonly body: string;
  /** How long the attempt may take in all: finding the address, connecting, and the answer. */
  readonly timeoutMs: number;
  /** Ends the attempt, because the keep is closing. */
  readonly signal: AbortSignal;
}

/** The result of an attempt. Only an answer with a status from 200 to 299 is a delivery. */
export type AttemptAnswer =
  | {
      readonly kind: 'answered';
      /** From 200 to 599. Another status is a failure `protocol`. */
      readonly status: number;
      /** What `Retry-After` asks for; null without it. */
      readonly retryAfterMs: number | null;
    }
  | {
      readonly kind: 'failed';
      readonly reason: 'timeout' | 'unreachable' | 'tls' | 'address_refused' | 'protocol';
    };

/**
 * The result of a send. `busy` is not an attempt: nothing was sent because too many messages are
 * being sent, and the message is sent again after a second.
 */
export type WebhookAnswer = AttemptAnswer | { readonly kind: 'busy' };

/**
 * Sends messages of webhooks. Tenants choose the addresses, so a sender must refuse those inside
 * its own network, follow no redirect and bound what it reads.
 */
export interface WebhookSender {
  /** Sends a message once. Never rejects. */
  send(request: WebhookRequest): Promise<WebhookAnswer>;
}
