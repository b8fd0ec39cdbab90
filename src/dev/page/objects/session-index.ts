import type { ReconciledObject } from '../../model/dev-action.ts';
import type { DevState, ObjectState } from '../../model/dev-state.ts';

/** Finds which object a queue, a reconcile or a log line is about. */
export class SessionIndex {
  readonly #byName: ReadonlyMap<string, readonly ObjectState[]>;
  readonly #kinds: ReadonlyMap<string, string>;
  readonly #controllers: ReadonlySet<string>;

  constructor({ objects, queues, reconciles }: DevState) {
    this.#byName = groupByName(Object.values(objects));
    this.#kinds = new Map(queues.flatMap(({ controller, kind }) => (kind ? [[controller, kind]] : [])));
    this.#controllers = new Set([...queues, ...reconciles].map(({ controller }) => controller));
  }

  /**
   * The object of a controller's request, which has no kind. If the kind is unknown, the name of the controller decides, or else which
   * object has no owner.
   */
  objectOf(reconciled: ReconciledObject): ObjectState | undefined {
    const candidates = this.#byName.get(nameOf(reconciled)) ?? [];
    const kind = this.#kinds.get(reconciled.controller);
    if (kind !== undefined) return newest(candidates.filter((object) => object.kind === kind));
    const isNamed = (object: ObjectState) =>
      object.kind.toLowerCase() === reconciled.controller.toLowerCase();
    return (
      newest(candidates.filter(isNamed)) ?? newest(candidates.filter(({ owners }) => owners.length === 0))
    );
  }

  /** The requests by which controllers know an object. */
  requestsFor(object: ObjectState): ReconciledObject[] {
    return [...this.#controllers]
      .map((controller) => requestOf({ ...object, controller }))
      .filter((request) => this.objectOf(request) === object);
  }
}

/** The request alone, of what names an object and its controller. */
export function requestOf({ controller, namespace, name }: ReconciledObject): ReconciledObject {
  return { controller, ...(namespace !== undefined && { namespace }), name };
}

/** As kubectl names an object: `<namespace>/<name>`, or the name of an object of the cluster. */
export function nameOf({ namespace, name }: { readonly namespace?: string; readonly name: string }): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** Whether both mean the same object of the same controller. */
export function isSameRequest(a: ReconciledObject, b: ReconciledObject): boolean {
  return a.controller === b.controller && nameOf(a) === nameOf(b);
}

/** Whether its reconciles alone wait for a person. */
export function isPaused({ operator }: DevState, request: ReconciledObject): boolean {
  return operator.pausedObjects.includes(`${request.controller} ${nameOf(request)}`);
}

/** By name, with numbers by their size. */
export function compareNames(a: ObjectState, b: ObjectState): number {
  return nameOf(a).localeCompare(nameOf(b), undefined, { numeric: true });
}

/** The one that exists, of objects that had the same name one after the other. */
function newest(objects: readonly ObjectState[]): ObjectState | undefined {
  return objects.find(({ isGone }) => !isGone) ?? objects.at(-1);
}

function groupByName(objects: readonly ObjectState[]): Map<string, ObjectState[]> {
  const groups = new Map<string, ObjectState[]>();
  for (const object of objects) {
    const group = groups.get(nameOf(object));
    if (group) group.push(object);
    else groups.set(nameOf(object), [object]);
  }
  return groups;
}
