// What a cache of many objects costs if it keeps only some of their fields.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Pod } from 'ots-kubernetes/core/v1';
import { Client } from 'ots-runtime';
import { TestEnvironment } from 'ots-testing';
import { times } from '../apiserver/load.mjs';

const operator = fileURLToPath(new URL('projection-operator.mjs', import.meta.url));

/** Starts a server with so many pods and gives it to `work`. */
export async function withPods(count, work) {
  const environment = await TestEnvironment.start({ env: {} });
  const client = new Client(environment.config);
  try {
    await times(count, (index) => client.create(Pod, pod(`pod-${index}`)));
    return await work(environment.config.server);
  } finally {
    await client.close();
    await environment.stop();
  }
}

/** The figures of an operator that caches all pods. @param form `whole` or `projection` */
export async function syncPods(server, form) {
  const args = ['--expose-gc', operator, server, form];
  return JSON.parse((await promisify(execFile)(process.execPath, args)).stdout);
}

function pod(name) {
  const container = (index) => ({
    name: `container-${index}`,
    image: 'registry.example.com/team/application:v1.2.3',
    env: Array.from({ length: 5 }, (_, each) => ({ name: `VARIABLE_${each}`, value: `${name}-${each}` })),
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '128Mi' } },
  });
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', labels: { app: 'bench' } },
    spec: { containers: [container(0), container(1)] },
  };
}
