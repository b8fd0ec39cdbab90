// What clusters cost an operator that works in many of them.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ConfigMap } from 'ots-kubernetes/core/v1';
import { Client } from 'ots-runtime';
import { TestEnvironment } from 'ots-testing';

const operator = fileURLToPath(new URL('fleet-operator.mjs', import.meta.url));
/** In each cluster. */
const objects = 100;

/**
 * The figures of an operator with so many clusters. One embedded server stands for all of them: each has its own connections,
 * caches and workers.
 */
export async function measureFleet(clusters) {
  const environment = await TestEnvironment.start({ env: {}, controllers: false });
  const client = new Client(environment.config);
  try {
    for (let index = 0; index < objects; index += 1) {
      const metadata = { name: `object-${index}`, namespace: 'default' };
      await client.create(ConfigMap, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata,
        data: { text: 'x'.repeat(1000) },
      });
    }
    const args = ['--expose-gc', operator, environment.config.server, String(clusters), String(objects)];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    return JSON.parse(stdout);
  } finally {
    await client.close();
    await environment.stop();
  }
}
