import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { TestEnvironment } from 'ots-apiserver';
import { waitFor } from 'ots-runtime';
import { type Answer, send } from '../../../packages/apiserver/src/test-environment/connection.ts';
import type { Manifest } from '../kustomize/manifest.ts';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** A real kube-apiserver, and what the tests ask of it. */
export class RealServer {
  readonly #environment: TestEnvironment;
  readonly #kubeconfig: string;

  private constructor(environment: TestEnvironment, kubeconfig: string) {
    this.#environment = environment;
    this.#kubeconfig = kubeconfig;
  }

  /** @param scratch a directory for the kubeconfig */
  static async start(scratch: string): Promise<RealServer> {
    const environment = await TestEnvironment.start();
    const kubeconfig = join(scratch, 'kubeconfig');
    writeFileSync(kubeconfig, environment.kubeconfig, { mode: 0o600 });
    return new RealServer(environment, kubeconfig);
  }

  stop(): Promise<void> {
    return this.#environment.stop();
  }

  /** Creates an object, with unknown fields being errors. */
  create(collection: string, object: object, query = ''): Promise<Answer> {
    return send(this.#environment.config, 'POST', `${collection}?fieldValidation=Strict${query}`, object);
  }

  /** Applies objects as users do, without storing them, and returns what kubectl says. */
  async dryApply(objects: readonly Manifest[]): Promise<{ failed: boolean; stdout: string; stderr: string }> {
    const list = { apiVersion: 'v1', kind: 'List', items: objects };
    const flags = ['--server-side', '--dry-run=server', '--validate=strict', '--filename=-'];
    return execa('kubectl', ['--kubeconfig', this.#kubeconfig, 'apply', ...flags], {
      input: JSON.stringify(list),
      reject: false,
    });
  }

  /** Waits until the objects of a definition can be created: it is established, and every version is served. */
  async untilServed(definition: Manifest): Promise<void> {
    const message = `${definition.metadata.name} to be served`;
    const paths = versionsOf(definition).map((version) => collectionOf(definition, version));
    await waitFor(
      async () => {
        const { body } = await this.#get(`${CRDS}/${definition.metadata.name}`);
        const { conditions = [] } = (body as Manifest)['status'] ?? {};
        const established = conditions.some(
          ({ type, status }: any) => type === 'Established' && status === 'True',
        );
        return (
          established &&
          (await Promise.all(paths.map((path) => this.#get(path)))).every(({ code }) => code === 200)
        );
      },
      { timeout: '30s', message },
    );
  }

  /** Deletes a definition and its objects, and waits until it is gone. */
  async deleteDefinition({ metadata: { name } }: Manifest): Promise<void> {
    await send(this.#environment.config, 'DELETE', `${CRDS}/${name}`);
    await waitFor(async () => (await this.#get(`${CRDS}/${name}`)).code === 404, {
      timeout: '30s',
      message: `${name} to be deleted`,
    });
  }

  #get(path: string): Promise<Answer> {
    return send(this.#environment.config, 'GET', path);
  }
}

/** Where definitions are created. */
export const definitionsPath = CRDS;

/** Where the objects of a definition are: those in a namespace in `default`. */
export function collectionOf({ spec }: Manifest, version: string): string {
  const namespace = spec.scope === 'Namespaced' ? 'namespaces/default/' : '';
  return `/apis/${spec.group}/${version}/${namespace}${spec.names.plural}`;
}

function versionsOf({ spec }: Manifest): string[] {
  return spec.versions.filter(({ served }: any) => served).map(({ name }: any) => name);
}
