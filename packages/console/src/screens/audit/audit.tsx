/** A screen. */
import type { JSX } from 'preact';
import { Screen } from '../../parts/screen.js';
import type { Caller } from '../../session/caller.js';

/** Shows it. */
export function AuditScreen(_props: { readonly caller: Caller }): JSX.Element {
  return <Screen title="audit">{''}</Screen>;
}
