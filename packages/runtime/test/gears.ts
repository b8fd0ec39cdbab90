import {
  CustomResourceDefinition,
  type CustomResourceDefinitionVersion,
} from 'ots-kubernetes/apiextensions/v1';
import type { Kind } from 'ots-kubernetes';
import type { Client } from '../src/client/client.ts';
import type { DeepReadonly } from '../src/objects/deep-readonly.ts';
import { type UnstructuredObject, unstructured } from '../src/objects/unstructured.ts';
import { waitFor } from '../src/waiting/wait-for.ts';

/** A custom kind whose versions change during a test. */
export class Gears {
  readonly #client: Client;
  readonly #plural: string;

  /** @param plural tells the kinds of one server apart. */
  constructor(client: Client, plural: string) {
    this.#client = client;
    this.#plural = plural;
  }

  /** The name of its CRD. */
  get crd(): string {
    return `${this.#plural}.example.com`;
  }

  /** The kind in a version. */
  kind(version: string): Kind<UnstructuredObject> {
    return unstructured({
      apiVersion: `example.com/${version}`,
      kind: `Gear${this.#plural}`,
      plural: this.#plural,
      scope: 'Namespaced',
    });
  }

  /** Installs the CRD with its first version. */
  async install(version: string): Promise<void> {
    await this.#client.create(CustomResourceDefinition, {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: this.crd },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { kind: `Gear${this.#plural}`, plural: this.#plural },
        versions: [versionOf(version, true)],
      },
    });
    await this.untilServed(version);
  }

  /** Gives the CRD other versions: objects are stored in the last one. @param more other fields of its spec. */
  async setVersions(versions: readonly string[], more: object = {}): Promise<void> {
    const list = versions.map((version) => versionOf(version, version === versions.at(-1)));
    await this.#client.patch(CustomResourceDefinition, { name: this.crd }, {
      spec: { versions: list, ...more },
    } as never);
    await this.untilServed(versions.at(-1)!);
  }

  /** A real server learns of a version a moment after the CRD was written. Converts nothing. */
  async untilServed(version: string): Promise<void> {
    await waitFor(async () => {
      await this.#client.get(this.kind(version), { name: 'missing', namespace: 'default' });
      return true;
    });
  }

  /** The definition as it is now. */
  read(): Promise<DeepReadonly<CustomResourceDefinition>> {
    return this.#client.getOrThrow(CustomResourceDefinition, { name: this.crd });
  }

  async storedVersions(): Promise<readonly string[] | undefined> {
    return (await this.read()).status?.storedVersions;
  }

  /** An object of the kind. */
  object(version: string, name: string, spec: object = { size: 1 }): UnstructuredObject {
    const { apiVersion, kind } = this.kind(version);
    return { apiVersion, kind, metadata: { name, namespace: 'default' }, spec };
  }

  /** Creates objects with these names. */
  async create(version: string, ...names: string[]): Promise<void> {
    const kind = this.kind(version);
    const left = [...names];
    const createLeft = async (): Promise<void> => {
      for (let name = left.pop(); name !== undefined; name = left.pop())
        await this.#client.create(kind, this.object(version, name));
    };
    await Promise.all(Array.from({ length: 10 }, createLeft));
  }

  /** The resource versions of all objects, by name. */
  async resourceVersions(version: string): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for await (const { metadata } of this.#client.items(this.kind(version)))
      found.set(metadata.name!, metadata.resourceVersion!);
    return found;
  }
}

function versionOf(name: string, storage: boolean): CustomResourceDefinitionVersion {
  const properties = { size: { type: 'integer' }, text: { type: 'string' } };
  const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object', properties } } };
  return { name, served: true, storage, schema: { openAPIV3Schema } };
}
