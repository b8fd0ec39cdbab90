import type { TSType } from 'oxc-parser';
import type { Module, TypeDeclaration } from '../source/module.ts';
import type { Span } from '../source/source-text.ts';
import type { Layer } from './layer.ts';
import type { OpenType } from '../schema/open-type.ts';
import type { Schema } from '../schema/schema.ts';

/** Where something is written. */
export interface Place {
  readonly module: Module;
  readonly span: Span;
}

/**
 * A type that is evaluated only when it is needed. It returns undefined after an error, which has then been
 * reported.
 */
export type LazyType = () => Type | undefined;

/** A type within another type, and where it is referred to. */
export interface Part {
  readonly type: Type;
  readonly at: Place;
}

/** A property of an object type. */
export interface Property {
  readonly name: string;
  /** Whether a `?` follows the name. */
  readonly optional: boolean;
  /** Whether the property is required even if its type includes `undefined`, because of `Required`. */
  readonly definite: boolean;
  /** Where the name is written. */
  readonly at: Place;
  /** Where the type is written. */
  readonly typeAt: Place;
  /** The type, including what the comment of the property says. */
  readonly type: LazyType;
  /**
   * Marks the property's tags as consumed because the property is left out, so they are not reported as
   * unused.
   */
  consumeTags(): void;
}

interface TypeBase {
  /** Where the type is written, for errors about types without a schema. */
  readonly at: Place;
  /** The declaration that the type comes from. */
  readonly declaration?: TypeDeclaration;
  /** What a comment says about `inner`, which is the same type without the comment. */
  readonly layer?: Layer;
  readonly inner?: Type;
}

export interface LiteralType extends TypeBase {
  readonly kind: 'literal';
  readonly value: string | number | boolean;
}

/** `number`, `null`, `undefined` and `never`, which have a meaning only within other types. */
interface KeywordType extends TypeBase {
  readonly kind: 'number' | 'null' | 'undefined';
}

interface NeverType extends TypeBase {
  readonly kind: 'never';
  /** Why no value is left. */
  readonly reason?: string;
}

/** A TypeScript type that a schema can only accept unchecked: `unknown`, `any`, `object`. */
export interface OpenKeywordType extends TypeBase {
  readonly kind: 'open';
  readonly open: OpenType;
  /** Whether the type is `object`, which excludes scalars and lists. */
  readonly isObject: boolean;
}

/** Strings that match a regular expression as a whole. */
interface PatternType extends TypeBase {
  readonly kind: 'pattern';
  readonly regex: string;
}

export interface ObjectType extends TypeBase {
  readonly kind: 'object';
  readonly properties: ReadonlyMap<string, Property>;
  /** Whether parts of the type could not be read, which has been reported. */
  readonly broken: boolean;
  /** Where the type refers to KubernetesObject, which makes it a kind. */
  readonly kindAt?: Place;
}

export interface MapType extends TypeBase {
  readonly kind: 'map';
  readonly values: LazyType;
  readonly valuesAt: Place;
}

export interface ListType extends TypeBase {
  readonly kind: 'list';
  /** The types of the elements: one for a list, one per element for a tuple. */
  readonly elements: readonly { readonly type: LazyType; readonly at: Place }[];
  readonly isTuple: boolean;
  readonly minItems?: number;
  readonly maxItems?: number;
}

export interface UnionType extends TypeBase {
  readonly kind: 'union';
  readonly members: readonly Part[];
  readonly broken: boolean;
}

/** An intersection of types that can be computed only from their schemas. */
export interface IntersectionType extends TypeBase {
  readonly kind: 'intersection';
  readonly parts: readonly Part[];
}

/** Types that TypeScript's type operators cannot look into. */
interface ScalarType extends TypeBase {
  readonly kind: 'scalar';
  readonly schema: Schema;
}

/** A type as TypeScript's type operators see it. The types of its parts are evaluated on demand. */
export type Type =
  | LiteralType
  | KeywordType
  | NeverType
  | OpenKeywordType
  | PatternType
  | ObjectType
  | MapType
  | ListType
  | UnionType
  | IntersectionType
  | ScalarType;

/** The module in which a type is written, with the arguments of the generic types around it. */
export interface Scope {
  readonly module: Module;
  /** The types of the type parameters. */
  readonly bindings: ReadonlyMap<string, LazyType>;
}

/** Returns where a node of a scope is written. */
export function placeOf({ module }: Scope, { start, end }: Span | TSType): Place {
  return { module, span: { start, end } };
}

/** Returns whether a property of this type can be missing. */
export function allowsUndefined(type: Type): boolean {
  return (
    type.kind === 'undefined' ||
    (type.kind === 'union' && type.members.some((member) => allowsUndefined(member.type)))
  );
}

/** Calls a function once, when its result is first needed. */
export function lazy(evaluate: LazyType): LazyType {
  let result: { readonly type: Type | undefined } | undefined;
  return () => (result ??= { type: evaluate() }).type;
}
