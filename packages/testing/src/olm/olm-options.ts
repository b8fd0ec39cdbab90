/** How {@link simulateOlm} simulates the Operator Lifecycle Manager. */
export interface OlmOptions {
  /** OLM v0 (Subscriptions and ClusterServiceVersions) or OLM v1 (ClusterExtensions). Default `v0`. */
  readonly version?: 'v0' | 'v1';
  /**
   * What is in the images that OLM reads, by their names: the directory of a bundle (`manifests/` and `metadata/`), or of a file-based
   * catalog. It is read when OLM pulls the image. Every other image of a bundle or catalog cannot be pulled. Default none.
   */
  readonly images?: Readonly<Record<string, string>>;
}

/** A simulated Operator Lifecycle Manager that runs. */
export interface SimulatedOlm extends AsyncDisposable {
  /** Stops its controllers. What it has installed stays. A second call does nothing. It also stops with the environment. */
  stop(): Promise<void>;
}
