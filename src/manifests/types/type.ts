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

/** A type that is looked at only when it is needed; undefined after an error, which is then reported. */
export type LazyType = () => Type | undefined;

/** A type within another one, and where it is referred to. */
export interface Part {
  readonly type: Type;
  readonly at: Place;
}

/** A property of an object type. */
export interface Property {
  readonly name: string;
  /** Whether a `?` follows the name. */
  readonly optional: boolean;
  /** Whether `undefined` in the type does not make the property optional, because `Required` took that away. */
  readonly definite: boolean;
  /** Where its name is written. */
  readonly at: Place;
  /** Where its type is written. */
  readonly typeAt: Place;
  /** Its type, with what its comment says. */
  readonly type: LazyType;
  /** Tells that the property is left out, so that its tags are not called useless. */
  dismiss(): void;
}

interface TypeBase {
  /** Where it is written, for the types that have no schema. */
  readonly at: Place;
  /** The declaration that it comes from. */
  readonly declaration?: TypeDeclaration;
  /** What a comment says about `inner`, which is the same type without it. */
  readonly layer?: Layer;
  readonly inner?: Type;
}

export interface LiteralType extends TypeBase {
  readonly kind: 'literal';
  readonly value: string | number | boolean;
}

/** `number`, `null`, `undefined` and `never`, which have a meaning within other types only. */
interface KeywordType extends TypeBase {
  readonly kind: 'number' | 'null' | 'undefined';
}

interface NeverType extends TypeBase {
  readonly kind: 'never';
  /** Why no value is left. */
  readonly reason?: string;
}

/** A type of the language that a schema can only let pass: `unknown`, `any`, `object`. */
export interface OpenKeywordType extends TypeBase {
  readonly kind: 'open';
  readonly open: OpenType;
  /** `object` leaves out scalars and lists. */
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
  /** Whether parts of it could not be read, which is reported. */
  readonly broken: boolean;
  /** Where it refers to KubernetesObject, which makes it a kind. */
  readonly kindAt?: Place;
}

export interface MapType extends TypeBase {
  readonly kind: 'map';
  readonly values: LazyType;
  readonly valuesAt: Place;
}

export interface ListType extends TypeBase {
  readonly kind: 'list';
  /** The types of its elements; one for a list, as many as there are for a tuple. */
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

/** What several types allow together, where that is known only from their schemas. */
export interface BothType extends TypeBase {
  readonly kind: 'both';
  readonly parts: readonly Part[];
}

/** Types that operators of the language cannot look into. */
interface ScalarType extends TypeBase {
  readonly kind: 'scalar';
  readonly schema: Schema;
}

/** A type as the operators of the language see it; the types of its parts are found out when they are asked for. */
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
  | BothType
  | ScalarType;

/** The node and module that a type is written in, with the arguments of the generic types around it. */
export interface Scope {
  readonly module: Module;
  /** What the type parameters stand for. */
  readonly bindings: ReadonlyMap<string, LazyType>;
}

/** Where a node of a scope is written. */
export function placeOf({ module }: Scope, { start, end }: Span | TSType): Place {
  return { module, span: { start, end } };
}

/** Whether a property of this type can be missing. */
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
