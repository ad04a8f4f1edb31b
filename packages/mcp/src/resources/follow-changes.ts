/** Turns the change feed of a caller into the URIs of resources that changed. */
import type { CommittedChange } from '@agentkeep/client';
import type { McpCaller } from '../mcp-caller.js';
import { GRAPH_URI } from './register-resources.js';
import { uriOfRecord, uriOfScope } from './resource-uri.js';

/** The receiver of the URIs. */
export interface ChangeListener {
  readonly changed: (uri: string) => void;
  /** Resolves when the next change may be reported. Default: at once. */
  readonly ready?: () => Promise<void>;
  /** Called once when no more will come, unless the signal ended it. */
  readonly ended: (cause: unknown) => void;
  readonly signal: AbortSignal;
}

/**
 * Follows the changes after this call. Resolves once it does: every later change is reported.
 * @throws {AgentkeepError} when the caller may not read changes.
 */
export async function followChanges(caller: McpCaller, listener: ChangeListener): Promise<void> {
  const { agent, profile, scope } = caller;
  const { signal } = listener;
  const isOfGraph = profile === 'graph' && scope !== undefined;
  const memory = isOfGraph ? agent.memory.in(scope) : agent.memory;
  const { next_after: after } = await memory.changesPage({ after: 'latest', signal });
  void notify(memory.changes({ after, signal }), caller, listener);
}

async function notify(
  changes: AsyncIterable<CommittedChange>,
  { profile }: McpCaller,
  { changed, ready, ended, signal }: ChangeListener,
): Promise<void> {
  try {
    for await (const { scope, record_id: recordId } of changes) {
      await ready?.();
      if (signal.aborted) return;
      if (profile === 'graph') {
        changed(GRAPH_URI);
        continue;
      }
      changed(uriOfScope(scope));
      changed(uriOfRecord(scope, recordId));
    }
  } catch (error) {
    if (!signal.aborted) ended(error);
  }
}
