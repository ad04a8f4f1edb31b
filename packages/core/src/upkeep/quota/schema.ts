/** Schemas of the documents of storage quotas (docs/contract/quotas.md#quo-3). */
import * as v from 'valibot';
import { closed } from '../../contract/schema/document.js';
import { named } from '../../contract/schema/json-schema.js';
import { administrationVersion, answeredVersion, integer } from '../../contract/schema/number.js';
import { textId } from '../../contract/schema/text.js';

const limits = {
  /** Most entries of all kinds; null means unbounded. */
  max_entries: v.nullable(integer()),
  /** Most bytes of their keys and values; null means unbounded. */
  max_bytes: v.nullable(integer()),
};

/** The request body that sets a quota; with two nulls it removes the quota. */
export const StorageQuotaRequest = v.pipe(
  closed({ contract_version: administrationVersion(), ...limits }),
  named('StorageQuotaRequest'),
);

/** The answer that shows a quota and what the tenant uses. */
export const StorageQuotaResponse = v.pipe(
  closed({
    contract_version: answeredVersion,
    tenant_id: textId(),
    quota: closed(limits),
    /** Null without a quota, because nothing is counted then. */
    use: v.nullable(
      closed({
        entries: integer(),
        bytes: integer(),
        /** False until everything that was stored before the quota is counted. */
        is_complete: v.boolean(),
      }),
    ),
  }),
  named('StorageQuotaResponse'),
);
export type StorageQuotaResponse = v.InferOutput<typeof StorageQuotaResponse>;
