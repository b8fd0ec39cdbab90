import { execa } from 'execa';
import { type Manifest, parseManifests } from '../kustomize/manifest.ts';

/** kubectl, as the one who deploys. */
export class Kubectl {
  readonly #kubeconfig: string;

  /** @param kubeconfig the path of the file */
  constructor(kubeconfig: string) {
    this.#kubeconfig = kubeconfig;
  }

  /**
   * @param input what it reads from standard input
   * @returns what it prints
   * @throws with what it says, when it fails
   */
  async run(args: readonly string[], input = ''): Promise<string> {
    const { stdout } = await execa('kubectl', ['--kubeconfig', this.#kubeconfig, ...args], { input });
    return stdout;
  }

  /** @param flags `--server-side`, or none */
  async apply(objects: readonly Manifest[], ...flags: readonly string[]): Promise<void> {
    const list = { apiVersion: 'v1', kind: 'List', items: objects };
    await this.run(['apply', ...flags, '--filename=-'], JSON.stringify(list));
  }

  /** @param args what to get, such as `['secret', 'name', '--namespace=x']`; undefined when there is none */
  async get(...args: string[]): Promise<Manifest | undefined> {
    const text = await this.run(['get', '--output=yaml', '--ignore-not-found', ...args]);
    return parseManifests(text)[0];
  }
}
