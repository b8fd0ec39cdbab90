import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { selfSignedCertificate } from 'ots-apimachinery/certificates/self-signed-certificate';

/** The files that the operator's process reads: its kubeconfig, and the certificate of its webhooks. Only this user can read them. */
export class OperatorFiles {
  readonly directory: string;
  /** That of the webhooks, in PEM. */
  readonly certificate: string;

  private constructor(directory: string, certificate: string) {
    this.directory = directory;
    this.certificate = certificate;
  }

  static async create(): Promise<OperatorFiles> {
    await removeStale();
    const directory = await mkdtemp(join(tmpdir(), `ots-dev-${process.pid}-`));
    const { cert, key } = selfSignedCertificate({ names: ['127.0.0.1'], isAuthority: true });
    await writeFile(join(directory, 'tls.crt'), cert);
    await writeFile(join(directory, 'tls.key'), key, { mode: 0o600 });
    return new OperatorFiles(directory, cert);
  }

  get kubeconfig(): string {
    return join(this.directory, 'kubeconfig');
  }

  async writeKubeconfig(text: string): Promise<void> {
    await writeFile(this.kubeconfig, text, { mode: 0o600 });
  }

  async remove(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
  }
}

/** Removes what sessions left that were killed. */
async function removeStale(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = Number(/^ots-dev-(\d+)-/.exec(name)?.[1]);
    // Those of another user stay.
    if (pid > 0 && !isRunning(pid)) await rm(join(tmpdir(), name), { recursive: true }).catch(() => {});
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
