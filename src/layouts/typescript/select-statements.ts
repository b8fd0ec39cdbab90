import type { TopLevel } from './top-level.ts';

/** The part of a file that is about one kind. */
export interface Selection {
  readonly kept: ReadonlySet<TopLevel>;
  /** The names that it uses, its own included. */
  readonly names: ReadonlySet<string>;
}

/**
 * Selects what a kind is made of, and the types of the file that are not about other kinds. Functions and values are part of it where a
 * selected type refers to them.
 *
 * @param own the names that declare the kind
 * @param others the names of the other kinds of the file, which are never selected
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
    const isFree = ![...needed].some(({ declares }) => declares.some((name) => others.has(name)));
    if (isFree) for (const part of needed) kept.add(part);
  }
  return { kept, names: new Set([...kept].flatMap(({ uses }) => [...uses])) };
}

/** The statements that declare some names, and those that these need, up to the names of `stop`. */
function reachable(
  all: readonly TopLevel[],
  from: ReadonlySet<string>,
  stop: ReadonlySet<string>,
): Set<TopLevel> {
  const found = new Set<TopLevel>();
  const names = new Set(from);
  // A set that grows while it is read is read to its end.
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
