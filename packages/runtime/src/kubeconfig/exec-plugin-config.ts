/**
 * A program that hands out credentials, as `users[].user.exec` of a kubeconfig describes it.
 * https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins
 */
export interface ExecPluginConfig {
  /** `client.authentication.k8s.io/v1` or `client.authentication.k8s.io/v1beta1`; the plugin must answer in the same. */
  apiVersion: string;
  /** The program: a path, or a name to look up in `PATH`. It is started without a shell. */
  command: string;
  /** Its arguments; none by default. */
  args?: string[] | undefined;
  /** Added to the environment of this process; nothing by default. */
  env?: { name: string; value: string }[] | undefined;
  /** What to tell the user when the program is not installed. */
  installHint?: string | undefined;
  /** Whether the plugin is told the server's address and certificate authorities. Default: false. */
  provideClusterInfo?: boolean | undefined;
  /** Whether it gets our standard input: never, only when that is a terminal, or else it fails. Default: IfAvailable. */
  interactiveMode?: 'Never' | 'IfAvailable' | 'Always' | undefined;
  /** Passed on when `provideClusterInfo`: the cluster's extension `client.authentication.k8s.io/exec`. */
  clusterConfig?: unknown;
}
