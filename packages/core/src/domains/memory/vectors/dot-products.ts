/**
 * Dot products of one rounded vector with many.
 *
 * A WebAssembly module that multiplies one vector of 16-bit integers with many of 8 bits. It takes
 * eight components at a time, for which JavaScript has no instructions.
 */

/** Components that are multiplied at once; vectors are stored with as many, or a multiple. */
const LANES = 8;
const PAGE_BYTES = 65_536;
const PRODUCT_BYTES = 4;

/** Returns the components that a rounded vector is stored with; those beyond its own are 0. */
export function strideOf(dimension: number): number {
  return Math.ceil(dimension / LANES) * LANES;
}

/** What the module exports. */
interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  readonly multiply: (codes: number, end: number, stride: number, out: number) => void;
}

/** The part of the global object that is used; the types of Node.js leave it out. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: Exports };
}

let exported: Exports | undefined;

/** The module starts when it is first used. */
function started(): Exports {
  if (exported !== undefined) return exported;
  const { Module, Instance } = Reflect.get(globalThis, 'WebAssembly') as unknown as WebAssemblyApi;
  exported = new Instance(new Module(dotProductModule)).exports;
  return exported;
}

/**
 * Returns the dot product of a vector with each of others of the same stride, which lie one behind
 * the other. A sum must be below 2 ** 31. The result is on loan until the next call.
 */
export function dotProducts(vector: Int16Array, others: Int8Array): Int32Array {
  const { memory, multiply } = started();
  const stride = vector.length;
  const codesAt = vector.byteLength;
  const outAt = codesAt + others.length;
  const count = others.length / stride;
  if (count === 0) return new Int32Array();
  const missing = outAt + count * PRODUCT_BYTES - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES));
  new Int16Array(memory.buffer, 0, stride).set(vector);
  new Int8Array(memory.buffer, codesAt, others.length).set(others);
  multiply(codesAt, outAt, stride, outAt);
  return new Int32Array(memory.buffer, outAt, count);
}

const I32 = 0x7f;
const V128 = 0x7b;

const [CODES, END, STRIDE, OUT, AT, SUM] = [0, 1, 2, 3, 4, 5];

const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const tee = (local: number) => [0x22, local];
const i32 = (value: number) => [0x41, value];
const add = [0x6a];
const shiftLeft = [0x74];
const isBelow = [0x49];
const loop = [0x03, 0x40];
const branchIf = [0x0d, 0];
const end = [0x0b];
/** Alignment and offset of an access to memory. */
const anywhere = [0, 0];
const store = [0x36, ...anywhere];
const zeroLanes = [0xfd, 0x0c, ...Array.from({ length: 16 }, () => 0)];
const load = [0xfd, 0x00, ...anywhere];
const loadExtended = [0xfd, 0x01, ...anywhere];
const lane = (index: number) => [0xfd, 0x1b, index];
const addLanes = [0xfd, 0xae, 0x01];
const multiplyLanes = [0xfd, 0xba, 0x01];

/**
 * The code of the function:
 *
 * ```wat
 * (memory (export "memory") 1)
 * (func (export "multiply")
 *   (param $codes i32) (param $end i32) (param $stride i32) (param $out i32)
 *   (local $at i32) (local $sum v128)
 *   (loop $vectors
 *     (local.set $sum (v128.const i32x4 0 0 0 0))
 *     (local.set $at (i32.const 0))
 *     (loop $parts
 *       (local.set $sum
 *         (i32x4.add (local.get $sum)
 *           (i32x4.dot_i16x8_s
 *             (v128.load (i32.shl (local.get $at) (i32.const 1)))
 *             (v128.load8x8_s (i32.add (local.get $codes) (local.get $at))))))
 *       (local.tee $at (i32.add (local.get $at) (i32.const 8)))
 *       (br_if $parts (i32.lt_u (local.get $stride))))
 *     (i32.store (local.get $out) (… the sum of the four lanes of $sum …))
 *     (local.set $out (i32.add (local.get $out) (i32.const 4)))
 *     (local.tee $codes (i32.add (local.get $codes) (local.get $stride)))
 *     (br_if $vectors (i32.lt_u (local.get $end)))))
 * ```
 */
const body: readonly number[] = [
  ...loop,
  ...[zeroLanes, set(SUM), i32(0), set(AT)].flat(),
  ...loop,
  ...[get(SUM), get(AT), i32(1), shiftLeft, load].flat(),
  ...[get(CODES), get(AT), add, loadExtended, multiplyLanes, addLanes, set(SUM)].flat(),
  ...[get(AT), i32(8), add, tee(AT), get(STRIDE), isBelow, branchIf, end].flat(),
  ...[get(OUT), get(SUM), lane(0), get(SUM), lane(1), add].flat(),
  ...[get(SUM), lane(2), add, get(SUM), lane(3), add, store].flat(),
  ...[get(OUT), i32(4), add, set(OUT)].flat(),
  ...[get(CODES), get(STRIDE), add, tee(CODES), get(END), isBelow, branchIf, end].flat(),
  ...end,
];

/** Returns bytes behind their number; no part of the module has 128 or more but the code. */
function sized(bytes: readonly number[]): number[] {
  const { length } = bytes;
  return length < 0x80 ? [length, ...bytes] : [(length & 0x7f) | 0x80, length >>> 7, ...bytes];
}

function named(text: string, kind: number): number[] {
  return [...sized([...Buffer.from(text)]), kind, 0];
}

const section = (id: number, content: readonly number[]) => [id, ...sized(content)];
const locals = [2, 1, I32, 1, V128];

/** The module in its binary form. */
const dotProductModule = Uint8Array.from([
  ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...section(1, [1, 0x60, 4, I32, I32, I32, I32, 0]),
  ...section(3, [1, 0]),
  ...section(5, [1, 0, 1]),
  ...section(7, [2, ...named('memory', 2), ...named('multiply', 0)]),
  ...section(10, [1, ...sized([...locals, ...body])]),
]);
