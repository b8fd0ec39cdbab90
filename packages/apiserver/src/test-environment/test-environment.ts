import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { KubernetesObject } from 'ots-kubernetes';
import type { Controllers } from '../controllers/controllers.ts';
import type { ApiObject } from '../json/api-object.ts';
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
  /**
   * Which controllers run beside the server: by default the garbage collector and the one that removes namespaces, as in
   * every cluster; `true` adds the ServiceAccount `default` and the ConfigMap `kube-root-ca.crt` of every namespace, `false`
   * leaves the server alone. With `KUBEBUILDER_ASSETS` they are those of the kube-controller-manager found there. Where
   * there is none (`setup-envtest` brings none), what is asked for is an error, and the default is none with a warning.
   */
  controllers?: Controllers;
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
  #directory: Promise<string> | undefined;

  private constructor(controlPlane: ControlPlane) {
    this.#controlPlane = controlPlane;
    this.config = controlPlane.connection;
    this.kubeconfig = renderKubeconfig(controlPlane.connection, 'test-environment');
  }

  /**
   * Starts the server, installs the definitions, waits until they are served, and creates the objects.
   *
   * @throws {TestEnvironmentError} when a path is missing, an object is refused, or the server does not start; nothing keeps
   * running then
   */
  static async start(options: TestEnvironmentOptions = {}): Promise<TestEnvironment> {
    const { crds = [], objects = [], controllers, env = process.env } = options;
    const definitions = (await loadCrds(crds)).map(withoutServiceConversion);
    const assets = env['KUBEBUILDER_ASSETS'];
    const controlPlane = await (assets ? startReal(assets, controllers) : startEmbedded(controllers));
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

  /**
   * Writes {@link kubeconfig} to a file that only this user can read, and that `stop` removes.
   *
   * @returns its path, the same every time
   * @throws the error of the file system
   */
  async kubeconfigFile(): Promise<string> {
    this.#directory ??= writeKubeconfig(this.kubeconfig);
    return path.join(await this.#directory, kubeconfigName);
  }

  /** Stops the server and removes all that it has written. A second call does nothing. */
  async stop(): Promise<void> {
    await this.#controlPlane.stop();
    const directory = await this.#directory?.catch(() => undefined);
    if (directory !== undefined) await rm(directory, { recursive: true, force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}

const kubeconfigName = 'kubeconfig';

/** @returns the directory that was made for it */
async function writeKubeconfig(text: string): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'ots-kubeconfig-'));
  await writeFile(path.join(directory, kubeconfigName), text, { mode: 0o600 });
  return directory;
}
