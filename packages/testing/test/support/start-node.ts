import { Event, Pod } from 'ots-kubernetes/core/v1';
import { Client } from 'ots-runtime';
import { type Images, TestEnvironment } from 'ots-testing';
import { onTestFinished } from 'vitest';

/** Starts a cluster of one node with a clock that stands still. */
export async function startNode(images: Images = {}) {
  const environment = await TestEnvironment.start({ workloads: { images }, clock: 'virtual' });
  const client = new Client(environment.config);
  onTestFinished(async () => {
    await client.close();
    await environment.stop();
  });
  const create = async (spec: Partial<NonNullable<Pod['spec']>> = {}) => {
    const containers = [{ name: 'app', image: 'app:1' }];
    await client.create(Pod, { ...podOf('app'), spec: { containers, ...spec } });
    await environment.settle();
  };
  const status = async () => (await read())!.status!;
  const container = async () => (await status()).containerStatuses![0]!;
  const read = () => client.get(Pod, { name: 'app', namespace: 'default' });
  const events = async () => {
    const { items } = await client.list(Event, { namespace: 'default' });
    return items
      .toSorted((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
      .filter(({ source }) => source?.component === 'kubelet')
      .map(({ type, reason, message, count }) => `${count} ${type} ${reason}: ${message}`);
  };
  return { environment, client, create, read, status, container, events };
}

export const podOf = (name: string): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default' },
});
