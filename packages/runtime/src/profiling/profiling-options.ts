/** Where profiles are served. */
export interface ProfilingOptions {
  /** 0 takes any free port. */
  port: number;
  /**
   * `127.0.0.1` by default, which `kubectl port-forward` reaches. A heap snapshot holds every Secret and token that the
   * process knows: do not open it to the network.
   */
  host?: string | undefined;
}
