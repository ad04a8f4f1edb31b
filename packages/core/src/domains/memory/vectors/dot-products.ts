/** Dot products of one rounded vector with many. */
import { dotProductModule } from './dot-product-module.js';

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
