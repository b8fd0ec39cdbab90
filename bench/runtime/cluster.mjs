// A control plane of its own for a measurement, with the kind that the operators reconcile.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { times } from '../apiserver/load.mjs';
import { startServer } from '../apiserver/servers.mjs';
import { definition, sample } from './definition.mjs';

export const samplesPath = '/apis/bench.example.com/v1/namespaces/default/samples';

/**
 * Starts one, gives it to `work`, and stops it.
 * @param assets the directory of etcd and kube-apiserver
 */
export async function withCluster(assets, work) {
  const server = await startServer({ ...process.env, KUBEBUILDER_ASSETS: assets });
  const folder = await mkdtemp(join(tmpdir(), 'ots-bench-'));
  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, server.kubeconfig, { mode: 0o600 });
  try {
    await server.client.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
    await served(server.client);
    return await work({ client: server.client, kubeconfig });
  } finally {
    server.client.close();
    await server.stop();
    await rm(folder, { recursive: true });
  }
}

async function served(client) {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    try {
      await client.send('GET', samplesPath);
      return;
    } catch {
      await sleep(50);
    }
  }
  throw new Error('the definition was not served within 15 s');
}

export const nameOf = (index) => `sample-${index}`;

/** Creates `count` objects and calls `created` after each. */
export function createSamples({ send }, count, created = () => {}) {
  return times(count, async (index) => {
    await send('POST', samplesPath, sample(nameOf(index)));
    created(index);
  });
}

const counted = /^apiserver_request_total\{([^}]*)\} (\S+)/gm;

/** How many requests for samples and ConfigMaps the server has answered so far, but for watches. */
export async function requestsSoFar({ text }) {
  let total = 0;
  for (const [, labels, value] of (await text('/metrics')).matchAll(counted)) {
    if (/resource="(samples|configmaps)"/.test(labels) && !/verb="(WATCH|LIST)"/.test(labels))
      total += Number(value);
  }
  return total;
}
