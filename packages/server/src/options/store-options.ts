/** The options of how the store keeps its data: durability, memory and encryption. */
import * as v from 'valibot';
import { define, integer, path } from './option-definition.js';

const MAP_SIZE_BYTES_MIN = 1_048_576;
const MAP_SIZE_BYTES_MAX = 17_592_186_044_416;
const QUERY_CACHE_BYTES_MIN = 1_048_576;
const QUERY_CACHE_BYTES_MAX = 1_099_511_627_776;

/** Those options by name. */
export const storeOptions = {
  durability: define({
    schema: v.optional(v.picklist(['strict', 'relaxed']), 'strict'),
    form: 'text',
    allowed: 'strict or relaxed',
    byDefault: 'strict',
    placeholder: '<mode>',
    summary: 'Whether each response waits for the disk (strict) or not (relaxed); fixed per store.',
  }),
  map_size_bytes: define({
    schema: v.optional(integer(MAP_SIZE_BYTES_MIN, MAP_SIZE_BYTES_MAX)),
    form: 'number',
    allowed: `an integer from ${MAP_SIZE_BYTES_MIN} to ${MAP_SIZE_BYTES_MAX}`,
    byDefault: '1 GiB',
    placeholder: '<bytes>',
    summary: "Initial address space of the store's memory map; it grows as needed.",
  }),
  query_cache_bytes: define({
    schema: v.optional(
      v.union([v.literal(0), integer(QUERY_CACHE_BYTES_MIN, QUERY_CACHE_BYTES_MAX)]),
      134_217_728,
    ),
    form: 'number',
    allowed: `0 or an integer from ${QUERY_CACHE_BYTES_MIN} to ${QUERY_CACHE_BYTES_MAX}`,
    byDefault: '134217728',
    placeholder: '<bytes>',
    summary: 'Memory for searchable copies of records, which make queries fast; 0: none.',
  }),
  encryption_keys: define({
    schema: v.optional(path),
    form: 'text',
    allowed: 'the path of a directory',
    byDefault: 'none: what is stored is not encrypted',
    placeholder: '<dir>',
    summary: 'Directory of keys, outside the data; with it, what is stored is encrypted.',
    isSecurity: true,
  }),
  encryption_root_key: define({
    schema: v.optional(path),
    form: 'text',
    allowed: 'the path of a file of mode 0600',
    byDefault: 'none',
    placeholder: '<file>',
    summary: 'Root key that wraps the keys of tenants.',
  }),
  encryption_root_command: define({
    schema: v.optional(path),
    form: 'text',
    allowed: 'the path of a program',
    byDefault: 'none',
    placeholder: '<program>',
    summary: 'Program that wraps and unwraps the keys of tenants, in place of a root key.',
  }),
} as const;
