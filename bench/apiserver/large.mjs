import { configMap, newNamespace, times } from './load.mjs';
import { memoryOf } from './servers.mjs';
import { openWatchers } from './watchers.mjs';

const objectCount = 100_000;
const pageSize = 500;
const watchCount = 10_000;

/** What a server makes of very many objects and watches, by name. */
export async function measureLarge({ client, pid }) {
  const { send, read, watch } = client;
  const path = await newNamespace(send, 'large');
  const created = await times(objectCount, (index) => send('POST', path, configMap(`o${index}`, 'a')));
  const held = memoryOf(pid, false);
  const paged = await timed(() => listAll(read, path));
  const watched = await timed(async () => {
    const watcher = await openWatchers(watch, `${path}?watch=1`, 1);
    await watcher.until(objectCount);
    watcher.close();
  });
  const few = await newNamespace(send, 'few');
  await send('POST', few, configMap('one', 'a'));
  const before = memoryOf(pid, false);
  const watchers = await openWatchers(watch, `${few}?watch=1`, watchCount);
  await watchers.until(watchCount);
  const opened = memoryOf(pid, false);
  const told = await timed(async () => {
    await send('PUT', `${few}/one`, configMap('one', 'b'));
    await watchers.until(2 * watchCount);
  });
  watchers.close();
  return {
    [`create ${objectCount} ConfigMaps, /s`]: created.perSecond,
    'RSS with them, MB': held,
    [`list them by ${pageSize}, ms`]: paged,
    'watch them all, ms': watched,
    [`RSS of ${watchCount} watches, MB`]: opened - before,
    'a change to all watches, ms': told,
  };
}

async function timed(act) {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

async function listAll(read, path) {
  let seen = 0;
  let token = '';
  do {
    const { items, metadata } = await read(`${path}?limit=${pageSize}&continue=${token}`);
    seen += items.length;
    token = metadata.continue ?? '';
  } while (token !== '');
  if (seen !== objectCount) throw new Error(`the pages hold ${seen} objects`);
}
