import { isObject } from '../json/json-object.ts';
import { maxRecursion } from '../json/depth.ts';

/** How field ownership can split a value. A value that can be of several types has several of the three parts. */
export interface Atom {
  readonly scalar?: ScalarAtom | undefined;
  readonly list?: ListAtom | undefined;
  readonly map?: MapAtom | undefined;
}

export type ScalarAtom = 'numeric' | 'string' | 'boolean' | 'untyped';

export interface ListAtom {
  /** Whether the list is owned as a whole. */
  readonly isAtomic: boolean;
  /** The fields that identify items; undefined for a set, whose items identify themselves. */
  readonly keys: readonly string[];
  readonly item: Atom;
}

export interface MapAtom {
  /** Whether the map is owned as a whole. */
  readonly isAtomic: boolean;
  /** The type of unnamed fields; undefined where there are none. */
  readonly element: Atom | undefined;
  /** The type of a named field. */
  field(name: string): Atom | undefined;
  /** The default of a named field. */
  defaultOf(name: string): unknown;
  /** The fields that Go always writes for a built-in type, with their empty values; undefined for custom resources. */
  readonly zeros: ReadonlyMap<string, unknown> | undefined;
  /** Whether Go omits it when it is empty, like a map of a built-in type. An empty struct stays, even one without fields. */
  readonly omitsEmpty: boolean;
}

export type AtomKind = 'map' | 'scalar' | 'list';

/** Any value, owned as a whole. */
export const untypedAtom: Atom = {
  scalar: 'untyped',
  list: {
    isAtomic: true,
    keys: [],
    get item() {
      return untypedAtom;
    },
  },
  map: {
    isAtomic: true,
    get element() {
      return untypedAtom;
    },
    field: () => undefined,
    defaultOf: () => undefined,
    zeros: undefined,
    omitsEmpty: false,
  },
};

/**
 * Any value: maps are owned by field, everything else as a whole. Maps that are nested too deep for the stack are
 * also owned as a whole; a real server splits them at any depth.
 */
export const deducedAtom: Atom = deduced(0);

function deduced(depth: number): Atom {
  let element: Atom | undefined;
  return {
    scalar: 'untyped',
    list: untypedAtom.list,
    map: {
      isAtomic: false,
      get element() {
        return (element ??= depth < maxRecursion ? deduced(depth + 1) : untypedAtom);
      },
      field: () => undefined,
      defaultOf: () => undefined,
      zeros: undefined,
      omitsEmpty: false,
    },
  };
}

/** The type of a map's field; undefined when there is no such field. */
export function fieldAtom(map: MapAtom, name: string): Atom | undefined {
  return map.field(name) ?? map.element;
}

/** The part of an atom for the type of a value; undefined when the value does not decide. */
export function narrow(atom: Atom, value: unknown): AtomKind | undefined {
  if (Array.isArray(value)) {
    if (atom.list) return 'list';
  } else if (isObject(value)) {
    if (atom.map) return 'map';
  } else if (value !== null && value !== undefined && atom.scalar) return 'scalar';
  return only(atom);
}

/** The part of an atom to use for a value: the one for its type, or the first. */
export function partFor(atom: Atom, value: unknown): AtomKind {
  return narrow(atom, value) ?? firstPart(atom);
}

export function firstPart({ map, scalar }: Atom): AtomKind {
  if (map) return 'map';
  return scalar ? 'scalar' : 'list';
}

function only({ map, scalar, list }: Atom): AtomKind | undefined {
  if (map) return scalar || list ? undefined : 'map';
  if (scalar) return list ? undefined : 'scalar';
  return 'list';
}
