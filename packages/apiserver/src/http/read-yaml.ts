import type { DecodedYaml } from './decode-yaml.ts';

/**
 * {@link decodeYaml}, with a parser that is loaded on first use: most clients never send YAML.
 *
 * @throws {SyntaxError} when the text is not YAML, or contains values that JSON cannot represent
 */
export async function readYaml(source: string): Promise<DecodedYaml> {
  const { decodeYaml } = await import('./decode-yaml.ts');
  return decodeYaml(source);
}

/** The reason of a refusal. The server converts YAML to JSON, so problems of the JSON are reported in the words of its parser. */
export function yamlReason(message: string, jsonError: string): string {
  return /^(?:yaml:|unsupported map key)/.test(message) ? message : `${jsonError} ${message}`;
}
