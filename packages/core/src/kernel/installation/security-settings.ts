/**
 * Detects security settings that differ from the last start. Only digests are stored, so that the
 * store shows which settings changed but never their values.
 */
import { sha256Text } from '../../contract/digest.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { canonicalJson, isJsonObject, type JsonValue } from '../../contract/schema/json-value.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { findMarker, putMarker } from './marker-store.js';

/**
 * Settings by name. A setting with its default is left out, so that a later version with a new
 * setting finds no difference.
 */
export type SecuritySettings = Readonly<Record<string, JsonValue>>;

/** A digest for each setting, by name. */
export type SettingDigests = Readonly<Record<string, string>>;

/** Returns the digests of settings. */
export function digestsOf(settings: SecuritySettings): SettingDigests {
  const digests = Object.entries(settings).map(([name, value]): [string, string] => [
    name,
    digestOf(value),
  ]);
  return Object.fromEntries(digests);
}

/**
 * Stores the settings of this start. Returns the names of those that differ from the last start, in
 * ascending order; none at the first start.
 *
 * @throws {AgentkeepError} `storage_inconsistency`
 */
export function rememberSettings(tx: WriteTx, digests: SettingDigests): string[] {
  const last = lastDigests(tx);
  if (last === undefined) {
    putMarker(tx, 'security_settings', { ...digests });
    return [];
  }
  const names = new Set([...Object.keys(last), ...Object.keys(digests)]);
  const changed = [...names].filter((name) => last[name] !== digests[name]).sort();
  if (changed.length > 0) putMarker(tx, 'security_settings', { ...digests });
  return changed;
}

/**
 * Replaces the stored value of one setting, so that the next start finds no change. Does nothing if
 * the last start stored another value than `from`.
 *
 * @throws {AgentkeepError} `storage_inconsistency`
 */
export function replaceSetting(
  tx: WriteTx,
  name: string,
  { from, to }: { readonly from: JsonValue; readonly to: JsonValue },
): void {
  const last = lastDigests(tx);
  if (last?.[name] !== digestOf(from)) return;
  putMarker(tx, 'security_settings', { ...last, [name]: digestOf(to) });
}

function digestOf(value: JsonValue): string {
  return sha256Text(canonicalJson(value), 'base64url');
}

function lastDigests(tx: ReadTx): Readonly<Record<string, JsonValue>> | undefined {
  const stored = findMarker(tx, 'security_settings');
  if (stored === undefined) return undefined;
  if (isJsonObject(stored)) return stored;
  throw new AgentkeepError('storage_inconsistency');
}
