/** A policy or a binding cannot be used for a request: its failure policy decides. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}
