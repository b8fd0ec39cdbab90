import { appendAll } from '../json/append-all.ts';
import type { JsonObject } from '../json/json-object.ts';
import { jsonEqual } from '../json/json-equal.ts';
import { type Comparison, compareTyped } from './compare-typed.ts';
import { type Conflict, ConflictsError, conflictsWith } from './conflict.ts';
import type { FieldSet } from './field-set.ts';
import { fieldSetOf } from './field-set-of.ts';
import { type Manager, type ManagerName, type Managers, idOf, withSet } from './managers.ts';
import { mergeTyped } from './merge-typed.ts';
import { pruneApplied } from './prune-applied.ts';
import { reconcileManagers } from './reconcile-set.ts';
import type { TypedVersions } from './typed-versions.ts';

/** Two states of an object in the version of the request. */
export interface Transition {
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly apiVersion: string;
  /** Whether the new state is the result of an apply. */
  readonly isMerged: boolean;
}

/**
 * Updates owners after an update: managers lose the fields that it changed or removed.
 *
 * @returns the sets of the other managers, and the fields that the update itself owns
 */
export function ownersAfterUpdate(
  versions: TypedVersions,
  managers: Managers,
  transition: Transition,
): { managers: Managers; own: FieldSet } {
  const reconciled = reconcileManagers(versions, managers);
  const { others, comparison } = removeFromOthers(versions, reconciled, transition, {
    by: undefined,
    force: true,
  });
  return { managers: others, own: comparison.modified.union(comparison.added) };
}

/**
 * Applies a configuration.
 *
 * @param self the applying manager
 * @returns the merged object (undefined when nothing changed) and the new sets of all managers
 * @throws {ConflictsError} when others own what would change, unless it is forced
 */
export function applyToOwners(
  versions: TypedVersions,
  managers: Managers,
  { live, configuration, self, force }: Application,
): { object: JsonObject | undefined; managers: Managers } {
  const { apiVersion } = self;
  const atom = versions.atomOf(apiVersion);
  if (!atom) throw new Error(`no schema of ${apiVersion}`);
  const reconciled = reconcileManagers(versions, managers);
  const id = idOf(self);
  const last = reconciled.get(id);
  const reset = versions.resetFields(apiVersion);
  const applied = fieldSetOf(configuration, atom);
  const set = reset ? applied.recursiveDifference(reset) : applied;
  reconciled.set(id, last ? own({ ...last, apiVersion }, last, set) : { ...self, time: undefined, set });
  const merged = mergeTyped(live, configuration, atom) as JsonObject;
  const after = pruneApplied(versions, { merged, managers: reconciled, last, apiVersion });
  const { others } = removeFromOthers(
    versions,
    reconciled,
    { before: live, after, apiVersion, isMerged: true },
    { by: id, force },
  );
  return { object: jsonEqual(live, after) ? undefined : after, managers: others };
}

/** A configuration to apply. */
export interface Application {
  readonly live: JsonObject;
  readonly configuration: JsonObject;
  readonly self: ManagerName;
  readonly force: boolean;
}

/** Keeps the entry unchanged when neither set nor version changed. */
function own(manager: Manager, last: Manager, set: FieldSet): Manager {
  if (manager.apiVersion === last.apiVersion && last.set.equals(set)) return last;
  return { ...manager, set, source: undefined };
}

/**
 * Removes changed and deleted fields from every manager but one.
 *
 * @param by the manager whose fields stay; a change of fields that others own is a conflict, unless it is forced
 */
function removeFromOthers(
  versions: TypedVersions,
  managers: Managers,
  transition: Transition,
  { by, force }: { by: string | undefined; force: boolean },
): { others: Managers; comparison: Comparison } {
  const comparisons = new Map<string, Comparison | undefined>();
  const comparisonIn = (apiVersion: string) => {
    if (!comparisons.has(apiVersion))
      comparisons.set(apiVersion, compareIn(versions, transition, apiVersion));
    return comparisons.get(apiVersion);
  };
  const comparison = comparisonIn(transition.apiVersion);
  if (!comparison) throw new Error(`no schema of ${transition.apiVersion}`);
  const others: Managers = new Map();
  const conflicts: Conflict[] = [];
  for (const [id, manager] of managers) {
    const changes = id === by ? undefined : comparisonIn(manager.apiVersion);
    // Entries of a version that is no longer served are dropped.
    if (id !== by && !changes) continue;
    const taken = changes && manager.set.intersection(changes.modified.union(changes.added));
    if (taken && !taken.isEmpty && !force) appendAll(conflicts, conflictsWith(manager, taken));
    const rest = changes ? without(manager, changes, taken) : manager;
    if (!rest.set.isEmpty) others.set(id, rest);
  }
  if (conflicts.length > 0) throw new ConflictsError(conflicts);
  return { others, comparison };
}

function without(manager: Manager, { removed }: Comparison, taken: FieldSet | undefined): Manager {
  const kept = taken && !taken.isEmpty ? manager.set.difference(taken) : manager.set;
  const rest = removed.isEmpty ? kept : kept.difference(removed);
  return withSet(manager, rest.equals(manager.set) ? manager.set : rest);
}

function compareIn(
  versions: TypedVersions,
  { before, after, isMerged }: Transition,
  apiVersion: string,
): Comparison | undefined {
  const atom = versions.atomOf(apiVersion);
  if (!atom) return undefined;
  const compared = compareTyped(
    // A real server has converted the old object before, where it does not say what fails.
    versions.convert(before, apiVersion, ''),
    versions.convert(after, apiVersion, 'convert new object'),
    atom,
    isMerged,
  );
  const reset = versions.resetFields(apiVersion);
  if (!reset) return compared;
  return {
    added: compared.added.recursiveDifference(reset),
    modified: compared.modified.recursiveDifference(reset),
    removed: compared.removed.recursiveDifference(reset),
  };
}
