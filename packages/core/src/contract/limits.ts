/** Every bound of the contract, in one place, with its unit in its name. */

/** Largest document of a request, in bytes. */
export const DOCUMENT_BYTES_MAX = 65_536;
/** Largest document of a request that carries a password or a token, in bytes. */
export const SECRET_DOCUMENT_BYTES_MAX = 8_192;
/** Longest text id (scope members, subjects, tenants, keys), in UTF-8 bytes. */
export const TEXT_BYTES_MAX = 256;
/** Longest name of a memory record, in UTF-8 bytes. */
export const NAME_BYTES_MAX = 512;
/** Memory batches: most commands of one. */
export const BATCH_COMMANDS_MAX = 256;
/** Memory batches: largest document, in bytes. */
export const BATCH_BYTES_MAX = 1_048_576;
/** Changes of memory: most of a page. */
export const CHANGES_LIMIT_MAX = 256;
/** Changes of memory: of a page when no limit is given. */
export const CHANGES_LIMIT_DEFAULT = 100;
/** Changes of memory: most entries that are examined for a page. */
export const CHANGES_EXAMINED_MAX = 8_192;
/** Changes of memory: entries that are examined before other work runs. */
export const CHANGES_SLICE_ENTRIES = 256;
/** Changes of memory: longest wait for the next one, in milliseconds. */
export const CHANGES_WAIT_MILLIS_MAX = 30_000;
/** Changes of memory: most calls and streams that wait. */
export const CHANGES_WAITS_MAX = { principal: 16, tenant: 256, all: 1_024 } as const;
/** Changes of memory: characters of a cursor. */
export const CHANGE_CURSOR_CHARS = 64;
/** Webhooks: most of a tenant. */
export const WEBHOOKS_MAX = 32;
/** Addresses that the server calls: longest one, in UTF-8 bytes. */
export const URL_BYTES_MAX = 2_048;
/** Webhooks: most scopes that one names. */
export const WEBHOOK_SCOPES_MAX = 16;
/** Webhooks: most changes in a message. */
export const WEBHOOK_CHANGES_MAX = 100;
/** Webhooks: messages that a server delivers at once. */
export const WEBHOOK_DELIVERIES_MAX = 128;
/** Webhooks: messages of one tenant that a server delivers at once. */
export const WEBHOOK_DELIVERIES_OF_TENANT_MAX = 4;
/** Webhooks: milliseconds that a receiver has to answer. */
export const WEBHOOK_TIMEOUT_MS = 15_000;
/** Webhooks: milliseconds from the commit of a change to the last attempt to deliver it. */
export const WEBHOOK_RETRY_MS = 259_200_000;
/** Webhooks: days that the changes of a tenant with a webhook are kept, at least. */
export const WEBHOOK_CHANGES_DAYS_MIN = 7;
/** Webhooks: seconds that a replaced secret goes on signing when no number is given. */
export const WEBHOOK_OVERLAP_SECONDS_DEFAULT = 86_400;
/** Webhooks: most seconds that a replaced secret goes on signing. */
export const WEBHOOK_OVERLAP_SECONDS_MAX = 604_800;
/** Tokens of subjects: shortest lifetime in seconds. */
export const SUBJECT_TOKEN_SECONDS_MIN = 60;
/** Tokens of subjects: lifetime in seconds when none is given. */
export const SUBJECT_TOKEN_SECONDS_DEFAULT = 600;
/** Tokens of subjects: longest lifetime in seconds. */
export const SUBJECT_TOKEN_SECONDS_MAX = 900;
/** Credentials: most seconds that a replaced secret stays good. */
export const SECRET_OVERLAP_SECONDS_MAX = 2_592_000;
/** Webhooks: most secrets that sign at a time. */
export const WEBHOOK_SECRETS_MAX = 4;
/** Webhooks: most dead letters of one. */
export const WEBHOOK_DEAD_LETTERS_MAX = 100;
/** Changes of memory: days that they are kept when no number is given. */
export const CHANGES_RETENTION_DAYS_DEFAULT = 30;
/** Changes of memory: most days that they can be kept. */
export const CHANGES_RETENTION_DAYS_MAX = 36_500;
/** Memory: superseded revisions of a record that are kept when no number is given. */
export const REVISIONS_KEPT_DEFAULT = 100;
/** Memory: most superseded revisions of a record that can be kept. */
export const REVISIONS_KEPT_MAX = 10_000;
/** Memory: days that a superseded revision is kept when no number is given. */
export const RETENTION_DAYS_DEFAULT = 30;
/** Memory: most days that revisions, deleted content or expired records can be kept. */
export const RETENTION_DAYS_MAX = 36_500;
/** Memory: most days that counts of reads can be kept. */
export const READ_DAYS_MAX = 90;
/** Memory: counts of reads that wait to be stored. */
export const READS_WAITING_MAX = 32_768;
/** Memory: counts of reads of one tenant that wait to be stored. */
export const READS_WAITING_OF_TENANT_MAX = 4_096;
/** Memory: how long a count of reads waits to be stored, in milliseconds. */
export const READS_STORED_AFTER_MS = 1_000;
/** Memory: how long a server takes a tenant not to count reads, in milliseconds. */
export const READS_KNOWN_MS = 10_000;
/** Memory: longest default lifetime of new records, in seconds. */
export const LIFETIME_SECONDS_MAX = 3_153_600_000;
/** Memory: revisions that the commit of a deletion removes; a sweep removes further ones. */
export const REVISIONS_REMOVED_AT_ONCE = 4;
/** Greatest integer that the contract carries: 2^53 - 1. */
export const INTEGER_MAX = Number.MAX_SAFE_INTEGER;
/** Greatest `contract_version` of administration documents: 2^32 - 1. */
export const UINT32_MAX = 4_294_967_295;
/** Most ids in one selector of a scope policy. */
export const SELECTOR_IDS_MAX = 256;
/** Directory pages: most items. */
export const DIRECTORY_LIMIT_MAX = 100;
/** Directory pages: items when no limit is given. */
export const DIRECTORY_LIMIT_DEFAULT = 25;
/** Longest cursor text, in characters. */
export const CURSOR_CHARS_MAX = 8_192;
/** Pages: most bytes of items, as JSON. A larger item has a page of its own. */
export const PAGE_BYTES_MAX = 4_194_304;
/** Heavy calls, which scan or answer with a page: most in flight, those that wait included. */
export const HEAVY_CALLS_MAX = { principal: 256, tenant: 512, all: 1_024 } as const;
/** Heavy calls: most that work at the same time; further ones wait. */
export const HEAVY_WORKING_MAX = { principal: 4, tenant: 8, all: 16 } as const;
/** Answers of any kind: most bytes that are unread before heavy calls are refused. */
export const UNREAD_BYTES_MAX = {
  principal: 33_554_432,
  tenant: 67_108_864,
  all: 134_217_728,
} as const;
/** Answers of any kind: most bytes that are unread before connections are closed. */
export const UNREAD_BYTES_KEPT_MAX = {
  principal: 67_108_864,
  tenant: 134_217_728,
  all: 268_435_456,
} as const;
/** Memory queries: most records of a page. */
export const QUERY_LIMIT_MAX = 1_000;
/** Memory queries: records of a page when no limit is given. */
export const QUERY_LIMIT_DEFAULT = 100;
/** Memory queries: most and default entries examined for a page. */
export const QUERY_SCAN_LIMIT_MAX = 10_000;
/** Most tags in one filter. */
export const QUERY_TAGS_MAX = 16;
/** Entries examined before a query lets other work run. */
export const QUERY_SLICE_ENTRIES = 1_000;
/** Bytes of entries examined before a query lets other work run; the last entry may go beyond. */
export const QUERY_SLICE_BYTES = 524_288;
/** Records found before a query lets other work run. */
export const QUERY_SLICE_RECORDS = 100;
/** Bytes of records read before a query lets other work run; the last record may go beyond. */
export const QUERY_SLICE_RECORD_BYTES = 524_288;
/** Memory queries: memory of the segment cache when none is given, in bytes. */
export const QUERY_CACHE_BYTES_DEFAULT = 134_217_728;
/** Memory queries: least memory of the segment cache, unless it is off, in bytes. */
export const QUERY_CACHE_BYTES_MIN = 1_048_576;
/** Memory searches: most scopes of one. */
export const SEARCH_SCOPES_MAX = 16;
/** Memory searches: most matches of a page. */
export const SEARCH_LIMIT_MAX = 100;
/** Memory searches: matches of a page when no limit is given. */
export const SEARCH_LIMIT_DEFAULT = 20;
/** Memory searches: longest text of words, in UTF-8 bytes. */
export const SEARCH_WORDS_BYTES_MAX = 1_024;
/** Memory searches: most distinct words, prefixes and phrases. */
export const SEARCH_WORDS_MAX = 32;
/** Memory searches: most types of one filter. */
export const SEARCH_TYPES_MAX = 16;
/** Memory searches: most members of `metadata` and `data` with conditions. */
export const SEARCH_MEMBERS_MAX = 16;
/** Memory searches: longest path of a member, in names. */
export const SEARCH_PATH_MAX = 16;
/** Memory searches: most values that a member may have, or may not have. */
export const SEARCH_VALUES_MAX = 100;
/** Memory searches: longest text whose embedding the server makes, in UTF-8 bytes. */
export const SEARCH_TEXT_BYTES_MAX = 16_384;
/** Memory searches: most components of a vector. */
export const SEARCH_DIMENSIONS_MAX = 4_096;
/** Memory searches: largest document, in bytes. */
export const SEARCH_BYTES_MAX = 262_144;
/** Bytes of records read before a search lets other work run; the last record may go beyond. */
export const SEARCH_SLICE_RECORD_BYTES = 65_536;
/** Memory searches: most highlights of one match. */
export const SEARCH_HIGHLIGHTS_MAX = 100;
/** Memory searches: most groups of counts on a page, unless one record has more. */
export const SEARCH_GROUPS_MAX = 1_000;
/** Memory searches in the order `hybrid`: matches that each of its two parts ranks. */
export const SEARCH_RANKED_MAX = 100;
/** Memory searches in the order `hybrid`: what is added to each rank, unless the search says. */
export const SEARCH_RANK_OFFSET = 60;
/** Memory searches in the order `hybrid`: most that a search adds to each rank. */
export const SEARCH_RANK_OFFSET_MAX = 1_000;
/** Memory searches in the order `hybrid`: most that ranks by distance count beside words. */
export const SEARCH_VECTOR_WEIGHT_MAX = 10;
/** Memory searches in the order `best_words`: matches that it ranks. */
export const SEARCH_BEST_MAX = 300;
/** Memory searches in the order `best_words`: more occurrences of a term count as so many. */
export const SEARCH_TIMES_MAX = 4;
/** Memory searches: longest cursor, in characters; one holds the ids of the best matches. */
export const SEARCH_CURSOR_CHARS_MAX = 20_480;
/** Memory searches in the order `best_words`: fewest bytes of a passage that a search asks for. */
export const SEARCH_PASSAGE_BYTES_MIN = 256;
/** Memory searches in the order `best_words`: most bytes of a passage that a search asks for. */
export const SEARCH_PASSAGE_BYTES_MAX = 65_536;
/** Memory: most embedding spaces of a scope. */
export const EMBEDDING_SPACES_MAX = 8;
/** Memory: longest name of an embedding space, in UTF-8 bytes. */
export const SPACE_BYTES_MAX = 64;
/** Memory: most embeddings that one call attaches. */
export const ATTACHED_EMBEDDINGS_MAX = 64;
/** Least event or validity time, in Unix milliseconds. */
export const EVENT_TIME_MILLIS_MIN = -8_334_601_228_800_000;
/** Greatest event or validity time, in Unix milliseconds. */
export const EVENT_TIME_MILLIS_MAX = 8_210_266_876_799_999;
/** Greatest magnitude of an embedding number: the greatest finite 32-bit float. */
export const EMBEDDING_MAGNITUDE_MAX = 3.4028234663852886e38;
/** Credentials and login accounts: most events of the history in one answer. */
export const HISTORY_EVENTS_MAX = 64;
/** Credentials and login accounts: bytes of the events in one answer; one event may exceed them. */
export const HISTORY_BYTES_MAX = 1_048_576;
/** Audit: events that are kept of an authority in each quota when no bound is given. */
export const AUDIT_EVENTS_DEFAULT = 100_000;
/** Audit: greatest bound for the events that are kept of an authority in each quota. */
export const AUDIT_EVENTS_MAX = 1_000_000_000;
/** Audit: days after which events go when no number is given. */
export const AUDIT_RETENTION_DAYS_DEFAULT = 90;
/** Audit: most days that events can be kept. */
export const AUDIT_RETENTION_DAYS_MAX = 36_500;
/** Audit: bytes of a file before the next one begins, when no bound is given. */
export const AUDIT_FILE_BYTES_DEFAULT = 10_485_760;
/** Audit: least bound for the bytes of a file. */
export const AUDIT_FILE_BYTES_MIN = 1_024;
/** Audit: greatest bound for the bytes of a file. */
export const AUDIT_FILE_BYTES_MAX = 1_099_511_627_776;
/** Audit: events of a page when no limit is given. */
export const AUDIT_LIMIT_DEFAULT = 100;
/** Audit: most events of a page; a greater limit counts as this one. */
export const AUDIT_LIMIT_MAX = 1_000;
/** Use of a tenant: entries after which one call ends its part of the count. */
export const TENANT_USE_ENTRIES_MAX = 16_384;
/** Use of a tenant: bytes of keys and values after which one call ends its part of the count. */
export const TENANT_USE_BYTES_MAX = 8_388_608;
/** Audit: most blocks of events that one call verifies. A block has at most 64 events. */
export const AUDIT_VERIFIED_BLOCKS_MAX = 512;
/** Audit: clients and kinds of events whose repeats are counted in memory in one minute. */
export const AUDIT_CLIENTS_MAX = 16_384;
/** Audit: of these, most addresses of callers without a good proof, for each authority. */
export const AUDIT_ADDRESSES_MAX = 1_024;
/** Audit: most events that wait in memory to be stored; further ones are dropped. */
export const AUDIT_WAITING_MAX = 65_536;
/**
 * Audit: most events that wait in memory for a slow disk of the audit files. Further events are
 * left out of the files, which is reported as a failure. The store has them all the same.
 */
