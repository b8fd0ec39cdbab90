import { until } from './fixtures.ts';
import type { Session } from './session.ts';

/**
 * Waits until a real server's cache of a version has the state of an object in another version: writes begin with what is in the
 * cache, which learns a change a little later. Returns at once when the object does not exist.
 *
 * @param path that of the object in the version
 * @param stored its path in the version that is stored
 */
export async function untilCached(session: Session, path: string, stored: string): Promise<void> {
  const { code, body } = await session.get(stored);
  if (code !== 200) return;
  await until(async () => {
    const cached = await session.get(`${path}?resourceVersion=0`);
    return cached.body.metadata?.resourceVersion === body.metadata.resourceVersion;
  });
}
