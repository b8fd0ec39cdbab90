import type { Csv } from '../bundle/csv.ts';
import { isObject, valueOf } from '../bundle/json.ts';

/** A required field without a value; `value` tells whether it would be a struct. Named as in Go, as other tools do. */
interface MissingField {
  readonly field: string;
  readonly value: 'struct' | 'field';
  /** The path in the manifest. */
  readonly path: string;
}

/** Fields that differ from an absent one although nothing is in them. */
const maps = new Set(['labels', 'annotations', 'selector']);

/** The fields that a ClusterServiceVersion must have and lacks: those of a struct that lacks all of its own are not listed. */
export function missingFields(csv: Csv): MissingField[] {
  const metadata = isZero(csv.metadata)
    ? [{ field: 'ObjectMeta', value: 'struct' as const, path: 'metadata' }]
    : [];
  if (isZero(csv.spec)) return [...metadata, { field: 'Spec', value: 'struct', path: 'spec' }];
  return [
    ...metadata,
    ...missingInInstall(csv),
    ...(csv.spec?.displayName
      ? []
      : [{ field: 'Spec.DisplayName', value: 'field' as const, path: 'spec.displayName' }]),
  ];
}

function missingInInstall({ spec }: Csv): MissingField[] {
  const install = spec?.install;
  const goPath = 'Spec.InstallStrategy';
  const path = 'spec.install';
  if (isZero(install)) return [{ field: goPath, value: 'struct', path }];
  const isIncomplete = !isZero(install?.spec) && install?.spec?.deployments === undefined;
  return [
    ...(install?.strategy
      ? []
      : [{ field: `${goPath}.StrategyName`, value: 'field' as const, path: `${path}.strategy` }]),
    ...(isIncomplete
      ? [
          {
            field: `${goPath}.StrategySpec.DeploymentSpecs`,
            value: 'field' as const,
            path: `${path}.spec.deployments`,
          },
        ]
      : []),
  ];
}

/** Whether nothing is set in a value of Go. A list is set, even if it is empty. */
function isZero(value: unknown): boolean {
  if (Array.isArray(value)) return false;
  if (!isObject(value)) return value === undefined || value === '' || value === false || value === 0;
  return Object.keys(value).every((key) => !maps.has(key) && isZero(valueOf(value, key)));
}
