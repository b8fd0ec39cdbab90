import type { ApiServer, MirrorReader } from 'ots-apiserver';
import type { ConnectionConfig } from 'ots-runtime';

type LocalMirror = NonNullable<ConnectionConfig['mirror']>;
type LocalMirrorReader = Parameters<LocalMirror>[1];

/** Decides when what a server shows of one resource arrives, always in order. */
export interface Arrival {
  /** Lets all objects arrive. */
  list(deliver: () => Promise<void>): void;
  /** Lets a change arrive. */
  event(deliver: () => void): void;
  /** Forgets what has not arrived. */
  drop(): void;
}

/**
 * Fills the caches of components of a cluster from its server in the same process: without requests.
 *
 * @param arrivalOf returns how what concerns a resource arrives, such as `deployments.apps`
 */
export function mirrorOf(
  server: Pick<ApiServer, 'mirror'>,
  arrivalOf: (resource: string) => Arrival,
): LocalMirror {
  return ({ apiVersion, plural }, reader) => {
    const [version = '', group = ''] = apiVersion.split('/').toReversed();
    const arrival = arrivalOf(group === '' ? plural : `${plural}.${group}`);
    const end = server.mirror({ group, version, plural }, readerThrough(arrival, reader));
    if (!end) return undefined;
    return () => {
      end();
      arrival.drop();
    };
  };
}

function readerThrough(arrival: Arrival, reader: LocalMirrorReader): MirrorReader {
  return {
    replaced: (objects, resourceVersion) => {
      // They are newer than what has not arrived.
      arrival.drop();
      arrival.list(() => reader.replaced(objects, resourceVersion));
    },
    changed: (type, object) => arrival.event(() => reader.changed(type, object)),
    ended: () => {
      arrival.drop();
      reader.ended();
    },
  };
}
