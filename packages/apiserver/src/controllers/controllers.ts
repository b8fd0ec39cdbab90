/** The controllers that can run beside the API server. */
export interface ControllerSelection {
  /** Deletes objects whose last owner is gone, and implements propagation policies. Default true. */
  garbageCollector?: boolean;
  /** Empties and removes deleted namespaces. Default true. */
  namespaces?: boolean;
  /** Fills in ClusterRoles that aggregate the rules of others, such as `admin`, `edit` and `view`. Default true. */
  aggregatedRoles?: boolean;
  /** Reports type errors in the expressions of ValidatingAdmissionPolicies in their status. Default true. */
  policyStatus?: boolean;
  /** Counts what ResourceQuotas limit: without it they limit nothing. Default true. */
  resourceQuotas?: boolean;
  /**
   * Issues the certificates of approved CertificateSigningRequests for the signers `kubernetes.io/kube-apiserver-client`,
   * `kubernetes.io/kube-apiserver-client-kubelet` and `kubernetes.io/kubelet-serving`. Default true.
   */
  certificateRequests?: boolean;
  /** Maintains the ServiceAccount `default` in every namespace. Default false. */
  serviceAccounts?: boolean;
  /** Maintains the ConfigMap `kube-root-ca.crt` in every namespace. Default false. */
  rootCertificates?: boolean;
}

/** Which controllers run: all, none, or the selected ones. */
export type Controllers = boolean | ControllerSelection;

/** Resolves which controllers run. The default ones change nothing but aggregated roles until something is deleted or approved. */
export function selectControllers(asked: Controllers = {}): Required<ControllerSelection> {
  if (typeof asked === 'boolean') {
    return {
      garbageCollector: asked,
      namespaces: asked,
      aggregatedRoles: asked,
      policyStatus: asked,
      resourceQuotas: asked,
      certificateRequests: asked,
      serviceAccounts: asked,
      rootCertificates: asked,
    };
  }
  return {
    garbageCollector: true,
    namespaces: true,
    aggregatedRoles: true,
    policyStatus: true,
    resourceQuotas: true,
    certificateRequests: true,
    serviceAccounts: false,
    rootCertificates: false,
    ...asked,
  };
}
