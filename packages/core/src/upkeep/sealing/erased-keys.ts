/**
 * The keys of what an erasure removes. They are retired first, so that what is written meanwhile
 * has other keys, and destroyed last, because counts are taken from what is removed.
 */
import { setTimeout } from 'node:timers/promises';
import type { Scope } from '../../kernel/access/scope.js';
import { hexOf, idFromHex, tenantKeyId } from '../../storage/sealing/key-ids.js';
import type { KeySource } from '../../storage/sealing/key-source.js';
import { scopeOwner, subjectOwner } from '../../storage/sealing/owners.js';
import { tenantText } from '../../storage/sealing/stored-key.js';

/** What is erased, as far as it says whose the keys are. */
type Target =
  | { readonly kind: 'tenant'; readonly tenant_id: string }
  | { readonly kind: 'subject'; readonly subject_id: string }
  | { readonly kind: 'scope'; readonly scope: Scope };

/** An erasure with the ids of its keys, in hexadecimal. */
interface Erasure {
  readonly tenantId: string;
  readonly target: Target | null;
  readonly keys: readonly string[] | null;
}

/** The sealing of the store. */
export interface ErasedKeysParts {
  readonly source: KeySource;
  /** Seals some plain entries; returns whether all are sealed. */
  readonly sealSlice: () => Promise<boolean>;
  /** Whether other processes use the keys too. */
  readonly isShared: boolean;
}

/** Ends keys for erasures. */
export class ErasedKeys {
  readonly #parts: ErasedKeysParts;

  constructor(parts: ErasedKeysParts) {
    this.#parts = parts;
  }

  /** Seals what is still plain, because erasures find entries by their stored keys. */
  async complete(): Promise<void> {
    while (!(await this.#parts.sealSlice()));
  }

  /** Returns the ids, in hexadecimal, of the keys that only the target has. */
  async idsOf(tenantId: string, target: Target): Promise<string[]> {
    const { source } = this.#parts;
    if (target.kind === 'tenant') {
      const secrets = await source.findTenant(tenantText(target.tenant_id));
      return secrets === undefined ? [] : [hexOf(tenantKeyId(secrets))];
    }
    const owner = ownerOf(target);
    const id = owner && (await source.currentOf(tenantText(tenantId), owner));
    return id === undefined ? [] : [hexOf(id)];
  }

  /** Lets the keys seal nothing new, and waits until all processes know that. */
  async retire({ tenantId, target, keys }: Erasure): Promise<void> {
    const { source, isShared } = this.#parts;
    // The secrets of a tenant stay until the end; nothing is written for it meanwhile.
    if (target?.kind === 'tenant') return;
    const left = (keys ?? []).map(idFromHex).filter((id) => !source.hasEnded(id));
    if (left.length === 0) return;
    await source.retire(tenantText(tenantId), left);
    if (isShared) await setTimeout(source.knownAfterMs);
  }

  /** Destroys the keys. */
  async destroy({ tenantId, target, keys }: Erasure): Promise<void> {
    const { source, isShared } = this.#parts;
    const ids = (keys ?? []).map(idFromHex);
    if (target?.kind !== 'tenant') {
      await source.destroy(tenantText(tenantId), ids);
      return;
    }
    for (const id of ids) await source.destroyTenant(tenantText(target.tenant_id), id);
    // Before the tenant can be registered again.
    if (isShared) await setTimeout(source.knownAfterMs);
  }
}

/** The owner of a key that a target has to itself; a subject has one key for its private scopes. */
function ownerOf(target: Target): string | undefined {
  if (target.kind === 'subject') return subjectOwner(target.subject_id);
  if (target.kind === 'tenant' || target.scope.visibility === 'private') return undefined;
  const { project_id: project, mission_id: mission, agent_id: agent } = target.scope;
  return scopeOwner([project, mission, agent]);
}
