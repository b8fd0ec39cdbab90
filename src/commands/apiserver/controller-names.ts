/** The values of `--controllers`, and the server option of each. */
export const controllerOptions = {
  'garbage-collector': 'garbageCollector',
  namespaces: 'namespaces',
  'aggregated-roles': 'aggregatedRoles',
  'policy-status': 'policyStatus',
  'resource-quotas': 'resourceQuotas',
  'certificate-requests': 'certificateRequests',
  'service-accounts': 'serviceAccounts',
  'root-certificates': 'rootCertificates',
} as const;

/** The names for `--controllers`. */
export const controllerNames: readonly string[] = Object.keys(controllerOptions);
