import { ConfigMap, Secret } from 'ots-kubernetes/core/v1';
import type { Client } from 'ots-runtime';
import { ConfigurationError } from './configuration-error.ts';

type Values = ReadonlyMap<string, string>;

/** The ConfigMaps and Secrets of a namespace, as containers see them: as text. */
export class KeyValues {
  readonly namespace: string;
  readonly #reader: Client;

  /** @param reader reads from the server: a cache may lag behind the pod */
  constructor(reader: Client, namespace: string) {
    this.#reader = reader;
    this.namespace = namespace;
  }

  /** @returns undefined if it is missing and optional @throws {ConfigurationError} if it is missing */
  async configMap(name = '', optional = false): Promise<Values | undefined> {
    const found = await this.#reader.get(ConfigMap, { name, namespace: this.namespace });
    if (!found) return missing('configmap', name, optional);
    const binary = Object.entries(found.binaryData ?? {}).map(
      ([key, value]) => [key, decoded(value)] as const,
    );
    return new Map([...Object.entries(found.data ?? {}), ...binary]);
  }

  /** @returns undefined if it is missing and optional @throws {ConfigurationError} if it is missing */
  async secret(name = '', optional = false): Promise<Values | undefined> {
    const found = await this.#reader.get(Secret, { name, namespace: this.namespace });
    if (!found) return missing('secret', name, optional);
    return new Map(Object.entries(found.data ?? {}).map(([key, value]) => [key, decoded(value)]));
  }
}

function missing(kind: string, name: string, optional: boolean): undefined {
  if (!optional) throw new ConfigurationError(`${kind} "${name}" not found`);
}

function decoded(base64: string): string {
  return Buffer.from(base64, 'base64').toString();
}
