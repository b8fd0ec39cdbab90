import { stringify } from 'yaml';

/**
 * A value as it is kept in `recorded/`: what a real server said. Every server is compared with the same file.
 * `KUBEBUILDER_ASSETS=… npx vitest run -u` writes the files anew: the real server comes last and has the last word.
 */
export function asRecorded(value: unknown): string {
  return stringify(value, { lineWidth: 0 });
}
