import { measureAdmission } from './admission.mjs';
import { configMap, forSeconds, newNamespace, times } from './load.mjs';
import { openWatchers } from './watchers.mjs';

const watcherCount = 100;
const listedCount = 2000;
const warmUpCount = 400;

/** What a server does in a second, by name. */
export async function measureRates(client, seconds) {
  const { send } = client;
  const path = await newNamespace(send, 'bench');
  const perSecond = async (act) => (await forSeconds(seconds, act)).perSecond;
  await times(warmUpCount, (index) => send('POST', path, configMap(`warm-${index}`, 'a')));
  const created = await forSeconds(seconds, (index) => send('POST', path, configMap(`o${index}`, 'a')));
  const nameOf = (index) => `o${index % created.count}`;
  const pathOf = (index) => `${path}/${nameOf(index)}`;
  return {
    create: created.perSecond,
    get: await perSecond((index) => send('GET', pathOf(index))),
    'merge patch': await perSecond((index) =>
      send('PATCH', pathOf(index), { data: { value: `p${index}` } }, 'application/merge-patch+json'),
    ),
    update: await perSecond((index) => send('PUT', pathOf(index), configMap(nameOf(index), `u${index}`))),
    'server-side apply': await perSecond((index) =>
      apply(send, pathOf(index), configMap(nameOf(index), `a${index}`)),
    ),
    delete: (await times(created.count, (index) => send('DELETE', pathOf(index)))).perSecond,
    ...(await measureDeployments(send, perSecond)),
    ...(await measureCustomResources(send, perSecond)),
    ...(await measureLists(send, perSecond)),
    ...(await measureAdmission(send, perSecond)),
    [`events to ${watcherCount} watchers`]: await measureFanOut(client, seconds),
  };
}

function apply(send, path, object) {
  return send('PATCH', `${path}?fieldManager=bench&force=true`, object, 'application/apply-patch+yaml');
}

const deployment = (name, image) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, labels: { app: name } },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        containers: [
          { name: 'main', image, ports: [{ containerPort: 80 }], env: [{ name: 'A', value: 'b' }] },
        ],
      },
    },
  },
});

async function measureDeployments(send, perSecond) {
  await send('POST', '/api/v1/namespaces', { metadata: { name: 'deployed' } });
  const path = '/apis/apps/v1/namespaces/deployed/deployments';
  return {
    'create Deployment': await perSecond((index) => send('POST', path, deployment(`d${index}`, 'a'))),
    'apply Deployment': await perSecond((index) =>
      apply(send, `${path}/d${index % 8}`, deployment(`d${index % 8}`, `i${index}`)),
    ),
  };
}

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.bench.example.com' },
  spec: {
    group: 'bench.example.com',
    names: { plural: 'widgets', kind: 'Widget' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                required: ['size'],
                properties: {
                  size: { type: 'integer', minimum: 0, maximum: 100 },
                  color: { type: 'string', enum: ['red', 'green'], default: 'red' },
                  parts: {
                    type: 'array',
                    maxItems: 10,
                    items: {
                      type: 'object',
                      properties: { name: { type: 'string', maxLength: 20 }, weight: { type: 'number' } },
                    },
                  },
                },
              },
              status: { type: 'object', properties: { ready: { type: 'boolean' } } },
            },
          },
        },
      },
    ],
  },
};

const widget = (name, size) => ({
  apiVersion: 'bench.example.com/v1',
  kind: 'Widget',
  metadata: { name },
  spec: { size, parts: [{ name: 'a', weight: 1.5 }, { name: 'b' }] },
});

async function measureCustomResources(send, perSecond) {
  await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
  const path = '/apis/bench.example.com/v1/namespaces/default/widgets';
  await untilServed(send, path);
  return {
    'create custom resource': await perSecond((index) =>
      send('POST', path, widget(`w${index}`, index % 100)),
    ),
    'patch its status': await perSecond((index) =>
      send(
        'PATCH',
        `${path}/w${index % 8}/status`,
        { status: { ready: index % 16 < 8 } },
        'application/merge-patch+json',
      ),
    ),
    'apply custom resource': await perSecond((index) =>
      apply(send, `${path}/w${index % 8}`, widget(`w${index % 8}`, index % 99)),
    ),
  };
}

/** A real server takes a moment, and refuses writes with 429 while it prepares the storage. */
async function untilServed(send, path) {
  for (;;) {
    try {
      await send('POST', path, widget('first', 1));
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

async function measureLists(send, perSecond) {
  const path = await newNamespace(send, 'listed');
  await times(listedCount, (index) => send('POST', path, configMap(`o${index}`, 'a')));
  return {
    [`list of ${listedCount}`]: await perSecond(() => send('GET', path)),
    'list page of 100': await perSecond(() => send('GET', `${path}?limit=100`)),
  };
}

/** One writer, many watchers: events that arrive in a second. */
async function measureFanOut({ send, watch }, seconds) {
  const path = await newNamespace(send, 'watched');
  await send('POST', path, configMap('one', 'a'));
  const watchers = await openWatchers(watch, `${path}?watch=1`, watcherCount);
  await watchers.until(watcherCount);
  const start = performance.now();
  let writes = 0;
  while (performance.now() - start < seconds * 1000) {
    await send('PUT', `${path}/one`, configMap('one', `${(writes += 1)}`));
  }
  await watchers.until(watcherCount * (writes + 1));
  const perSecond = (watcherCount * writes * 1000) / (performance.now() - start);
  watchers.close();
  return perSecond;
}
