import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import { hasRules } from '../rules/has-rules.ts';
import { reportBrokenDefaults } from '../rules/report-broken-defaults.ts';
import { reportRuleProblems } from '../rules/report-rule-problems.ts';
import { reportStructuralProblems } from '../structural/report-structural-problems.ts';
import { schemaToJson } from '../schema/schema-json.ts';
import { checkSize } from './check-size.ts';
import type { CustomResourceDefinition } from './custom-resource-definition.ts';
import type { Kind } from './kind.ts';

/**
 * Checks a finished CRD as the API server and kubectl do: structural schemas, rules, size.
 * @param kinds every version of every kind, to find the sources of the CRD
 */
export function checkFinished(
  crd: CustomResourceDefinition,
  kinds: readonly Kind[],
  diagnostics: Diagnostics,
): void {
  const toJson = schemaToJson();
  const versions = crd.spec.versions.map((version) => {
    const root = version.schema.openAPIV3Schema;
    const { declaration } = kinds.find(
      ({ group, kind, version: name }) =>
        group === crd.spec.group && kind === crd.spec.names.kind && name === version.name,
    )!;
    const origin = { source: declaration.module.source, span: declaration.nameSpan };
    const json = toJson(root);
    // Rules are compiled against types, which only a structural schema has.
    if (reportStructuralProblems(root, origin, diagnostics) && hasRules(root)) {
      const valid = reportRuleProblems(root, json, origin, diagnostics);
      if (valid) reportBrokenDefaults(root, toJson, origin, diagnostics);
    }
    return { ...version, schema: { openAPIV3Schema: json } };
  });
  const json = JSON.stringify({ ...crd, spec: { ...crd.spec, versions } });
  const kind = kinds.find(
    ({ group, kind: name }) => group === crd.spec.group && name === crd.spec.names.kind,
  )!;
  checkSize(crd, json, kind, diagnostics);
}
