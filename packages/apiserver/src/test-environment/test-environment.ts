import type { KubernetesObject } from 'ots-kubernetes';
import type { ApiObject } from '../objects/api-object.ts';
import type { Connection } from './connection.ts';
import type { ControlPlane } from './control-plane.ts';
import { startEmbedded } from './embedded-control-plane.ts';
import { createObjects, installCrds } from './install-crds.ts';
import { renderKubeconfig } from './kubeconfig.ts';
import { loadCrds } from './load-manifests.ts';
import { startReal } from './real-control-plane.ts';
import { withoutServiceConversion } from './without-service-conversion.ts';

/** What a {@link TestEnvironment} holds from the start. */
export interface TestEnvironmentOptions {
  /**
   * Files and directories of CustomResourceDefinitions, in YAML or JSON. No Service can be reached from here: where one
   * converts between the versions of a kind, only their `apiVersion` is changed (`strategy: None`). Test the conversion
   * by calling it.
   */
  crds?: readonly string[];
  /** Objects that are created after the definitions, in this order. */
  objects?: readonly KubernetesObject[];
  /** Where `KUBEBUILDER_ASSETS` is looked up. Default `process.env`. */
  env?: Readonly<Record<string, string | undefined>>;
}

/**
 * An API server for one test file: the embedded one, or etcd and kube-apiserver from `KUBEBUILDER_ASSETS` when that is set.
 *
 * ```ts
 * await using environment = await TestEnvironment.start({ crds: ['config/crd/bases'] });
 * ```
 */
export class TestEnvironment {
  /** How to reach it: a `ConnectionConfig` of ots-runtime. */
  readonly config: Connection;
  /** The same as a kubeconfig, for kubectl and other tools. YAML. */
  readonly kubeconfig: string;
  readonly #controlPlane: ControlPlane;

  private constructor(controlPlane: ControlPlane) {
    this.#controlPlane = controlPlane;
    this.config = controlPlane.connection;
    this.kubeconfig = renderKubeconfig(controlPlane.connection);
  }

  /**
   * Starts the server, installs the definitions, waits until they are served, and creates the objects.
   *
   * @throws {TestEnvironmentError} when a path is missing, an object is refused, or the server does not start; nothing keeps
   * running then
   */
  static async start(options: TestEnvironmentOptions = {}): Promise<TestEnvironment> {
    const { crds = [], objects = [], env = process.env } = options;
    const definitions = (await loadCrds(crds)).map(withoutServiceConversion);
    const assets = env['KUBEBUILDER_ASSETS'];
    const controlPlane = await (assets ? startReal(assets) : startEmbedded());
    try {
      await installCrds(controlPlane.connection, definitions);
      await createObjects(
        controlPlane.connection,
        objects.map((object): ApiObject => ({ ...object })),
      );
      return new TestEnvironment(controlPlane);
    } catch (error) {
      await controlPlane.stop();
      throw error;
    }
  }

  /** Stops the server and removes all that it has written. A second call does nothing. */
  async stop(): Promise<void> {
    await this.#controlPlane.stop();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}
