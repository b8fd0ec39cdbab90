import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readObjects } from 'ots-apiserver/kustomize';
import type { KubernetesObject } from 'ots-kubernetes';
import type { Client } from 'ots-runtime';
import type { DevCluster } from '../cluster/dev-cluster.ts';
import { type OperatorDeployment, isOperator, operatorDeployment } from '../operator/deployment.ts';

const defaultDirectory = 'config/default';
const samplesDirectory = 'config/samples';

/** What `config/default` says. */
export interface Configuration {
  readonly deployment: OperatorDeployment;
  /** Two configurations with the same text are the same. */
  readonly text: string;
}

/**
 * Reads `config/default`.
 *
 * @throws {InstallError} when the manifests cannot be read; OtsError `NO_OPERATOR`
 */
export async function readConfiguration(root: string): Promise<Configuration> {
  const manifests = await readObjects(join(root, defaultDirectory));
  const objects = manifests.map(({ object }) => object);
  return { deployment: operatorDeployment(objects, defaultDirectory), text: JSON.stringify(objects) };
}

/** The objects of a project in the cluster of its session. */
export class Installation {
  readonly #root: string;
  readonly #cluster: DevCluster;
  readonly #client: Client;
  #installed: readonly KubernetesObject[] = [];

  /**
   * @param root absolute path of the project
   * @param client that of an administrator
   */
  constructor(root: string, cluster: DevCluster, client: Client) {
    this.#root = root;
    this.#cluster = cluster;
    this.#client = client;
  }

  /**
   * Applies `config/default` without the Deployment of the operator, and deletes what was applied before and is no longer there.
   *
   * @returns the objects
   * @throws {InstallError}
   */
  async apply(): Promise<readonly KubernetesObject[]> {
    const directory = join(this.#root, defaultDirectory);
    const installed = await this.#cluster.install(directory, (object) => !isOperator(object));
    const current = new Set(installed.map(keyOf));
    await this.#delete(this.#installed.filter((object) => !current.has(keyOf(object))));
    this.#installed = installed;
    return installed;
  }

  /** Applies `config/samples`, which a project without kinds of its own does not have. @returns them @throws {InstallError} */
  async applySamples(): Promise<readonly KubernetesObject[]> {
    const directory = join(this.#root, samplesDirectory);
    return existsSync(directory) ? this.#cluster.install(directory) : [];
  }

  async #delete(objects: readonly KubernetesObject[]): Promise<void> {
    for (const { apiVersion, kind: name, metadata } of objects) {
      const kind = await this.#client.mapper.kindFor(apiVersion, name);
      await this.#client.delete(kind, { name: metadata.name!, namespace: metadata.namespace });
    }
  }
}

/** Without the version: an object of another version is the same one. */
function keyOf({ apiVersion, kind, metadata }: KubernetesObject): string {
  return JSON.stringify([apiVersion.split('/').slice(0, -1), kind, metadata.namespace, metadata.name]);
}
