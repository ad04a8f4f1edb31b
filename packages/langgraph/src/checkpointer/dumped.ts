/** Values as the serializer of a checkpointer writes them, and back. */
import type { SerializerProtocol } from '@langchain/langgraph-checkpoint';

/** A serialized value as text. Only bytes that are no UTF-8 are written in base64. */
export interface Dumped {
  readonly type: string;
  readonly encoding: 'utf8' | 'base64';
  readonly text: string;
}

/** Serializes a value. */
export async function dump(serde: SerializerProtocol, value: unknown): Promise<Dumped> {
  const [type, bytes] = await serde.dumpsTyped(value);
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { type, encoding: 'utf8', text };
  } catch {
    const units = Array.from(bytes, (byte) => String.fromCharCode(byte));
    return { type, encoding: 'base64', text: btoa(units.join('')) };
  }
}

/** Returns the value. */
export async function load(serde: SerializerProtocol, dumped: Dumped): Promise<unknown> {
  return serde.loadsTyped(dumped.type, bytesOf(dumped)) as Promise<unknown>;
}

function bytesOf({ encoding, text }: Dumped): Uint8Array {
  if (encoding === 'utf8') return new TextEncoder().encode(text);
  return Uint8Array.from(atob(text), (unit) => unit.charCodeAt(0));
}
