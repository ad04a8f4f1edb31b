/** Pages for hosts of MCP Apps (io.modelcontextprotocol/ui, SEP-1865). */
import type { Capability } from '@agentkeep/client';

/** A page that a host shows beside the answers of a tool. */
export interface ServedView {
  readonly uri: `ui://${string}`;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The capability without which it is of no use, and not listed. */
  readonly capability: Capability;
  /** Without anything of a network; it calls tools by its host. */
  readonly html: string;
}
