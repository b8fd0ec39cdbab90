/** How many requests are on their way at once. */
export const connectionCount = 8;

/** Runs an action on all connections for some seconds; gives how many there were, and how many a second. */
export function forSeconds(seconds, act) {
  const end = performance.now() + seconds * 1000;
  return inParallel(act, () => performance.now() < end);
}

/** The same so many times. */
export function times(count, act) {
  return inParallel(act, (index) => index < count);
}

async function inParallel(act, isWanted) {
  const start = performance.now();
  let count = 0;
  const work = async () => {
    while (isWanted(count)) await act(count++);
  };
  await Promise.all(Array.from({ length: connectionCount }, work));
  return { count, perSecond: (count * 1000) / (performance.now() - start) };
}

export const configMap = (name, value) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels: { app: 'bench', tier: 'a' }, annotations: { 'example.com/note': 'some text' } },
  data: { value, config: 'x'.repeat(100) },
});

/** Makes a namespace; gives the path of its ConfigMaps. */
export async function newNamespace(send, name) {
  await send('POST', '/api/v1/namespaces', { metadata: { name } });
  return `/api/v1/namespaces/${name}/configmaps`;
}
