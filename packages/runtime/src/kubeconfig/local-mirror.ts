import type { KubernetesObject } from 'ots-kubernetes';

/** Receives a collection. */
interface LocalMirrorReader {
  /** All objects, first of all, and again when the server has returned to an earlier state. */
  replaced(objects: readonly KubernetesObject[], resourceVersion: string): Promise<void>;
  /** A change after that: an object in its final state when it was deleted, with the version of the deletion. */
  changed(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: KubernetesObject): void;
  /** Nothing more is shown: from now on only requests tell. */
  ended(): void;
}

/**
 * Shows a collection of an API server in this process: each object of a kind that it has now, and each change. The objects
 * are those of the server: the reader may keep them, but must not change them.
 * @returns what ends that; undefined if the server cannot show this kind.
 */
export type LocalMirror = (
  kind: { readonly apiVersion: string; readonly plural: string },
  reader: LocalMirrorReader,
) => (() => void) | undefined;
