import type { Bundle, BundleCrd } from '../bundle/bundle.ts';
import { type Finding, reporter } from '../finding.ts';
import type { SchemaNode } from './schema-node.ts';
import { type UnsafeChange, unsafeChanges } from './unsafe-changes.ts';

const report = reporter('crd-upgrade');

/** What OLM v1 refuses about an upgrade from another bundle: changes of definitions that objects or clients may not survive. */
export function upgradeFindings(older: Bundle, newer: Bundle): Finding[] {
  const former = new Map(older.crds.map((each) => [nameOf(each), each]));
  return newer.crds.flatMap((each) => {
    const before = former.get(nameOf(each));
    return before ? unsafeChanges(schemaOf(before), schemaOf(each)).map((change) => found(change, each)) : [];
  });
}

function found({ version, path, rule, message }: UnsafeChange, crd: BundleCrd): Finding {
  const place = [version, path].filter((part) => part !== undefined).join(': ');
  return report.error({
    type: 'UnsafeCRDUpgrade',
    ...(path !== undefined && { field: path }),
    value: nameOf(crd),
    detail: `${place === '' ? '' : `${place}: `}${rule}: ${message}`,
    file: crd.file,
  });
}

function nameOf({ crd }: BundleCrd): string {
  return crd.metadata.name ?? '';
}

function schemaOf({ crd }: BundleCrd): SchemaNode {
  return { ...crd };
}
