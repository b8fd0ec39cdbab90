/** What a container needs is missing. The message is that of a kubelet, and part of the pod's status or events. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}
