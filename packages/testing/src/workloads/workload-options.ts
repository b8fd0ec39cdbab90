/** What runs beside the server for the workloads of a cluster. */
export interface WorkloadOptions {
  /**
   * How many simulated nodes run pods. Default 1. With 0 the controllers create pods, but no scheduler and no kubelet runs: tests
   * bind them and write their status.
   */
  readonly nodes?: number;
}
