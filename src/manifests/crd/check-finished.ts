import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import { SchemaChecks } from '../structural/schema-checks.ts';
import { checkSize } from './check-size.ts';
import type { CustomResourceDefinition } from './custom-resource-definition.ts';
import type { Kind } from './kind.ts';

/**
 * Checks finished CRDs as the API server and kubectl do: structural schemas, rules, defaults, size.
 * @param kinds every version of every kind, to find the sources of a CRD
 */
export function checkFinished(
  crds: readonly CustomResourceDefinition[],
  kinds: readonly Kind[],
  diagnostics: Diagnostics,
): void {
  const checks = new SchemaChecks(diagnostics);
  for (const crd of crds) {
    const own = kinds.filter(({ group, kind }) => group === crd.spec.group && kind === crd.spec.names.kind);
    const versions = crd.spec.versions.map((version) => {
      const root = version.schema.openAPIV3Schema;
      const { declaration } = own.find(({ version: name }) => name === version.name)!;
      const origin = { source: declaration.module.source, span: declaration.nameSpan };
      checks.report(root, version.subresources?.status !== undefined, origin);
      return { ...version, schema: { openAPIV3Schema: checks.toJson(root) } };
    });
    const json = JSON.stringify({ ...crd, spec: { ...crd.spec, versions } });
    checkSize(crd, json, own[0]!, diagnostics);
  }
}