export const AUDIT_LINES_WAITING_MAX = 65_536;
/** Passwords: least length, in Unicode code points. */
export const PASSWORD_CODE_POINTS_MIN = 12;
/** Passwords: most UTF-8 bytes, also of one that is only compared. */
export const PASSWORD_BYTES_MAX = 1_024;
/** Password hashing: most at work at once, so that half of Node's four threads stay free. */
export const PASSWORD_WORKERS_MAX = 2;
/** Password hashing: most that wait for logins, and for new passwords; at 9 ms, a second. */
export const PASSWORD_WAITING_MAX = 100;
/** Tokens: seconds that an access token lives when no number is given. */
export const ACCESS_TOKEN_SECONDS_DEFAULT = 3_600;
/** Tokens: fewest seconds that an access token can live. */
export const ACCESS_TOKEN_SECONDS_MIN = 61;
/** Tokens: most seconds that an access token can live. */
export const ACCESS_TOKEN_SECONDS_MAX = 86_400;
/** Sessions: milliseconds from a login until refreshing ends. */
export const JWT_SESSION_MS = 86_400_000;
/** Sessions: least idle limit, in seconds. */
export const SESSION_IDLE_SECONDS_MIN = 60;
/** Sessions: greatest idle limit, in seconds. */
export const SESSION_IDLE_SECONDS_MAX = 86_400;
/** Tokens: longest text that is parsed as an access token, in characters. */
export const TOKEN_CHARS_MAX = 8_192;
/** Tokens: verified ones that are remembered. */
export const VERIFIED_TOKENS_MAX = 10_000;
/** Tokens: least length of a signing key, in bits. */
export const RSA_BITS_MIN = 2_048;
/** Tokens: greatest length of a signing key, in bits. */
export const RSA_BITS_MAX = 8_192;
/** Accounts: most roles of one. */
export const ACCOUNT_ROLES_MAX = 32;
/** Lists of the account surface: most items, and items when no limit is given. */
export const ACCOUNT_LIST_LIMIT_MAX = 1_000;
/** Lockout: failures of one run that lock a name. */
export const LOCKOUT_FAILURES_MAX = 5;
/** Lockout: how long a run of failures lasts after its first one, in milliseconds. */
export const LOCKOUT_WINDOW_MILLIS = 1_800_000;
/** Lockout: how long the first lock of a name lasts; each further one lasts twice as long. */
export const LOCKOUT_FIRST_MILLIS = 900_000;
/** Lockout: longest lock that failures lead to. */
export const LOCKOUT_LONGEST_MILLIS = 86_400_000;
/** Lockout: how long after its last failure or lock an unlocked name is remembered. */
export const LOCKOUT_KEPT_MILLIS = 2_592_000_000;
/** Lockout: most names that are remembered; unlocked ones that changed longest ago go first. */
export const LOCKOUT_NAMES_MAX = 100_000;
/** Lockout: names of a page of the list. */
export const LOCKOUT_PAGE_NAMES_MAX = 100;
/** API keys: most days until one ends. */
export const API_KEY_DAYS_MAX = 3_650;
/** Invitations: days that a code is good for when no number is given. */
export const INVITATION_DAYS_DEFAULT = 7;
/** Invitations: most days that a code is good for. */
export const INVITATION_DAYS_MAX = 30;
/** Reset links: hours that a code is good for when no number is given. */
export const RESET_LINK_HOURS_DEFAULT = 24;

