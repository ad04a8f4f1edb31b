/**
 * The versions of the published contract.
 * @module
 */

/** The contract version of every versioned document. */
export const CONTRACT_VERSION = 1 as const;

/** `info.version` of the OpenAPI document, and `version` of the health answer. */
export const CONTRACT_DOCUMENT_VERSION = '0.13.0';
