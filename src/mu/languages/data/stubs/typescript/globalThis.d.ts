// Global objects of browsers and Node that propagate types. Classes list all of their members unless
// they have one called `__other__`. `__index__` is the type of a subscript, `__next__` that of the
// variable of a loop.

declare class Object {
  static assign<T>(target: T, ...sources: any[]): T;
  static create<T>(prototype: T, properties?: any): T;
  static defineProperty<T>(target: T, key: string, attributes: any): T;
  static defineProperties<T>(target: T, properties: any): T;
  static entries<T>(value: Record<string, T>): [string, T][];
  static freeze<T>(value: T): T;
  static fromEntries<T>(entries: Iterable<[string, T]>): Record<string, T>;
  static getOwnPropertyDescriptor(value: any, key: string): any;
  static getOwnPropertyDescriptors(value: any): any;
  static getOwnPropertyNames(value: any): string[];
  static getOwnPropertySymbols(value: any): symbol[];
  static getPrototypeOf<T>(value: T): T;
  static groupBy(items: any, key: any): any;
  static hasOwn(value: any, key: string): boolean;
  static is(left: any, right: any): boolean;
  static isExtensible(value: any): boolean;
  static isFrozen(value: any): boolean;
  static isSealed(value: any): boolean;
  static keys(value: any): string[];
  static preventExtensions<T>(value: T): T;
  static seal<T>(value: T): T;
  static setPrototypeOf<T>(value: T, prototype: any): T;
  static values<T>(value: Record<string, T>): T[];
  static prototype: any;
  hasOwnProperty(key: string): boolean;
  isPrototypeOf(other: any): boolean;
  propertyIsEnumerable(key: string): boolean;
  toLocaleString(): string;
  toString(): string;
  valueOf(): any;
}

interface Function {
  apply(self: any, args?: any): any;
  bind(self: any, ...args: any[]): any;
  call(self: any, ...args: any[]): any;
  length: number;
  name: string;
  prototype: any;
}

declare class Symbol {
  static for(key: string): symbol;
  static keyFor(symbol: symbol): string;
  static iterator: symbol;
  static asyncIterator: symbol;
  static hasInstance: symbol;
  static toPrimitive: symbol;
  static toStringTag: symbol;
  static species: symbol;
  static dispose: symbol;
  static asyncDispose: symbol;
  static unscopables: symbol;
  static __other__: any;
  description: string;
}

declare class Boolean {}

declare class Number {
  static isFinite(value: any): boolean;
  static isInteger(value: any): boolean;
  static isNaN(value: any): boolean;
  static isSafeInteger(value: any): boolean;
  static parseFloat(text: string): number;
  static parseInt(text: string, radix?: number): number;
  static EPSILON: number;
  static MAX_SAFE_INTEGER: number;
  static MAX_VALUE: number;
  static MIN_SAFE_INTEGER: number;
  static MIN_VALUE: number;
  static NaN: number;
  static NEGATIVE_INFINITY: number;
  static POSITIVE_INFINITY: number;
  toExponential(digits?: number): string;
  toFixed(digits?: number): string;
  toPrecision(digits?: number): string;
}

declare class BigInt {
  static asIntN(bits: number, value: bigint): bigint;
  static asUintN(bits: number, value: bigint): bigint;
}

declare class String {
  static fromCharCode(...codes: number[]): string;
  static fromCodePoint(...codes: number[]): string;
  static raw(strings: any, ...values: any[]): string;
  __index__(place: number): string;
  [Symbol.iterator](): Iterator<string>;
  length: number;
  anchor(name: string): string;
  at(place: number): string;
  charAt(place: number): string;
  charCodeAt(place: number): number;
  codePointAt(place: number): number;
  concat(...texts: string[]): string;
  endsWith(text: string, end?: number): boolean;
  includes(text: string, start?: number): boolean;
  indexOf(text: string, start?: number): number;
  isWellFormed(): boolean;
  lastIndexOf(text: string, start?: number): number;
  localeCompare(other: string): number;
  match(pattern: any): RegExpMatchArray;
  matchAll(pattern: any): IterableIterator<RegExpMatchArray>;
  normalize(form?: string): string;
  padEnd(length: number, text?: string): string;
  padStart(length: number, text?: string): string;
  repeat(count: number): string;
  replace(pattern: any, by: (text: string, ...groups: any[]) => string): string;
  replaceAll(pattern: any, by: (text: string, ...groups: any[]) => string): string;
  search(pattern: any): number;
  slice(start?: number, end?: number): string;
  split(separator: any, limit?: number): string[];
  startsWith(text: string, start?: number): boolean;
  substr(start: number, length?: number): string;
  substring(start: number, end?: number): string;
  toLocaleLowerCase(): string;
  toLocaleUpperCase(): string;
  toLowerCase(): string;
  toUpperCase(): string;
  toWellFormed(): string;
  trim(): string;
  trimEnd(): string;
  trimLeft(): string;
  trimRight(): string;
  trimStart(): string;
}

