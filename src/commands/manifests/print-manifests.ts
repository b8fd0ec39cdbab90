import { parseAllDocuments } from 'yaml';
import type { Context } from '../../context.ts';
import { generatedHeader } from '../../manifests/yaml.ts';
import type { ManifestsOptions } from './manifests-options.ts';
import { planManifests } from './plan-manifests.ts';

/**
 * `ots manifests --stdout`: prints the content of the files in the order of their paths, as kubectl accepts it on standard
 * input: a stream of YAML documents, or with --json one List.
 */
export async function printManifests(options: ManifestsOptions, context: Context): Promise<void> {
  const { generated } = await planManifests(options, context, false);
  const stream = [...generated.files]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, text]) => text.slice(generatedHeader.length + 1))
    .join('');
  context.stdout.write(options.json ? listOf(stream) : stream);
}

function listOf(stream: string): string {
  const items = parseAllDocuments(stream).map((document): unknown => document.toJS());
  return `${JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 2)}\n`;
}
