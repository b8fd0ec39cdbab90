import { parseAllDocuments } from 'yaml';
import { formatDiagnostic } from '../../src/manifests/diagnostics/format-diagnostic.ts';
import { generateManifests } from '../../src/manifests/generate-manifests.ts';
import type { ManifestOptions } from '../../src/manifests/generate-manifests.ts';
import { virtualFiles } from './virtual-files.ts';

/** The parsed documents of every generated file, by path; throws when there are diagnostics. */
export function generate(
  files: Readonly<Record<string, string>>,
  options?: ManifestOptions,
): Record<string, any[]> {
  const result = generateManifests(virtualFiles(files), options);
  if (result.diagnostics.length > 0) throw new Error(result.diagnostics.map(formatDiagnostic).join('\n'));
  return Object.fromEntries(
    Array.from(result.files, ([path, text]) => [
      path,
      parseAllDocuments(text).map((document) => document.toJS()),
    ]),
  );
}