/** Reset links: most hours that a code is good for. */
export const RESET_LINK_HOURS_MAX = 72;

/** Invitations: most scopes that one gives. */
export const INVITED_SCOPES_MAX = 64;
/** API keys: most live ones of an account. */
export const API_KEYS_LIVE_MAX = 64;
/** API keys: most expired ones of an account that are kept when another key is made. */
export const API_KEYS_EXPIRED_MAX = 64;
/** Tools: longest source of an artifact, in UTF-8 bytes. */
export const ARTIFACT_SOURCE_BYTES_MAX = 24_576;
/** Tools: longest dependency lock of an artifact, in UTF-8 bytes. */
export const ARTIFACT_LOCK_BYTES_MAX = 8_192;
/** Tools: largest input or output schema of an artifact, in bytes of compact JSON. */
export const ARTIFACT_JSON_SCHEMA_BYTES_MAX = 8_192;
/** Tools: most sources that an artifact names. */
export const ARTIFACT_SOURCE_REFS_MAX = 32;
/** Tools: longest objective of a development and detail of a report, in UTF-8 bytes. */
export const DEVELOPMENT_TEXT_BYTES_MAX = 8_192;
/** Experiences: most events that are examined for one page of a history. */
export const HISTORY_LIMIT_MAX = 64;
/** Times of use: how far the stored one of a key or session may be behind, in milliseconds. */
export const USE_PRECISION_MS = 60_000;
/** Several servers: how far their clocks may be apart, in milliseconds. */
export const CLOCK_SKEW_MAX_MS = 60_000;
/**
 * Revocations: milliseconds that one is kept after its token has expired. A clock that is set back,
 * or behind another server's, by less than this revives no revoked token.
 */
