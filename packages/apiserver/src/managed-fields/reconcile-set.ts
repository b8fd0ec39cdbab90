import { type Atom, deducedAtom, fieldAtom, firstPart } from './atom.ts';
import { FieldSet } from './field-set.ts';
import { type Managers, withSet } from './managers.ts';
import type { PathElement } from './path-element.ts';
import type { TypedVersions } from './typed-versions.ts';

/**
 * Adapts sets to a schema that has changed since they were written: owners of parts of a value that is now atomic
 * own the whole value. Drops entries of versions that are no longer served.
 *
 * @returns a new map
 */
export function reconcileManagers(versions: TypedVersions, managers: Managers): Managers {
  const reconciled: Managers = new Map();
  for (const [id, manager] of managers) {
    const atom = versions.atomOf(manager.apiVersion);
    if (!atom) continue;
    const atomics = findAtomics(manager.set, atom, { path: [], found: [], isWhole: false });
    reconciled.set(id, atomics.length === 0 ? manager : withSet(manager, makeWhole(manager.set, atomics)));
  }
  return reconciled;
}

interface Walk {
  readonly path: readonly PathElement[];
  /** Receives the paths of atomic values that the set has parts of. */
  readonly found: PathElement[][];
  /** Whether the set has the value itself and no parts of it. */
  readonly isWhole: boolean;
}

function findAtomics(set: FieldSet | undefined, atom: Atom, { path, found, isWhole }: Walk): PathElement[][] {
  const part = firstPart(atom);
  const { list, map } = atom;
  if (part === 'scalar') return found;
  // The parts of a map with arbitrary values are not checked.
  if (part === 'map' && map?.isAtomic && map.element === deducedAtom) return found;
  if ((part === 'list' ? list : map)?.isAtomic) {
    if (!isWhole && (part === 'list' || (set && !set.isEmpty))) found.push([...path]);
    return found;
  }
  if (!set) return found;
  for (const element of set.members) {
    if (!set.children.has(element)) descend(element, undefined, atom, { path, found, isWhole: true });
  }
  for (const [element, child] of set.children) descend(element, child, atom, { path, found, isWhole: false });
  return found;
}

function descend(element: PathElement, set: FieldSet | undefined, atom: Atom, walk: Walk): void {
  const part = firstPart(atom);
  const below =
    part === 'list'
      ? atom.list?.item
      : atom.map && element.startsWith('f:')
        ? fieldAtom(atom.map, element.slice(2))
        : atom.map?.element;
  if (below) findAtomics(set, below, { ...walk, path: [...walk.path, element] });
}

function makeWhole(set: FieldSet, atomics: readonly PathElement[][]): FieldSet {
  const whole = new FieldSet();
  for (const path of atomics) whole.insert(path);
  return set.recursiveDifference(whole).union(whole);
}
