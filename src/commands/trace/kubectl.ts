import type { Context } from '../../context.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { oneLine } from '../../output/one-line.ts';

/** Which cluster kubectl talks to. */
export interface KubectlOptions {
  kubeconfig?: string;
  context?: string;
}

/** A name that may have its namespace before it. */
export interface NamespacedName {
  /** Absent for that of the context. */
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** Long enough for one request; the shortest that kube-apiserver grants. */
const tokenDuration = '10m';
/** In milliseconds. */
const forwardTimeout = 30_000;

/** The user's kubectl: it knows how to log in to the cluster. */
export class Kubectl {
  readonly #flags: readonly string[];
  readonly #options: { cwd: string; env: NodeJS.ProcessEnv };

  constructor({ kubeconfig, context }: KubectlOptions, cwd: string, { env }: Context) {
    this.#flags = [
      ...(kubeconfig === undefined ? [] : [`--kubeconfig=${kubeconfig}`]),
      ...(context === undefined ? [] : [`--context=${context}`]),
    ];
    this.#options = { cwd, env };
  }

  /**
   * A token of a service account for the next minutes.
   *
   * @throws OtsError `KUBECTL_MISSING`, `KUBECTL_FAILED`
   */
  async token(account: NamespacedName): Promise<string> {
    const { execa } = await import('execa');
    const args = ['create', 'token', account.name, `--duration=${tokenDuration}`, ...namespaceFlag(account)];
    const result = await execa('kubectl', [...args, ...this.#flags], { ...this.#spawning, reject: false });
    if (result.failed) throw failure(`create a token for ${account.name}`, result);
    return result.stdout.trim();
  }

  /**
   * Calls back with a port of this machine that leads to one of the pod, and closes it afterward.
   *
   * @throws OtsError `KUBECTL_MISSING`, `KUBECTL_FAILED`
   */
  async forwarded<T>(pod: NamespacedName, port: number, use: (localPort: number) => Promise<T>): Promise<T> {
    const { execa } = await import('execa');
    const args = [
      'port-forward',
      '--address=127.0.0.1',
      `pod/${pod.name}`,
      `:${port}`,
      ...namespaceFlag(pod),
    ];
    const child = execa('kubectl', [...args, ...this.#flags], {
      ...this.#spawning,
      reject: false,
      buffer: { stdout: false },
    });
    try {
      const timeout = AbortSignal.timeout(forwardTimeout);
      const local = await new Promise<number | undefined>((resolve) => {
        let said = '';
        child.stdout.on('data', (chunk: Buffer) => {
          said += chunk.toString('utf8');
          const match = /^Forwarding from 127\.0\.0\.1:(\d+) ->/m.exec(said);
          if (match) resolve(Number(match[1]));
        });
        timeout.addEventListener('abort', () => resolve(undefined));
        void child.then(() => resolve(undefined));
      });
      if (local !== undefined) return await use(local);
      child.kill();
      throw failure(`forward to the pod ${pod.name}`, await child);
    } finally {
      child.kill();
      await child;
    }
  }

  get #spawning() {
    return { ...this.#options, extendEnv: false, stdin: 'ignore' } as const;
  }
}

function namespaceFlag({ namespace }: NamespacedName): string[] {
  return namespace === undefined ? [] : [`--namespace=${namespace}`];
}

function failure(what: string, { code, stderr }: { code?: string | undefined; stderr?: unknown }): OtsError {
  if (code === 'ENOENT') {
    return new OtsError('KUBECTL_MISSING', `kubectl is not installed, so ots cannot ${what}`, {
      hint: 'Install kubectl, or forward the port yourself and pass --url and --token.',
    });
  }
  const reason = oneLine(String(stderr).trim().split('\n').at(-1) ?? '');
  return new OtsError('KUBECTL_FAILED', `kubectl cannot ${what}: ${reason || 'no response within 30 s'}`, {
    hint: 'Check --pod, --service-account, --kubeconfig and --context, and your rights in the cluster.',
  });
}
