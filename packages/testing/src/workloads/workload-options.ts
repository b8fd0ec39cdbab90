import type { Images } from './images/application.ts';
import type { NodeOptions } from './nodes/node-options.ts';

/** What runs beside the server for the workloads of a cluster. */
export interface WorkloadOptions {
  /**
   * How many simulated nodes there are, or what they are. Default 1. A scheduler binds pods to them and simulated kubelets run the pods.
   * With 0 neither runs: tests bind pods, write their status and end them.
   * With nodes there is also a default StorageClass, `standard`, as kind names it. Its volumes are simulated and can be used from every
   * node; so are those of other classes with the provisioner `ots.dev/simulated`.
   */
  readonly nodes?: number | readonly NodeOptions[];
  /**
   * What runs instead of images. A function is called once for each environment, so applications that share something in memory share
   * it only with those of their cluster. Default: an application that is ready at once and runs until it is stopped. In a pod whose
   * `restartPolicy` is not `Always`, such as that of a Job, it completes after a second, in an init container at once.
   */
  readonly images?: Images | (() => Images);
}
