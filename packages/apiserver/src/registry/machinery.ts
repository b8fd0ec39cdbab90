import type { Clock } from 'ots-apimachinery/clock/clock';
import type { Authenticator } from '../authentication/authenticator.ts';
import type { ServiceAccountTokens } from '../authentication/service-account-tokens.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import type { PodStreams } from '../pods/pod-streams.ts';
import type { Random } from '../random/random.ts';
import type { Admission } from './admission.ts';
import type { OwnWriteObserver } from './own-write.ts';
import type { Store } from '../storage/store.ts';
import type { ResourceRegistry } from './resource-registry.ts';

/** What every operation works on: the store, the served resources, time and chance. */
export interface Machinery {
  readonly store: Store;
  readonly registry: ResourceRegistry;
  /** Knows who clients are. */
  readonly authenticator: Authenticator;
  /** Issues the tokens of ServiceAccounts. */
  readonly tokens: ServiceAccountTokens;
  /** Decides what users may do. */
  readonly authorizer: Authorizer;
  /** Changes and refuses writes of users who may write. */
  readonly admission: Admission;
  /** The time of the cluster. */
  readonly clock: Clock;
  readonly random: Random;
  /** The kubelets of this process, if there are any. */
  readonly podStreams: PodStreams | undefined;
  /** Whether lists and watches select by `shardSelector`; otherwise they ignore it. */
  readonly hasShardSelectors: boolean;
  /** Receives the writes of the server itself. Undefined for none. */
  readonly onOwnWrite?: OwnWriteObserver | undefined;
  /** The time of day by {@link clock}. */
  readonly now: () => Date;
}

/** What a write of the server itself needs, which admission does not see. */
export type OwnMachinery = Omit<Machinery, 'admission'>;

/** The current time as a `Time`. */
export function timestamp({ now }: OwnMachinery): string {
  return timeOf(now());
}

let lastSecond = Number.NaN;
let lastText = '';

/** A time as a `Time` of the API: RFC 3339 in whole seconds. Many writes have the same one. */
export function timeOf(date: Date): string {
  const second = Math.floor(date.getTime() / 1000);
  if (second === lastSecond) return lastText;
  lastText = `${date.toISOString().slice(0, -'.000Z'.length)}Z`;
  lastSecond = second;
  return lastText;
}
