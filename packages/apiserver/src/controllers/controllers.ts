/** The controllers of a cluster that can run beside the API server. */
export interface ControllerSelection {
  /** Deletes what its last owner leaves behind, and honours propagation policies. Default true. */
  garbageCollector?: boolean;
  /** Empties namespaces that are deleted, and lets them go. Default true. */
  namespaces?: boolean;
  /** Keeps the ServiceAccount `default` in every namespace. Default false. */
  serviceAccounts?: boolean;
  /** Keeps the ConfigMap `kube-root-ca.crt` in every namespace. Default false. */
  rootCertificates?: boolean;
}

/** Which controllers run: all, none, or those chosen. */
export type Controllers = boolean | ControllerSelection;

/** Reads which controllers run; by default those that change nothing until something is deleted. */
export function selectControllers(asked: Controllers = {}): Required<ControllerSelection> {
  if (typeof asked === 'boolean') {
    return { garbageCollector: asked, namespaces: asked, serviceAccounts: asked, rootCertificates: asked };
  }
  return {
    garbageCollector: true,
    namespaces: true,
    serviceAccounts: false,
    rootCertificates: false,
    ...asked,
  };
}
