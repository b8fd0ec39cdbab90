import type { KubernetesObject } from 'ots-kubernetes';
import type { FaultedRequest } from '../faults/fault.ts';
import type { Faults } from '../faults/faults.ts';
import type { Machinery } from '../registry/machinery.ts';
import { viewOf } from '../registry/views.ts';

/** The objects of which resource to show. */
export interface MirroredResource {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
}

/** Receives what a mirror shows: the objects of the server itself. They must not be changed. */
export interface MirrorReader {
  /** All objects: at first, and again after a restart of the server or the return to a snapshot. */
  replaced(objects: readonly KubernetesObject[], resourceVersion: string): void;
  /**
   * A change after that.
   *
   * @param object in its last state if it was deleted, with the resource version of the deletion
   */
  changed(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: KubernetesObject): void;
  /** Nothing more is shown: a fault was added that changes lists or watches of the reader, which has to send them from now on. */
  ended(): void;
}

/** Shows resources to readers in this process, as lists and watches do, at a small part of their cost. */
export class Mirrors {
  readonly #faults: Faults;
  readonly #machinery: () => Machinery;
  readonly #mirrors = new Set<Mirror>();

  /** @param machinery returns that of the running cluster */
  constructor(faults: Faults, machinery: () => Machinery) {
    this.#faults = faults;
    this.#machinery = machinery;
    faults.onAdded((fault) => {
      for (const mirror of this.#mirrors)
        if (mirror.requests.some((each) => fault.selects(each))) this.#end(mirror);
    });
  }

  /**
   * Shows all objects of a built-in resource at once, and then each change.
   *
   * @param user who reads, for faults
   * @returns what ends that; undefined, with nothing done, for other resources, and where a fault changes such requests
   */
  open(user: string, resource: MirroredResource, reader: MirrorReader): (() => void) | undefined {
    const mirror = new Mirror(user, resource, reader);
    if (mirror.requests.some((each) => this.#faults.select(each))) return undefined;
    if (!mirror.attach(this.#machinery())) return undefined;
    this.#mirrors.add(mirror);
    return () => this.#close(mirror);
  }

  /** Shows what the cluster has that runs now, in place of an earlier one. */
  restarted(): void {
    for (const mirror of this.#mirrors) mirror.attach(this.#machinery());
  }

  #end(mirror: Mirror): void {
    this.#close(mirror);
    mirror.reader.ended();
  }

  #close(mirror: Mirror): void {
    mirror.detach();
    this.#mirrors.delete(mirror);
  }
}

class Mirror {
  readonly reader: MirrorReader;
  /** What it stands for. */
  readonly requests: readonly FaultedRequest[];
  readonly #resource: MirroredResource;
  #unsubscribe: (() => void) | undefined;

  constructor(user: string, resource: MirroredResource, reader: MirrorReader) {
    this.reader = reader;
    this.#resource = resource;
    const { group, plural } = resource;
    const request = { group, resource: plural, subresource: '', namespace: '', name: '', user };
    this.requests = ['list', 'watch'].map((verb) => ({ verb, ...request }));
  }

  /** @returns false, with nothing done, if there is no such built-in resource: the definition of a custom one can change */
  attach({ registry, store }: Machinery): boolean {
    const { group, version, plural } = this.#resource;
    const resource = registry.find(group, version, plural);
    if (!resource || resource.custom) return false;
    this.detach();
    this.#unsubscribe = resource.table.subscribers.add('', ({ type, record }) =>
      this.reader.changed(type, viewOf(resource, record)),
    );
    const objects = resource.table.list().map((record) => viewOf(resource, record));
    this.reader.replaced(objects, `${store.revision}`);
    return true;
  }

  detach(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }
}
