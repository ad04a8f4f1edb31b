/** What a slot for an outgoing request is taken for. */

/** The tenant that wants a slot, and the host that it calls. */
export interface SlotUse {
  readonly tenantId: string;
  /** The host as spelled in the URL. */
  readonly host: string;
  /** Who of the tenant causes the request, if one does. */
  readonly asker?: string | undefined;
}

/** Releases a slot. */
export type GiveBack = () => void;
