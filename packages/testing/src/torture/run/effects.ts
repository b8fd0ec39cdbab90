import type { TracedWrite } from '../../simulation/trace.ts';

/**
 * The writes of a user that changed something: what a write repeats has the resource version that the object had before.
 *
 * @param trace the writes of all users
 * @param from the index of the first write that counts
 */
export function effectiveWrites(trace: readonly TracedWrite[], user: string, from = 0): TracedWrite[] {
  const versions = new Map<string, string>();
  return trace.filter((write, index) => {
    const key = `${mainResource(write.resource)} ${write.namespace}/${write.name}`;
    const isRepeated = write.resourceVersion !== '' && versions.get(key) === write.resourceVersion;
    versions.set(key, write.resourceVersion);
    return index >= from && write.user === user && !isRepeated;
  });
}

/** Without a subresource. */
function mainResource(resource: string): string {
  return resource.replace(/\/[^.]+/, '');
}
