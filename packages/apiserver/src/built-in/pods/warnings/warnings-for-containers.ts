import type { EnvVar, PodSpec } from 'ots-kubernetes/core/v1';
import { containersOf } from '../containers-of.ts';
import { warningsForFractions } from './warnings-for-fractions.ts';

const bytes = ['memory', 'ephemeral-storage'];

/** Warns about fractional bytes, and about variables that hide others. */
export function warningsForContainers(spec: PodSpec, path: string): string[] {
  const overhead = { limits: spec.overhead ?? {} };
  return [
    ...warningsForFractions(overhead, bytes, path).map((warning) => warning.replace('.limits', '.overhead')),
    ...containersOf(spec, path).flatMap(({ container, path: place }) => [
      ...warningsForFractions(container.resources ?? {}, bytes, `${place}.resources`),
      ...warningsForEnv(container.env ?? [], `${place}.env`),
    ]),
  ];
}

/** A variable may be defined again in terms of itself, but not otherwise. */
function warningsForEnv(variables: readonly EnvVar[], path: string): string[] {
  const seen = new Set<string>();
  return variables.flatMap(({ name, value = '', valueFrom }, index) => {
    const reference = `$(${name})`;
    const hides = valueFrom !== undefined || value === reference || !value.includes(reference);
    const isRepeated = seen.has(name);
    seen.add(name);
    if (!isRepeated || !hides) return [];
    return [
      `${path}[${index}]: hides previous definition of "${name}", which may be dropped when using apply`,
    ];
  });
}
