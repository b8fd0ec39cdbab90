import { type JsonObject, getKey, isObject, setKey } from '../json/json-object.ts';
import {
  type Atom,
  type AtomKind,
  type ListAtom,
  type MapAtom,
  fieldAtom,
  firstPart,
  narrow,
} from './atom.ts';
import { listElement } from './list-element.ts';
import type { PathElement } from './path-element.ts';

/**
 * Merges an applied configuration into an object: the configuration's values win, and the rest stays.
 *
 * @returns the result, which shares parts with both; undefined when neither exists
 * @throws {ListItemError} when items cannot be identified
 */
export function mergeTyped(live: unknown, applied: unknown, atom: Atom): unknown {
  const left = narrow(atom, live);
  const right = narrow(atom, applied);
  if (applied === undefined) return mergePart(left ?? firstPart(atom), live, applied, atom);
  return mergePart(right ?? firstPart(atom), live, applied, atom);
}

function mergePart(part: AtomKind, live: unknown, applied: unknown, { map, list }: Atom): unknown {
  if (part === 'map' && map && !map.isAtomic) {
    const left = isObject(live) ? live : {};
    const right = isObject(applied) ? applied : {};
    if (Object.keys(left).length + Object.keys(right).length > 0) return mergeMaps(left, right, map);
  }
  if (part === 'list' && list && !list.isAtomic) {
    const left: unknown[] = Array.isArray(live) ? live : [];
    const right: unknown[] = Array.isArray(applied) ? applied : [];
    if (left.length + right.length > 0) return mergeLists(left, right, list);
  }
  return applied === undefined ? live : applied;
}

function mergeMaps(left: JsonObject, right: JsonObject, map: MapAtom): unknown {
  const merged: JsonObject = {};
  for (const name of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const atom = fieldAtom(map, name);
    const value = atom
      ? mergeTyped(getKey(left, name), getKey(right, name), atom)
      : (getKey(right, name) ?? getKey(left, name));
    if (value !== undefined) setKey(merged, name, value);
  }
  return Object.keys(merged).length > 0 ? merged : undefined;
}

/**
 * Applied items keep their relative order, and so do the others. Where both orders leave a choice, an item that is
 * only in the live list comes first.
 */
function mergeLists(left: readonly unknown[], right: readonly unknown[], list: ListAtom): unknown {
  const live = indexItems(left, list);
  const applied = indexItems(right, list);
  const shared = applied.elements.filter((element) => live.items.has(element));
  const isDone = new Set<PathElement>();
  const merged: unknown[] = [];
  const add = (element: PathElement, own: unknown) => {
    const value = mergeTyped(own, applied.items.get(element), list.item);
    if (value !== undefined) merged.push(value);
  };
  let next = 0;
  let l = 0;
  let r = 0;
  while (l < live.elements.length || r < applied.elements.length) {
    const ours = live.elements[l];
    const theirs = applied.elements[r];
    if (ours !== undefined && theirs !== undefined) {
      if (ours === theirs) {
        isDone.add(ours);
        add(ours, live.items.get(ours));
        l += 1;
        r += 1;
        next += 1;
        continue;
      }
      // It comes later, at its position in the configuration.
      if (applied.items.has(ours) && next < shared.length && shared[next] !== ours) {
        l += 1;
        continue;
      }
    }
    if (ours !== undefined) {
      if (!applied.items.has(ours)) {
        add(ours, left[l]);
        l += 1;
        continue;
      }
      if (isDone.has(ours)) l += 1;
    }
    if (theirs !== undefined) {
      isDone.add(theirs);
      add(theirs, live.items.get(theirs));
      r += 1;
      if (shared[next] === theirs) next += 1;
    }
  }
  return merged.length > 0 ? merged : undefined;
}

/** A duplicate item counts as null, because it is ambiguous. */
function indexItems(
  values: readonly unknown[],
  list: ListAtom,
): { elements: PathElement[]; items: Map<PathElement, unknown> } {
  const items = new Map<PathElement, unknown>();
  const elements = values.map((value) => {
    const element = listElement(list, value);
    items.set(element, items.has(element) ? null : value);
    return element;
  });
  return { elements, items };
}
