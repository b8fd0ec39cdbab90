import type { ApiObject } from '../json/api-object.ts';
import { type JsonObject, isObject } from '../json/json-object.ts';
import { type Connection, send } from './connection.ts';
import { InstallError } from './install-error.ts';

/** Finds the collections of objects. It asks the server once for each group and version. */
export class Collections {
  readonly #connection: Connection;
  readonly #resources = new Map<string, Promise<JsonObject[]>>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * The path of the collection that an object belongs to.
   *
   * @param namespace of a namespaced object that does not name its own
   * @throws {InstallError} when the server does not serve the kind
   */
  async pathOf({ apiVersion, kind, metadata }: ApiObject, namespace = 'default'): Promise<string> {
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const resources = this.#resources.get(root) ?? this.#ask(root);
    this.#resources.set(root, resources);
    const found = (await resources).find(
      (resource) => resource['kind'] === kind && !String(resource['name']).includes('/'),
    );
    if (!found) {
      throw new InstallError(
        'CRD_INSTALL',
        `The API server does not serve the kind ${kind} of ${apiVersion}`,
        "Add its CustomResourceDefinition to 'crds'.",
      );
    }
    const plural = String(found['name']);
    return found['namespaced'] === true
      ? `${root}/namespaces/${metadata.namespace ?? namespace}/${plural}`
      : `${root}/${plural}`;
  }

  async #ask(root: string): Promise<JsonObject[]> {
    const { body } = await send(this.#connection, 'GET', root);
    const resources = isObject(body) ? body['resources'] : undefined;
    return Array.isArray(resources) ? resources.filter(isObject) : [];
  }
}
