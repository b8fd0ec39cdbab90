/** What `--controllers` takes, and the option of the server that each stands for. */
export const controllerOptions = {
  'garbage-collector': 'garbageCollector',
  namespaces: 'namespaces',
  'service-accounts': 'serviceAccounts',
  'root-certificates': 'rootCertificates',
} as const;

/** The names that `--controllers` takes. */
export const controllerNames: readonly string[] = Object.keys(controllerOptions);