declare class RegExp {
  constructor(pattern: any, flags?: string);
  exec(text: string): RegExpMatchArray;
  test(text: string): boolean;
  compile(): RegExp;
  dotAll: boolean;
  flags: string;
  global: boolean;
  hasIndices: boolean;
  ignoreCase: boolean;
  lastIndex: number;
  multiline: boolean;
  source: string;
  sticky: boolean;
  unicode: boolean;
  unicodeSets: boolean;
}

interface RegExpMatchArray extends Array<string> {
  index: number;
  input: string;
  groups: any;
  indices: any;
}
interface RegExpExecArray extends RegExpMatchArray {}

interface Iterator<T> extends Iterable<T> {
  __next__(): T;
  next(value?: any): any;
  return(value?: any): any;
  throw(error?: any): any;
  [Symbol.iterator](): Iterator<T>;
  drop(count: number): Iterator<T>;
  every(test: (value: T) => boolean): boolean;
  filter(test: (value: T) => boolean): Iterator<T>;
  find(test: (value: T) => boolean): T;
  flatMap<R>(change: (value: T) => Iterable<R>): Iterator<R>;
  forEach(act: (value: T) => void): void;
  map<R>(change: (value: T) => R): Iterator<R>;
  reduce<R>(join: (before: R, value: T) => R, start: R): R;
  some(test: (value: T) => boolean): boolean;
  take(count: number): Iterator<T>;
  toArray(): T[];
}
interface Iterable<T> {
  [Symbol.iterator](): Iterator<T>;
}
interface IterableIterator<T> extends Iterator<T> {}
interface Generator<T, R, N> extends Iterator<T> {}
interface AsyncIterator<T> extends AsyncIterable<T> {
  __next__(): T;
  next(value?: any): Promise<any>;
  return(value?: any): Promise<any>;
  throw(error?: any): Promise<any>;
  [Symbol.asyncIterator](): AsyncIterator<T>;
}
interface AsyncIterable<T> {
  [Symbol.asyncIterator](): AsyncIterator<T>;
}
interface AsyncIterableIterator<T> extends AsyncIterator<T> {}
interface AsyncGenerator<T, R, N> extends AsyncIterator<T> {}

