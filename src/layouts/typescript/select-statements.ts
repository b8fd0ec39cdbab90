import type { TopLevel } from './top-level.ts';

/** The part of a file that concerns one kind. */
export interface Selection {
  readonly kept: ReadonlySet<TopLevel>;
  /** The names that it uses, including its own. */
  readonly names: ReadonlySet<string>;
}

/**
 * Selects what a kind is made of, and the types of the file that do not concern other kinds. Includes
 * functions and values that a selected type refers to.
 *
 * @param own the names that declare the kind
 * @param others the names of the other kinds in the file, which are never selected
 */
export function selectStatements(
  all: readonly TopLevel[],
  own: ReadonlySet<string>,
  others: ReadonlySet<string>,
): Selection {
  const kept = reachable(all, own, others);
  const ofOthers = reachable(all, others, own);
  for (const item of all) {
    if (!item.isType || kept.has(item) || ofOthers.has(item)) continue;
    const needed = reachable(all, new Set(item.declares), new Set());
    const isIndependent = ![...needed].some(({ declares }) => declares.some((name) => others.has(name)));
    if (isIndependent) for (const part of needed) kept.add(part);
  }
  return { kept, names: new Set([...kept].flatMap(({ uses }) => [...uses])) };
}

/** Returns the statements that declare some names, and their dependencies, up to the names in `stop`. */
function reachable(
  all: readonly TopLevel[],
  from: ReadonlySet<string>,
  stop: ReadonlySet<string>,
): Set<TopLevel> {
  const found = new Set<TopLevel>();
  const names = new Set(from);
  // Iteration over a Set also visits items added during it.
  for (const name of names) {
    if (stop.has(name)) continue;
    for (const item of all) {
      if (found.has(item) || !item.declares.includes(name)) continue;
      found.add(item);
      for (const used of item.uses) names.add(used);
    }
  }
  return found;
}
