import type { UserInfo } from '../authentication/user-info.ts';
import type { StoredRecord } from '../storage/stored-record.ts';
import type { RequestClient } from './request-client.ts';
import type { Target } from './target.ts';

/** A write of the server itself, such as those of its garbage collector. */
export interface OwnWrite {
  /** Who writes, such as `system:serviceaccount:kube-system:generic-garbage-collector`. */
  readonly user: string;
  readonly verb: 'create' | 'update' | 'delete';
  readonly group: string;
  /** The plural. */
  readonly resource: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** Empty for an object that is in no namespace. */
  readonly namespace: string;
  readonly name: string;
  /** That of the stored object. */
  readonly resourceVersion: string;
}

/** Receives a write when it is stored. */
export type OwnWriteObserver = (write: OwnWrite) => void;

/** Who writes. Without a client, the server itself. */
interface Writer {
  readonly user: UserInfo;
  readonly client?: RequestClient | undefined;
}

/** Tells the observer about a write, unless a client asked for it. */
export function noteOwnWrite(
  { onOwnWrite }: { readonly onOwnWrite?: OwnWriteObserver | undefined },
  verb: OwnWrite['verb'],
  { resource, subresource }: Pick<Target, 'resource' | 'subresource'>,
  { revision, object: { metadata } }: StoredRecord,
  { user, client }: Writer,
): void {
  if (!onOwnWrite || client) return;
  const { name = '', namespace = '' } = metadata;
  const { group, plural } = resource;
  const resourceVersion = `${revision}`;
  onOwnWrite({
    user: user.name,
    verb,
    group,
    resource: plural,
    subresource,
    namespace,
    name,
    resourceVersion,
  });
}
