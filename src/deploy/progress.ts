import type { ObjectReference } from './object-name.ts';

/** What happened to an object, or in a dry run would happen. */
export type ObjectAction = 'created' | 'configured' | 'unchanged' | 'deleted' | 'pruned' | 'kept';

/** What else there is to say about an object. */
export interface ObjectDetails {
  /** Why an object is kept. */
  readonly reason?: string;
  /** A unified diff, of a dry run. */
  readonly diff?: string;
}

/** Learns what happens in the cluster while it happens. */
export interface Progress {
  /** Something happened to an object. */
  object(reference: ObjectReference, action: ObjectAction, details?: ObjectDetails): void;
  /** The command waits; called again when the reason changes. */
  waiting(text: string): void;
}
