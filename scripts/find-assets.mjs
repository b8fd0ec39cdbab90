import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';

const script = fileURLToPath(new URL('../../shared/controlplane/assets.sh', import.meta.url));

/** The directory of etcd and kube-apiserver: KUBEBUILDER_ASSETS, or what a script beside this repository builds; none without both. */
export async function findAssets() {
  if (process.env.KUBEBUILDER_ASSETS) return process.env.KUBEBUILDER_ASSETS;
  if (!existsSync(script)) return undefined;
  return (await execa(script, { stdin: 'ignore', stderr: 'inherit' })).stdout.trim();
}
