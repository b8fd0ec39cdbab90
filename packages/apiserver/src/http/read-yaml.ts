import type { DecodedYaml } from './decode-yaml.ts';

/**
 * {@link decodeYaml}, whose parser is loaded at the first use: most clients never send YAML.
 *
 * @throws {SyntaxError} when the text is no YAML, or holds what JSON cannot
 */
export async function readYaml(source: string): Promise<DecodedYaml> {
  const { decodeYaml } = await import('./decode-yaml.ts');
  return decodeYaml(source);
}

/** The reason of a refusal: YAML is read by way of JSON, and what only JSON minds is told as its reader tells it. */
export function yamlReason(message: string, jsonError: string): string {
  return message.startsWith('yaml:') ? message : `${jsonError} ${message}`;
}
