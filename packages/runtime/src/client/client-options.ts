import type { RestMapper } from '../mapping/rest-mapper.ts';
import type { CachedReader } from './cached-reader.ts';

/** How a client behaves. */
export interface ClientOptions {
  /**
   * The owner of the fields of every write that names none (`fieldManager` of Kubernetes): a name of this operator
   * alone. By default that in the user agent of the transport; without one, `apply` insists on it.
   */
  fieldOwner?: string | undefined;
  /**
   * Where `get`, `list` and `items` read; told of every write, so that it can show it at once. On the server when
   * absent.
   */
  cache?: CachedReader | undefined;
  /** Told of kinds that turn out to be missing; one of its own by default. */
  mapper?: RestMapper | undefined;
}
