import { type Atom, fieldAtom } from './atom.ts';
import { FieldSet } from './field-set.ts';
import type { PathElement } from './path-element.ts';

/** Adds the named fields on the path to each member, because structs do not own themselves. */
export function withNamedFields(set: FieldSet, atom: Atom | undefined): FieldSet {
  if (set.children.size === 0) return set;
  const members = new Set(set.members);
  const children = new Map<PathElement, FieldSet>();
  for (const [element, child] of set.children) {
    let below: Atom | undefined;
    if (element.startsWith('f:') && atom?.map) {
      const name = element.slice(2);
      if (atom.map.field(name)) members.add(element);
      below = fieldAtom(atom.map, name);
    } else if (element.startsWith('k:')) {
      below = atom?.list?.item;
    }
    children.set(element, withNamedFields(child, below));
  }
  return new FieldSet(members, children);
}