export const REVOCATION_KEPT_MS = 86_400_000;
/** Times of use: most that wait in memory to be stored; further ones are dropped. */
export const USES_WAITING_MAX = 16_384;
/** Rate limits: greatest number of requests of one policy. */
export const RATE_LIMIT_REQUESTS_MAX = 1_000_000_000;
/** Rate limits: longest window, in seconds. */
export const RATE_LIMIT_WINDOW_SECS_MAX = 86_400;
/** Rate limits: longest path that a policy can name, in UTF-8 bytes. */
export const RATE_LIMIT_PATH_BYTES_MAX = 256;
/** Rate limits: most policies of an installation, disabled ones included. */
export const RATE_LIMIT_POLICIES_MAX = 256;
/** Opaque sessions: milliseconds that one lives at most. */
export const OPAQUE_SESSION_MS = 900_000;
/** Learning, tools, experiences: longest id, name or revision, in UTF-8 bytes. */
export const ID_BYTES_MAX = 512;
/** Learning, tools, experiences: longest reference or free remark, in UTF-8 bytes. */
export const REFERENCE_BYTES_MAX = 2_048;
/** Learning: longest instructions of a procedure, in UTF-8 bytes; the document is bounded too. */
export const INSTRUCTIONS_BYTES_MAX = 65_536;
/** Learning: most sources that a proposal names. */
export const SOURCE_REFS_MAX = 128;
/** Learning: most tools of an evaluation context. */
export const CONTEXT_TOOLS_MAX = 128;
/** Learning: least trials that a procedure is judged by. */
export const QUALIFICATION_TRIALS_MIN = 2;
/** Learning: most trials that a procedure is judged by. */
export const QUALIFICATION_TRIALS_MAX = 1_000_000;
/** Learning: greatest bound for failures in a row. */
export const FAILURE_STREAK_MAX = 1_000_000;
/** Learning: least confidence_delta of a policy that bets. */
export const BETTING_DELTA_MIN = 1e-9;
/** Learning: greatest min_improvement of a policy that bets. */
export const BETTING_IMPROVEMENT_MAX = 0.999;
/** Learning: most candidates that a policy admits together. */
export const CANDIDATES_MAX = 256;
/** Learning: least confidence_delta of a policy that admits candidates together. */
export const TOGETHER_DELTA_MIN = 1e-6;
/** Learning: least false_suspension_trials of a policy. */
export const FALSE_SUSPENSION_TRIALS_MIN = 10;
/** Learning: greatest false_suspension_trials of a policy. */
export const FALSE_SUSPENSION_TRIALS_MAX = 1_000_000_000;
/** Learning: confidence_delta lies between 0 and this number, both excluded. */
export const CONFIDENCE_DELTA_MAX = 0.5;
/** Learning: index entries examined before a selection lets other work run. */
export const SELECTION_SLICE_ENTRIES = 1_000;
