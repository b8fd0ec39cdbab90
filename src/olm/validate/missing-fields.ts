import type { Csv } from '../bundle/csv.ts';
import { isObject, valueOf } from '../bundle/json.ts';

/** A required field without a value; `value` tells whether it would be a struct. Named as in Go, as other tools do. */
interface MissingField {
  readonly field: string;
  readonly value: 'struct' | 'field';
}

/** Fields that differ from an absent one although nothing is in them. */
const maps = new Set(['labels', 'annotations', 'selector']);

/** The fields that a ClusterServiceVersion must have and lacks: those of a struct that lacks all of its own are not listed. */
export function missingFields(csv: Csv): MissingField[] {
  const metadata = isZero(csv.metadata) ? [{ field: 'ObjectMeta', value: 'struct' as const }] : [];
  if (isZero(csv.spec)) return [...metadata, { field: 'Spec', value: 'struct' }];
  return [
    ...metadata,
    ...missingInInstall(csv),
    ...(csv.spec?.displayName ? [] : [{ field: 'Spec.DisplayName', value: 'field' as const }]),
  ];
}

function missingInInstall({ spec }: Csv): MissingField[] {
  const install = spec?.install;
  const path = 'Spec.InstallStrategy';
  if (isZero(install)) return [{ field: path, value: 'struct' }];
  const isIncomplete = !isZero(install?.spec) && install?.spec?.deployments === undefined;
  return [
    ...(install?.strategy ? [] : [{ field: `${path}.StrategyName`, value: 'field' as const }]),
    ...(isIncomplete ? [{ field: `${path}.StrategySpec.DeploymentSpecs`, value: 'field' as const }] : []),
  ];
}

/** Whether nothing is set in a value of Go. A list is set, even if it is empty. */
function isZero(value: unknown): boolean {
  if (Array.isArray(value)) return false;
  if (!isObject(value)) return value === undefined || value === '' || value === false || value === 0;
  return Object.keys(value).every((key) => !maps.has(key) && isZero(valueOf(value, key)));
}
