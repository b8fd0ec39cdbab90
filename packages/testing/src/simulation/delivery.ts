/** Something that travels between a client and the server: a request, its response, or one event of a watch. */
export interface Delivery {
  readonly kind: 'request' | 'response' | 'event' | 'end';
  /** Who sent the request. */
  readonly user: string;
  /** As RBAC sees it, such as `create` or `watch`. */
  readonly verb: string;
  /** The plural, with the subresource behind a slash and the group behind a dot, such as `deployments/scale.apps`. The path outside of resources. */
  readonly resource: string;
  /** Empty for what has none. */
  readonly namespace: string;
  /** Empty for collections. */
  readonly name: string;
  /** The line of an event. */
  readonly line?: string;
}

/**
 * Decides what is delivered next.
 *
 * @param ready the next delivery of each exchange, oldest first; at least one
 */
export type Choose = (ready: readonly Delivery[]) => Delivery;

/** Chooses at random. */
export function chooseBy(random: () => number): Choose {
  return (ready) => ready[Math.floor(random() * ready.length)]!;
}
