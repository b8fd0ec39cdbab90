import type { ManagedFieldsEntry } from 'ots-kubernetes';
import { FieldSet } from '../../managed-fields/field-set.ts';
import type { StepOrder } from '../../managed-fields/fields-v1.ts';
import { type Managers, decodeManagers, encodeManagers, withSet } from '../../managed-fields/managers.ts';
import type { ResourceRegistry } from '../resource-registry.ts';
import { type Resource, apiVersionOf } from '../resource.ts';
import { scaleShapeOf } from './scale-shape.ts';

type Entries = ManagedFieldsEntry[] | undefined;

const scaleVersion = 'autoscaling/v1';
const path = ['f:spec', 'f:replicas'];
const replicas = FieldSet.of(path);

/**
 * Translates the managers of an object's replicas into those of its Scale, and back. No other field of a Scale has
 * managers that count.
 */
export class ScaleManagers {
  readonly #apiVersion: string;
  readonly #order: StepOrder;
  /** The path of the replicas in each version; undefined for a served version without scale. */
  readonly #paths: ReadonlyMap<string, string[] | undefined>;

  constructor(registry: ResourceRegistry, resource: Resource, order: StepOrder) {
    this.#apiVersion = apiVersionOf(resource);
    this.#order = order;
    this.#paths = new Map(
      registry
        .ofTable(resource.table)
        .map((version) => [
          apiVersionOf(version),
          scaleShapeOf(version)?.specReplicas.map((step) => `f:${step}`),
        ]),
    );
  }

  /** The managers of the Scale: those who own the replicas. */
  toScale(entries: Entries): Entries {
    const managers: Managers = new Map();
    for (const [id, manager] of read(entries)) {
      const own = this.#paths.get(manager.apiVersion);
      if (own && manager.set.has(own))
        managers.set(id, withSet({ ...manager, apiVersion: scaleVersion }, replicas));
    }
    return encodeManagers(managers, this.#order);
  }

  /**
   * The managers of the object after a write to its Scale: a manager that lost the replicas there loses them here. An
   * entry that comes from the Scale has no time unless the object had the same entry before.
   */
  toParent(entries: Entries, scaleEntries: Entries): Entries {
    const before = read(entries);
    const scale = read(scaleEntries);
    const managers: Managers = new Map();
    for (const [id, manager] of before) {
      if (!this.#paths.has(manager.apiVersion)) continue;
      const own = this.#paths.get(manager.apiVersion);
      if (!own || !manager.set.has(own)) managers.set(id, manager);
      else if (scale.delete(id)) managers.set(id, manager);
      else {
        const rest = manager.set.difference(FieldSet.of(own));
        if (!rest.isEmpty) managers.set(id, withSet(manager, rest));
      }
    }
    const target = this.#paths.get(this.#apiVersion);
    for (const [id, manager] of scale) {
      if (!target || !manager.set.has(path)) continue;
      const moved = { ...manager, apiVersion: this.#apiVersion, time: before.get(id)?.time };
      managers.set(id, withSet(moved, FieldSet.of(target)));
    }
    return encodeManagers(managers, this.#order);
  }
}

function read(entries: Entries): Managers {
  return decodeManagers(entries ?? []) ?? new Map();
}
