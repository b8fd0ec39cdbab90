import {
  type Client,
  type DeepReadonly,
  type JsonPatchOperation,
  type Kind,
  type ObjectKey,
  type UnstructuredObject,
  isApiError,
} from 'ots-runtime';
import type { ClusterState, Observed } from './cluster-state.ts';
import type { NotConverged } from './convergence-error.ts';
import type { ConvergenceOptions } from './convergence-options.ts';
import type { ConvergenceRun } from './convergence-run.ts';
import type { ObservedWrite } from './observed-write.ts';
import { editedValue, ownedLeaves } from './owned-leaves.ts';

/** The part of a run that knows what an operator has created. */
export interface CreatingRun {
  readonly client: Client;
  /** What the operator created. */
  readonly created: readonly ObservedWrite[];
  readonly fieldManagers: ReadonlySet<string>;
}

/** An object that an operator has created, as it is now. */
export interface CreatedChild {
  readonly kind: Kind<UnstructuredObject>;
  readonly key: ObjectKey;
  readonly object: DeepReadonly<UnstructuredObject>;
}

/**
 * Edits the fields of each object that the operator created, and then deletes the object.
 *
 * @param run of an operator whose work is done
 * @param stage what it must repair, and where that is
 * @returns what was done, such as `Deployment web edited by hand (/spec/replicas)`, and what was not repaired
 */
export async function editByHand(
  run: ConvergenceRun,
  { state, observed }: { state: ClusterState; observed: Observed },
  { time = '1m', spare = () => false }: ConvergenceOptions,
): Promise<NotConverged[]> {
  const edits: NotConverged[] = [];
  const perform = async (title: string, edit: () => Promise<unknown>): Promise<void> => {
    const before = run.environment.snapshot();
    await edit();
    await run.advance(time);
    const differences = await run.differencesTo(state, observed);
    edits.push({ title, differences });
    // The next edit starts from a cluster in which all is well.
    if (differences.length > 0) await run.environment.restore(before);
  };
  for (const child of await childrenOf(run)) {
    const { kind, key, object } = child;
    if (spare(object)) continue;
    const patch = await editsOf(run, child);
    const fields = patch.map(({ path }) => path).join(', ');
    const name = `${kind.kind} ${key.name}`;
    if (patch.length > 0)
      await perform(`${name} edited by hand (${fields})`, () => run.client.patch(kind, key, patch));
    await perform(`${name} deleted by hand`, () => run.client.delete(kind, key));
  }
  return edits;
}

/** The objects that the operator created and that are still there, except those with generated names. */
export async function childrenOf(run: Pick<CreatingRun, 'client' | 'created'>): Promise<CreatedChild[]> {
  const children = new Map<string, CreatedChild>();
  for (const { collection, apiVersion, namespace, name, ...content } of run.created) {
    const kind = await run.client.mapper.kindFor(apiVersion, content.kind);
    const key = { name, ...(namespace && { namespace }) };
    const object = name.endsWith('*') ? undefined : await run.client.get(kind, key);
    if (object) children.set(`${collection} ${namespace} ${name}`, { kind, key, object });
  }
  return [...children.values()];
}

/** An edit of every field that the operator owns and that the server lets a user change: some cannot change, or have few values. */
export async function editsOf(
  run: Pick<CreatingRun, 'client' | 'fieldManagers'>,
  { kind, key, object }: CreatedChild,
): Promise<JsonPatchOperation[]> {
  const accepted: JsonPatchOperation[] = [];
  for (const leaf of ownedLeaves(object, run.fieldManagers)) {
    const operation = { op: 'replace', path: leaf.pointer, value: editedValue(leaf) } as const;
    // Together, too: a list may not have the same element twice.
    if (await isAccepted(() => run.client.patch(kind, key, [...accepted, operation], { dryRun: true })))
      accepted.push(operation);
  }
  return accepted;
}

async function isAccepted(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (isApiError(error)) return false;
    throw error;
  }
}
