import type { RuntimeClass } from 'ots-kubernetes/node/v1';
import type { PriorityClass } from 'ots-kubernetes/scheduling/v1';
import type { ResourceRegistry } from '../../registry/resource-registry.ts';
import type { Table } from '../../storage/table.ts';

/** The priority classes that a server creates at start. */
const systemPriorities = [
  { metadata: { name: 'system-cluster-critical' }, value: 2_000_000_000 },
  { metadata: { name: 'system-node-critical' }, value: 2_000_001_000 },
].map((known): PriorityClass => ({
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  preemptionPolicy: 'PreemptLowerPriority',
  ...known,
}));

/** Looks up the classes that pods name. */
export class ClusterClasses {
  readonly #registry: ResourceRegistry;

  constructor(registry: ResourceRegistry) {
    this.#registry = registry;
  }

  /** The priority class of this name; those of the system always exist. */
  priority(name: string): Readonly<PriorityClass> | undefined {
    const record = this.#tableOf('scheduling.k8s.io', 'priorityclasses')?.get(name);
    if (record) return record.object as unknown as PriorityClass;
    return systemPriorities.find(({ metadata }) => metadata?.name === name);
  }

  /** The default class with the lowest priority; undefined if there is none. */
  defaultPriority(): Readonly<PriorityClass> | undefined {
    const records = this.#tableOf('scheduling.k8s.io', 'priorityclasses')?.list() ?? [];
    return records
      .map(({ object }) => object as unknown as PriorityClass)
      .filter(({ globalDefault }) => globalDefault)
      .toSorted((one, other) => (one.value ?? 0) - (other.value ?? 0))[0];
  }

  runtime(name: string): Readonly<RuntimeClass> | undefined {
    return this.#tableOf('node.k8s.io', 'runtimeclasses')?.get(name)?.object as unknown as
      | RuntimeClass
      | undefined;
  }

  #tableOf(group: string, plural: string): Table | undefined {
    return this.#registry.find(group, 'v1', plural)?.table;
  }
}
