import type { JsonObject } from '../json/json-object.ts';
import type { Atom } from './atom.ts';
import { FieldSet } from './field-set.ts';
import { fieldSetOf } from './field-set-of.ts';
import { type Manager, type Managers, idOf } from './managers.ts';
import { removeItems } from './remove-items.ts';
import type { TypedVersions } from './typed-versions.ts';
import { withNamedFields } from './with-named-fields.ts';

/** A merged object that still has the fields its manager no longer applies. */
interface Merged {
  readonly merged: JsonObject;
  /** The sets of all managers, including the new one of the applying manager. */
  readonly managers: Managers;
  /** The previous set of the applying manager. */
  readonly last: Manager | undefined;
  /** The version of the request. */
  readonly apiVersion: string;
}

// What fails, in the words of a real server.
const prune = 'prune fields: failed to ';
const addOwnedBack = 'prune fields: failed add back owned items: failed to ';
const addDangling = 'prune fields: failed add back dangling items: failed to ';

/** Removes fields that the manager owned and no longer applies, unless another manager owns them. */
export function pruneApplied(
  versions: TypedVersions,
  { merged, managers, last, apiVersion }: Merged,
): JsonObject {
  const atom = last && versions.atomOf(last.apiVersion);
  if (!last || !atom || last.set.isEmpty || ownsAllOf(managers, last)) return merged;
  const toLast = 'object to last applied version';
  const whole = versions.convert(merged, last.apiVersion, `${prune}convert merged ${toLast}`);
  const lastSet = withNamedFields(last.set, atom);
  const pruned = remove(whole, lastSet, atom);
  const owned = addOwned(versions, { whole, pruned, version: last.apiVersion, managers });
  const inLast = versions.convert(owned, last.apiVersion, `${addDangling}convert pruned ${toLast}`);
  // Restore what disappeared only because its parent was removed.
  const gone = membersOf(whole, atom).difference(membersOf(inLast, atom)).intersection(lastSet);
  return versions.convert(remove(whole, gone, atom), apiVersion, 'convert pruned object');
}

/** Nothing can be removed when the new set includes the previous one, which is the common case. */
function ownsAllOf(managers: Managers, last: Manager): boolean {
  const now = managers.get(idOf(last));
  return now?.apiVersion === last.apiVersion && last.set.difference(now.set).isEmpty;
}

/** Restores the fields of all managers, version by version, starting with that of the previous set. */
function addOwned(
  versions: TypedVersions,
  {
    whole,
    pruned,
    version,
    managers,
  }: { whole: JsonObject; pruned: JsonObject; version: string; managers: Managers },
): JsonObject {
  const ownedIn = new Map<string, FieldSet>();
  for (const { apiVersion, set } of managers.values()) {
    ownedIn.set(apiVersion, (ownedIn.get(apiVersion) ?? new FieldSet()).union(set));
  }
  const order = [version, ...[...ownedIn.keys()].filter((other) => other !== version)];
  let rest = pruned;
  for (const apiVersion of order) {
    const owned = ownedIn.get(apiVersion);
    const atom = versions.atomOf(apiVersion);
    if (!owned || !atom) continue;
    const task = (subject: string) => `${addOwnedBack}convert ${subject} object at version ${apiVersion}`;
    const all = versions.convert(whole, apiVersion, task('merged'));
    const left = versions.convert(rest, apiVersion, task('pruned'));
    const kept = membersOf(left, atom).union(withNamedFields(owned, atom));
    rest = remove(all, membersOf(all, atom).difference(kept), atom);
  }
  return rest;
}

function membersOf(object: JsonObject, atom: Atom): FieldSet {
  return withNamedFields(fieldSetOf(object, atom), atom);
}

/** An object always has its type and is never removed as a whole. */
function remove(object: JsonObject, items: FieldSet, atom: Atom): JsonObject {
  return (removeItems(object, items, atom) ?? {}) as JsonObject;
}
