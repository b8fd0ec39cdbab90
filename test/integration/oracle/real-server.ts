import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { type Answer, send } from 'ots-apiserver';
import { TestEnvironment } from 'ots-testing';
import { waitFor } from 'ots-runtime';
import { type Manifest, groupOf } from '../kustomize/manifest.ts';

/** Where definitions are created. */
export const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

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

  /**
   * Creates an object, with unknown fields being errors.
   *
   * @returns `accepted`, or what the server says against it
   */
  async create(collection: string, object: object, { dryRun = false } = {}): Promise<string> {
    const query = `fieldValidation=Strict${dryRun ? '&dryRun=All' : ''}`;
    const { code, body } = await send(this.#environment.config, 'POST', `${collection}?${query}`, object);
    return code === 201 ? 'accepted' : `${code}: ${(body as { message?: string }).message}`;
  }

  /**
   * Applies objects with kubectl as users do, without storing them.
   *
   * @returns `accepted`, or what kubectl and the server say against them, warnings included
   */
  async dryApply(objects: readonly Manifest[]): Promise<string> {
    const list = { apiVersion: 'v1', kind: 'List', items: objects };
    const flags = ['--server-side', '--dry-run=server', '--validate=strict', '--filename=-'];
    const { stdout, stderr, failed } = await execa(
      'kubectl',
      ['--kubeconfig', this.#kubeconfig, 'apply', ...flags],
      { input: JSON.stringify(list), reject: false },
    );
    const applied = stdout.split('\n').length;
    if (failed || stderr !== '') return stderr;
    return applied === objects.length ? 'accepted' : `${applied} of ${objects.length} were applied`;
  }

  /** Waits until the objects of a definition can be created: it is established, and every version is served. */
  async untilServed(definition: Manifest): Promise<void> {
    const message = `${definition.metadata.name} to be served`;
    const paths = versionsOf(definition).map((version) => collectionPath(definition, version));
    await waitFor(
      async () => {
        const { body } = await this.#get(`${definitionsPath}/${definition.metadata.name}`);
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
    await send(this.#environment.config, 'DELETE', `${definitionsPath}/${name}`);
    await waitFor(async () => (await this.#get(`${definitionsPath}/${name}`)).code === 404, {
      timeout: '30s',
      message: `${name} to be deleted`,
    });
  }

  #get(path: string): Promise<Answer> {
    return send(this.#environment.config, 'GET', path);
  }
}

/**
 * Where objects of a kind are created: those in a namespace in `default`.
 *
 * @throws when none of the definitions is for the kind
 */
export function collectionOf(object: Manifest, definitions: readonly Manifest[]): string {
  const { apiVersion, kind } = object;
  const definition = definitions.find(
    ({ spec }) => spec.names.kind === kind && spec.group === groupOf(object),
  );
  if (!definition) throw new Error(`No definition is for ${apiVersion} ${kind}`);
  return collectionPath(definition, apiVersion.slice(apiVersion.indexOf('/') + 1));
}

function collectionPath({ spec }: Manifest, version: string): string {
  const namespace = spec.scope === 'Namespaced' ? 'namespaces/default/' : '';
  return `/apis/${spec.group}/${version}/${namespace}${spec.names.plural}`;
}

function versionsOf({ spec }: Manifest): string[] {
  return spec.versions.filter(({ served }: any) => served).map(({ name }: any) => name);
}
