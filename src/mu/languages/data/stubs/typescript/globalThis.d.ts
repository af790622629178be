// What every program has that types flow through. `iterator` stands for what `Symbol.iterator` names.

interface Object {
  hasOwnProperty(name: string): boolean;
  isPrototypeOf(other: any): boolean;
  propertyIsEnumerable(name: string): boolean;
  toLocaleString(): string;
  toString(): string;
  valueOf(): any;
}