declare class Array<T> implements Iterable<T> {
  static from<S, R>(items: Iterable<S>, change?: (item: S, place: number) => R): (S | R)[];
  static fromAsync<S>(items: AsyncIterable<S>): Promise<S[]>;
  static isArray(value: any): boolean;
  static of<S>(...items: S[]): S[];
  __index__(place: number): T;
  [Symbol.iterator](): Iterator<T>;
  length: number;
  at(place: number): T;
  concat(...items: any[]): T[];
  copyWithin(target: number, start: number, end?: number): T[];
  entries(): IterableIterator<[number, T]>;
  every(test: (item: T, place: number, all: T[]) => boolean, self?: any): boolean;
  fill(item: T, start?: number, end?: number): T[];
  filter(test: (item: T, place: number, all: T[]) => boolean, self?: any): T[];
  find(test: (item: T, place: number, all: T[]) => boolean, self?: any): T;
  findIndex(test: (item: T, place: number, all: T[]) => boolean, self?: any): number;
  findLast(test: (item: T, place: number, all: T[]) => boolean, self?: any): T;
  findLastIndex(test: (item: T, place: number, all: T[]) => boolean, self?: any): number;
  flat(depth?: number): any[];
  flatMap<R>(change: (item: T, place: number, all: T[]) => R[], self?: any): R[];
  forEach(act: (item: T, place: number, all: T[]) => void, self?: any): void;
  includes(item: T, start?: number): boolean;
  indexOf(item: T, start?: number): number;
  join(separator?: string): string;
  keys(): IterableIterator<number>;
  lastIndexOf(item: T, start?: number): number;
  map<R>(change: (item: T, place: number, all: T[]) => R, self?: any): R[];
  pop(): T;
  push(...items: T[]): number;
  reduce<R>(join: (before: R, item: T, place: number, all: T[]) => R, start: R): R;
  reduceRight<R>(join: (before: R, item: T, place: number, all: T[]) => R, start: R): R;
  reverse(): T[];
  shift(): T;
  slice(start?: number, end?: number): T[];
  some(test: (item: T, place: number, all: T[]) => boolean, self?: any): boolean;
  sort(compare?: (left: T, right: T) => number): T[];
  splice(start: number, count?: number, ...items: T[]): T[];
  toReversed(): T[];
  toSorted(compare?: (left: T, right: T) => number): T[];
  toSpliced(start: number, count?: number, ...items: T[]): T[];
  unshift(...items: T[]): number;
  values(): IterableIterator<T>;
  with(place: number, item: T): T[];
  __set__(place: number, item: T): void;
}
interface ReadonlyArray<T> extends Array<T> {}
interface ArrayLike<T> {
  __index__(place: number): T;
  length: number;
}
interface TemplateStringsArray extends Array<string> {
  raw: string[];
}
interface Record<K, T> {
  __index__(key: K): T;
  __set__(key: K, item: T): void;
  get __other__(): T;
}

declare class Map<K, V> implements Iterable<[K, V]> {
  constructor(entries?: Iterable<[K, V]>);
  static groupBy<T, G>(items: Iterable<T>, key: (item: T) => G): Map<G, T[]>;
  [Symbol.iterator](): Iterator<[K, V]>;
  size: number;
  clear(): void;
  delete(key: K): boolean;
  entries(): IterableIterator<[K, V]>;
  forEach(act: (value: V, key: K, all: Map<K, V>) => void, self?: any): void;
  get(key: K): V;
  has(key: K): boolean;
  keys(): IterableIterator<K>;
  set(key: K, value: V): this;
  values(): IterableIterator<V>;
}
interface ReadonlyMap<K, V> extends Map<K, V> {}
declare class WeakMap<K, V> {
  constructor(entries?: Iterable<[K, V]>);
  delete(key: K): boolean;
  get(key: K): V;
  has(key: K): boolean;
  set(key: K, value: V): this;
}
declare class Set<T> implements Iterable<T> {
  constructor(items?: Iterable<T>);
  [Symbol.iterator](): Iterator<T>;
  size: number;
  add(item: T): this;
  clear(): void;
  delete(item: T): boolean;
  difference(other: Set<T>): Set<T>;
  entries(): IterableIterator<[T, T]>;
  forEach(act: (item: T, again: T, all: Set<T>) => void, self?: any): void;
  has(item: T): boolean;
  intersection(other: Set<T>): Set<T>;
  isDisjointFrom(other: Set<T>): boolean;
  isSubsetOf(other: Set<T>): boolean;
  isSupersetOf(other: Set<T>): boolean;
  keys(): IterableIterator<T>;
  symmetricDifference(other: Set<T>): Set<T>;
  union(other: Set<T>): Set<T>;
  values(): IterableIterator<T>;
}
interface ReadonlySet<T> extends Set<T> {}
declare class WeakSet<T> {
  constructor(items?: Iterable<T>);
  add(item: T): this;
  delete(item: T): boolean;
  has(item: T): boolean;
}
declare class WeakRef<T> {
  constructor(target: T);
  deref(): T;
}

declare class Promise<T> {
  constructor(run: (resolve: (value: any) => void, reject: (error: any) => void) => void);
  static all<S>(values: Iterable<Promise<S>>): Promise<S[]>;
  static allSettled(values: any): Promise<any[]>;
  static any<S>(values: Iterable<Promise<S>>): Promise<S>;
  static race<S>(values: Iterable<Promise<S>>): Promise<S>;
  static reject(error?: any): Promise<any>;
  static resolve<S>(value: S): Promise<S>;
  static try<S>(run: () => S): Promise<S>;
  static withResolvers(): any;
  catch<R>(handle: (error: any) => R): Promise<R>;
  finally(act: () => void): Promise<T>;
  then<R>(change: (value: T) => R, handle?: (error: any) => any): Promise<R>;
}
interface PromiseLike<T> extends Promise<T> {}

