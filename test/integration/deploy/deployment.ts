import { symlinkSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import type { TestEnvironment } from 'ots-testing';
import { stringify } from 'yaml';
import { type Manifest, ofKind, parseManifests } from '../kustomize/manifest.ts';
import { run } from '../../support/run.ts';
import { scaffoldStep } from '../scaffold-step.ts';
import type { Kubectl } from './kubectl.ts';
import { Replica } from './replica.ts';
import type { Service } from './service.ts';

const modulesPath = fileURLToPath(new URL('../../../node_modules', import.meta.url));

/** An operator as its author builds and deploys it; processes on this machine stand for its pods. */
export class Deployment {
  readonly #directory: string;
  readonly #objects: readonly Manifest[];
  #kubeconfig = '';

  private constructor(directory: string, objects: readonly Manifest[]) {
    this.#directory = directory;
    this.#objects = objects;
  }

  /**
   * Scaffolds a project, and makes of it what is deployed: a program and an install manifest.
   *
   * @param directory an empty one
   * @param steps the commands of ots, each as its arguments
   */
  static async build(directory: string, steps: readonly (readonly string[])[]): Promise<Deployment> {
    for (const step of steps) await scaffoldStep(directory, step);
    symlinkSync(modulesPath, join(directory, 'node_modules'));
    const inProject = { cwd: directory, preferLocal: true, localDir: directory };
    await execa('tsc', [], inProject);
    const { code, stderr } = await run(directory, ['build-installer'], { env: process.env });
    if (code !== 0) throw new Error(stderr);
    const text = readFileSync(join(directory, 'dist/install.yaml'), 'utf8');
    return new Deployment(directory, parseManifests(text));
  }

  get namespace(): string {
    return ofKind(this.#objects, 'Namespace')[0]!.metadata.name;
  }

  get samples(): string {
    return join(this.#directory, 'config/samples');
  }

  /** The name of the one object of a kind, or of the one that ends so. */
  name(kind: string, suffix = ''): string {
    const found = ofKind(this.#objects, kind).filter(({ metadata }) => metadata.name.endsWith(suffix));
    if (found.length !== 1) throw new Error(`There are ${found.length} of ${kind} ${suffix}`);
    return found[0]!.metadata.name;
  }

  /**
   * Applies the install manifest. Pods have no network here: what leads to the Service leads to this machine, in the
   * same way for the API server but for host and port.
   */
  async apply(kubectl: Kubectl, service: Service, ...flags: readonly string[]): Promise<void> {
    await kubectl.apply(
      this.#objects.map((object) => reachable(object, service.port)),
      ...flags,
    );
  }

  /** Makes a kubeconfig of the token of the operator's service account, which has to be there. */
  async logIn(kubectl: Kubectl, environment: TestEnvironment): Promise<void> {
    const account = this.#pod.serviceAccountName;
    const token = await kubectl.run(['create', 'token', account, '--namespace', this.namespace]);
    this.#kubeconfig = join(this.#directory, 'kubeconfig');
    const { server, caData } = environment.config;
    writeFileSync(this.#kubeconfig, kubeconfigOf({ server, caData, token, namespace: this.namespace }), {
      mode: 0o600,
    });
  }

  /** Starts a process with the arguments and the environment of the Deployment's pods. */
  start(): Replica {
    const [{ args, env }] = this.#pod.containers;
    const variables = env.map(({ name, value, valueFrom }: any) => {
      const isNamespace = valueFrom?.fieldRef.fieldPath === 'metadata.namespace';
      return [name, isNamespace ? this.namespace : value];
    });
    // Pods have addresses of their own; processes share this machine's.
    const addresses = ['health-probe', 'metrics'].map((name) => `--${name}-bind-address=127.0.0.1:0`);
    return new Replica(
      this.#directory,
      [...args, ...addresses, '--webhook-port=0', `--kubeconfig=${this.#kubeconfig}`],
      Object.fromEntries(variables),
    );
  }

  get #pod(): any {
    return ofKind(this.#objects, 'Deployment')[0]!['spec'].template.spec;
  }
}

/** Calls of webhooks go to a port of this machine; the name that the certificate must have stays that of the Service. */
function reachable(object: Manifest, port: number): Manifest {
  const { kind, metadata } = object;
  if (kind === 'Service' && metadata.name.endsWith('webhook-service'))
    return { ...object, spec: { type: 'ExternalName', externalName: 'localhost' } };
  const copy = structuredClone(object);
  const configs = [
    ...(copy['webhooks'] ?? []).map(({ clientConfig }: any) => clientConfig),
    copy['spec']?.conversion?.webhook?.clientConfig,
  ];
  for (const config of configs) if (config) config.service.port = port;
  return copy;
}

interface Account {
  readonly server: string;
  readonly caData: string | undefined;
  readonly token: string;
  readonly namespace: string;
}

function kubeconfigOf({ server, caData, token, namespace }: Account): string {
  const authority = caData === undefined ? {} : { 'certificate-authority-data': btoa(caData) };
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server, ...authority } }],
    users: [{ name: 'operator', user: { token } }],
    contexts: [{ name: 'operator', context: { cluster: 'test', user: 'operator', namespace } }],
    'current-context': 'operator',
  });
}
