import type { Table } from '../storage/table.ts';
import type { Resource } from './resource.ts';

/** All served resources, built-in and defined by a CustomResourceDefinition. */
export class ResourceRegistry {
  readonly #builtIn: readonly Resource[];
  readonly #custom = new Map<Table, readonly Resource[]>();
  readonly #byPath = new Map<string, Resource>();
  #groups: ReadonlySet<string> = new Set();
  #versions: ReadonlySet<string> = new Set();
  readonly #builtInGroups: ReadonlySet<string>;
  #generation = 0;
  readonly #onReplaced = new Map<Resource, Set<() => void>>();

  constructor(builtIn: readonly Resource[]) {
    this.#builtIn = builtIn;
    this.#builtInGroups = new Set(builtIn.map(({ group }) => group));
    this.#index();
  }

  /** Counts the changes to the served resources. */
  get generation(): number {
    return this.#generation;
  }

  /** Built-in resources in their fixed order, then custom ones. */
  all(): Resource[] {
    return [...this.#builtIn, ...[...this.#custom.values()].flat()];
  }

  find(group: string, version: string, plural: string): Resource | undefined {
    return this.#byPath.get(pathOf({ group, version, plural }));
  }

  /** The versions that share a table. */
  ofTable(table: Table): readonly Resource[] {
    return this.#custom.get(table) ?? this.#builtIn.filter((resource) => resource.table === table);
  }

  hasGroup(group: string): boolean {
    return this.#groups.has(group);
  }

  hasVersion(group: string, version: string): boolean {
    return this.#versions.has(`${group}/${version}`);
  }

  isBuiltInGroup(group: string): boolean {
    return this.#builtInGroups.has(group);
  }

  /** Replaces the served versions of a custom resource; an empty list stops serving it. */
  define(table: Table, versions: readonly Resource[]): void {
    const replaced = this.#custom.get(table) ?? [];
    if (versions.length === 0) this.#custom.delete(table);
    else this.#custom.set(table, versions);
    this.#index();
    for (const resource of replaced) {
      const callbacks = this.#onReplaced.get(resource) ?? [];
      this.#onReplaced.delete(resource);
      for (const callback of callbacks) callback();
    }
  }

  /**
   * Calls back once when a resource is replaced or removed.
   *
   * @returns a function that removes the callback
   */
  whenReplaced(resource: Resource, callback: () => void): () => void {
    const callbacks = this.#onReplaced.get(resource) ?? new Set();
    this.#onReplaced.set(resource, callbacks.add(callback));
    return () => {
      callbacks.delete(callback);
      if (callbacks.size === 0) this.#onReplaced.delete(resource);
    };
  }

  #index(): void {
    this.#generation += 1;
    this.#byPath.clear();
    const all = this.all();
    for (const resource of all) this.#byPath.set(pathOf(resource), resource);
    this.#groups = new Set(all.map(({ group }) => group));
    this.#versions = new Set(all.map(({ group, version }) => `${group}/${version}`));
  }
}

function pathOf({ group, version, plural }: { group: string; version: string; plural: string }): string {
  return `${group}/${version}/${plural}`;
}
