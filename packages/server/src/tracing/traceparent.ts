/** Reads the header `traceparent` (W3C Trace Context, version 00 and later ones). */

/** The span of a caller, as it states it. */
export interface TraceParent {
  /** 32 hexadecimal digits in lower case, not all zero. */
  readonly traceId: string;
  /** 16 hexadecimal digits in lower case, not all zero. */
  readonly spanId: string;
  /** Bit 0: the caller records its span. */
  readonly flags: number;
}

const FORM = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})/;
/** Characters of version 00, which has nothing behind its flags. */
const CHARS = 55;

/** Returns what a header says, or `undefined` for none and for one that is malformed. */
export function readTraceParent(header: string | null): TraceParent | undefined {
  if (header === null || header.length < CHARS) return undefined;
  const [whole, version, traceId = '', spanId = '', flags = ''] = FORM.exec(header) ?? [];
  if (whole === undefined) return undefined;
  const rest = header.slice(CHARS);
  if (version === '00' ? rest !== '' : rest !== '' && !rest.startsWith('-')) return undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
}
