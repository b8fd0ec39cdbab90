import { originKey } from '../schema/origin.ts';
import type { ComparedCrd } from './compared-crd.ts';
import type { Finding } from './finding.ts';

const newKind = 'the API server cannot change this: keep it, or create another kind';

/** Compares what a definition says about the kind as a whole. */
export function compareKind(before: ComparedCrd, after: ComparedCrd): Finding[] {
  const findings: Finding[] = [];
  const origin = after.spec.versions[0]?.schema.openAPIV3Schema[originKey];
  const report = (code: string, message: string, hint: string): void => {
    findings.push({ code, kind: before.spec.names.kind, message, hint, origin });
  };
  const { names: old, scope, conversion } = before.spec;
  const { names } = after.spec;
  if (old.kind !== names.kind)
    report(
      'kind-renamed',
      `the kind was ${old.kind}, and is ${names.kind}; manifests with it are rejected`,
      newKind,
    );
  if (old.plural !== names.plural)
    report(
      'plural-changed',
      `the plural was ${old.plural}, and is ${names.plural}; for users this is another API, without their objects`,
      `keep plural: '${old.plural}'`,
    );
  if (old.listKind !== undefined && names.listKind !== undefined && old.listKind !== names.listKind)
    report(
      'list-kind-changed',
      `the kind of lists was ${old.listKind}, and is ${names.listKind}; generated clients know the old one`,
      'keep the name of the kind',
    );
  if (scope !== after.spec.scope)
    report('scope-changed', `the scope was ${scope}, and is ${after.spec.scope}; every URL changes`, newKind);
  if (before.spec.preserveUnknownFields && !after.spec.preserveUnknownFields)
    report(
      'preserve-unknown-fields-removed',
      'all unknown fields were kept; the next write drops them',
      'tag the types whose fields must be kept with @preserveUnknownFields',
    );
  // A kind with one version did not need a conversion before.
  if (before.spec.versions.length > 1 && strategyOf(conversion) !== strategyOf(after.spec.conversion))
    report(
      'conversion-changed',
      `conversion between versions was ${strategyOf(conversion)}, and is ${strategyOf(after.spec.conversion)}; objects read in another version differ`,
      'keep the conversion while there are objects of several versions',
    );
  return findings;
}

function strategyOf(conversion: object | undefined): string {
  return conversion && 'strategy' in conversion ? String(conversion.strategy) : 'None';
}
