/** The caller of a connection or request, and its settings. */
import type { Agent, ScopeInput } from '@agentkeep/client';

/**
 * The tools that a connection has: those of memory and learning, or the nine of a knowledge graph
 * that programs made for the reference memory server call.
 */
export type McpProfile = 'agentkeep' | 'graph';

/** A caller with its profile and scope. */
export interface McpCaller {
  /** Makes the calls. What it may do is decided by the keep. */
  readonly agent: Agent;
  /** Default: `agentkeep`. */
  readonly profile?: McpProfile | undefined;
  /** The scope of calls that name none. The profile `graph` needs one. */
  readonly scope?: ScopeInput | undefined;
  /** The scope of calls for which neither they, the connection nor the credential name one. */
  readonly defaultScope?: ScopeInput | undefined;
  /**
   * Milliseconds that a list of tools or resources waits for the credential, at most. Default: as
   * long as the call takes. A host that lists them before it asks its model sets it.
   */
  readonly listMsMax?: number | undefined;
}

/** Returns the signal of a list, which ends when the request is cancelled or the bound is over. */
export function listSignal({ listMsMax }: McpCaller, signal: AbortSignal): AbortSignal {
  if (listMsMax === undefined) return signal;
  return AbortSignal.any([signal, AbortSignal.timeout(listMsMax)]);
}
