/**
 * The versions of the published contract.
 */

/** The contract version of every versioned document. */
export const CONTRACT_VERSION = 1 as const;

/** The version of what a data directory holds. */
export const STORED_VERSION = 1;

/** `info.version` of the OpenAPI document, and `version` of the health answer. */
export const CONTRACT_DOCUMENT_VERSION = '0.13.0';
