/** Something that travels between a client and the server: a request, its response, or one event of a watch. */
export interface Delivery {
  readonly kind: 'request' | 'response' | 'event' | 'end';
  /** Who sent the request: to a simulated application `environment.network`, or one such as `pod default/db-0`. */
  readonly user: string;
  /** The `User-Agent` of the client: managers of one user may have different ones. */
  readonly userAgent: string;
  /** As RBAC sees it, such as `create` or `watch`. */
  readonly verb: string;
  /** The plural, with the subresource behind a slash and the group behind a dot, such as `deployments/scale.apps`. The path outside of resources. The URL of a simulated application. */
  readonly resource: string;
  /** Empty for what has none. Of a request to a simulated application: that of its pod, as is the name. */
  readonly namespace: string;
  /** Empty for collections. */
  readonly name: string;
  /** The line of an event. */
  readonly line?: string;
}

/**
 * What happens next.
 *
 * - A delivery arrives.
 * - `repeat`: a request arrives, and its copy becomes ready like another one; the client receives the first response. An event arrives
 *   twice. Anything else arrives once.
 * - `drop`: it does not arrive, and the connection breaks, as a network loses it: the client of a request does not learn what became of
 *   it, and a watch ends.
 * - undefined: nothing, until something else becomes ready or time moves. So everything that is ready is held back.
 */
export type Choice = Delivery | { readonly repeat: Delivery } | { readonly drop: Delivery } | undefined;

/**
 * Decides what is delivered next.
 *
 * @param ready the next delivery of each exchange, oldest first; at least one
 */
export type Choose = (ready: readonly Delivery[]) => Choice;

/** Chooses at random. */
export function chooseBy(random: () => number): Choose {
  return (ready) => ready[Math.floor(random() * ready.length)]!;
}
