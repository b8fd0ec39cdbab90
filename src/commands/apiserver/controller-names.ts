/** What `--controllers` takes, and the option of the server that each stands for. */
export const CONTROLLERS = {
  'garbage-collector': 'garbageCollector',
  namespaces: 'namespaces',
  'service-accounts': 'serviceAccounts',
  'root-certificates': 'rootCertificates',
} as const;

/** The names that `--controllers` takes. */
export const CONTROLLER_NAMES: readonly string[] = Object.keys(CONTROLLERS);
