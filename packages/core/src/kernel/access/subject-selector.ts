/** The subjects that a credential may act for (docs/contract/delegation.md#dlg-2). */
import * as v from 'valibot';
import { SELECTOR_IDS_MAX } from '../../contract/limits.js';
import { closed } from '../../contract/schema/document.js';
import { describedAs, named } from '../../contract/schema/json-schema.js';
import { textId } from '../../contract/schema/text.js';

const isDistinct = (items: readonly unknown[]): boolean => new Set(items).size === items.length;

/** All subjects of the tenant, those whose id begins with a text, or exactly the listed ones. */
export const SubjectSelector = v.pipe(
  v.variant('mode', [
    closed({ mode: v.literal('all') }),
    closed({ mode: v.literal('prefix'), prefix: textId() }),
    closed({
      mode: v.literal('only'),
      ids: v.pipe(
        v.array(textId()),
        v.maxLength(SELECTOR_IDS_MAX),
        v.check((items) => isDistinct(items), 'items that differ'),
        describedAs({ uniqueItems: true }),
      ),
    }),
  ]),
  named('SubjectSelector'),
);
export type SubjectSelector = v.InferOutput<typeof SubjectSelector>;