declare class Error {
  constructor(message?: string, options?: any);
  static captureStackTrace(target: any, from?: any): void;
  static stackTraceLimit: number;
  static prepareStackTrace: any;
  cause: any;
  code: any;
  message: string;
  name: string;
  stack: string;
  __other__: any;
}
declare class EvalError extends Error {}
declare class RangeError extends Error {}
declare class ReferenceError extends Error {}
declare class SyntaxError extends Error {}
declare class TypeError extends Error {}
declare class URIError extends Error {}
declare class AggregateError extends Error {
  errors: any[];
}

declare class Date {
  constructor(...parts: any[]);
  static UTC(...parts: number[]): number;
  static now(): number;
  static parse(text: string): number;
  getDate(): number;
  getDay(): number;
  getFullYear(): number;
  getHours(): number;
  getMilliseconds(): number;
  getMinutes(): number;
  getMonth(): number;
  getSeconds(): number;
  getTime(): number;
  getTimezoneOffset(): number;
  getUTCDate(): number;
  getUTCDay(): number;
  getUTCFullYear(): number;
  getUTCHours(): number;
  getUTCMilliseconds(): number;
  getUTCMinutes(): number;
  getUTCMonth(): number;
  getUTCSeconds(): number;
  getYear(): number;
  setDate(value: number): number;
  setFullYear(value: number): number;
  setHours(value: number): number;
  setMilliseconds(value: number): number;
  setMinutes(value: number): number;
  setMonth(value: number): number;
  setSeconds(value: number): number;
  setTime(value: number): number;
  setUTCDate(value: number): number;
  setUTCFullYear(value: number): number;
  setUTCHours(value: number): number;
  setUTCMilliseconds(value: number): number;
  setUTCMinutes(value: number): number;
  setUTCMonth(value: number): number;
  setUTCSeconds(value: number): number;
  toDateString(): string;
  toGMTString(): string;
  toISOString(): string;
  toJSON(): string;
  toLocaleDateString(): string;
  toLocaleTimeString(): string;
  toTimeString(): string;
  toUTCString(): string;
}

declare class JSON {
  static parse(text: string, revive?: (key: string, value: any) => any): any;
  static stringify(value: any, replace?: (key: string, value: any) => any, space?: any): string;
}

declare class Reflect {
  static apply<R>(run: (...args: any[]) => R, self: any, args: any): R;
  static defineProperty<T>(target: T, key: string, attributes: any): T;
  static get(target: any, key: any, self?: any): any;
  static construct<T>(made: T, args: any): InstanceType<T>;
  static getPrototypeOf<T>(value: T): T;
  static has(target: any, key: any): boolean;
  static ownKeys(target: any): string[];
  static set(target: any, key: any, value: any, self?: any): boolean;
  static __other__: any;
}

declare class process {
  static nextTick(act: () => void, ...args: any[]): void;
  static __other__: any;
}

declare function setTimeout(act: () => void, delay?: number, ...args: any[]): any;
declare function setInterval(act: () => void, delay?: number, ...args: any[]): any;
declare function setImmediate(act: () => void, ...args: any[]): any;
declare function queueMicrotask(act: () => void): void;
declare function requestAnimationFrame(act: (time: number) => void): number;
declare function structuredClone<T>(value: T): T;
declare function parseInt(text: string, radix?: number): number;
declare function parseFloat(text: string): number;
declare function encodeURIComponent(text: any): string;
declare function decodeURIComponent(text: string): string;
declare function encodeURI(text: string): string;
declare function decodeURI(text: string): string;
declare function describe(name: string, define: () => void): void;
declare function suite(name: string, define: () => void): void;
declare function before(act: () => void): void;
declare function after(act: () => void): void;
declare function beforeEach(act: () => void): void;
declare function afterEach(act: () => void): void;
declare function beforeAll(act: () => void): void;
declare function afterAll(act: () => void): void;
