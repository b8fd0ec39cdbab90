import type { Clock } from 'ots-apimachinery/clock/clock';
import type { CertificatePair } from 'ots-apimachinery/certificates/certificate-pair';
import type { OptionalPlugin } from './admission/plugins.ts';
import type { FeatureGate } from './feature-gates.ts';

import type { Controllers } from './controllers/controllers.ts';
import type { RequestObserver } from './http/recorded-request.ts';
import type { PodStreams } from './pods/pod-streams.ts';
import type { OwnWriteObserver } from './registry/own-write.ts';
import type { Snapshot } from './storage/snapshot.ts';

/** A user who sends a bearer token. */
export interface TokenUser {
  readonly token: string;
  readonly name: string;
  readonly uid?: string;
  /** Besides `system:authenticated`, which every user is in. */
  readonly groups: readonly string[];
}

/** Options of `ApiServer.start`. */
export interface ApiServerOptions {
  /** The port. Default 0: a free one. */
  port?: number;
  /**
   * The address to listen on. Default `127.0.0.1`. Without a `token` a client without credentials is the administrator:
   * then keep the server on a loopback address.
   */
  host?: string;
  /** Whether to serve TLS, with a certificate created at start. Default false. */
  tls?: boolean;
  /**
   * The bearer token of the administrator. A client without credentials is then `system:anonymous`, who may hardly do
   * anything. Default: none. With `tls` the administrator has a client certificate instead, and a client without
   * credentials is `system:anonymous`, too.
   */
  token?: string;
  /** Users with tokens, in addition to the administrator. A client without credentials is then `system:anonymous`. Default: none. */
  users?: readonly TokenUser[];
  /** The authority that signs the certificates of clients, in PEM. It must not sign other authorities. Default: created on first use. */
  clientAuthority?: CertificatePair;
  /** Which controllers run beside the server. Default: all but those of ServiceAccounts and root certificates. */
  controllers?: Controllers;
  /**
   * Plugins of admission that are off by default. `ServiceAccount` gives every pod a ServiceAccount, which must exist, and a
   * token volume: it needs the controller `serviceAccounts`, or ServiceAccounts that you create.
   * `OwnerReferencesPermissionEnforcement` requires rights on owners. Default: none.
   */
  enableAdmissionPlugins?: readonly OptionalPlugin[];
  /** Feature gates that are off by default. `ShardedListAndWatch` selects by ranges of hashes (KEP-5866). Default: none. */
  enableFeatureGates?: readonly FeatureGate[];
  /** How many changes of each resource a watch can resume from at least, unless their objects are very large. Default 10000. */
  watchHistory?: number;
  /** Milliseconds between the bookmarks of a watch. Default 60000. */
  bookmarkInterval?: number;
  /** Receives every request when its response begins. It must not throw. Default: none, which costs nothing. */
  onRequest?: RequestObserver;
  /**
   * Receives the writes of the server itself, such as those of its garbage collector, when they are stored, but not the objects that
   * it starts with. It must not throw. Default: none, which costs nothing.
   */
  onOwnWrite?: OwnWriteObserver;
  /**
   * The clock of the cluster: the times in objects, and when something expires, ends or is tried again. Connections and calls of
   * webhooks have real time in any case. Default: the system's.
   */
  clock?: Clock;
  /**
   * Returns a number in [0, 1), from which the server derives UIDs, generated names, addresses and ports. Keys, signatures and the
   * IDs of HTTP responses are never derived from it. Default: chance that cannot be predicted.
   */
  random?: () => number;
  /**
   * A directory that keeps the cluster: all objects, their resource versions, and the keys of the server. The end of the process loses
   * no change that was acknowledged; a loss of power may lose those of the last moments. Created if it does not exist; one server
   * uses it at a time. Default: none, and everything is lost when the server stops.
   */
  data?: string;
  /**
   * The objects that the server begins with, with their resource versions: those of another server of this process, whose clock was not
   * later than this one is. The credentials that it issued are not valid here. With `data`, only a new directory begins with them.
   * Default: those of a new cluster.
   */
  snapshot?: Snapshot;
  /** Receives what the user of `data` should know, as one line. Default: the process emits a warning. */
  onWarning?: (message: string) => void;
  /** Answers for the kubelets of pods. Default: none, and the server cannot reach any node. */
  podStreams?: PodStreams;
}
