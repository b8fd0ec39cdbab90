import { type FieldError, invalid } from '../../status/field-error.ts';

const levels = ['privileged', 'baseline', 'restricted'] as const;

/** How strict a policy is, in ascending order. */
export type Level = (typeof levels)[number];

/** A level as it was in a minor version of Kubernetes. */
export interface LevelVersion {
  readonly level: Level;
  /** The minor version; infinite for the latest one. */
  readonly version: number;
}

/** What a namespace does about pods that break a level. */
interface Policy {
  readonly enforce: LevelVersion;
  readonly audit: LevelVersion;
  readonly warn: LevelVersion;
}

/** Of the labels of namespaces and of audit annotations. */
export const prefix = 'pod-security.kubernetes.io/';
/** A policy that labels state, and what is wrong with them. */
export interface LabeledPolicy {
  readonly policy: Policy;
  readonly errors: readonly FieldError[];
}

const latest: LevelVersion = { level: 'privileged', version: Infinity };

/** `baseline:latest`, or `restricted:v1.30`. */
export function formatLevel({ level, version }: LevelVersion): string {
  return `${level}:${version === Infinity ? 'latest' : `v1.${version}`}`;
}

/** Negative when the first level is less strict, positive when it is stricter. */
export function compareLevels(one: Level, other: Level): number {
  return levels.indexOf(one) - levels.indexOf(other);
}

/**
 * Reads the policy from the labels of a namespace. A label that cannot be read means `restricted` or `latest` where it
 * enforces, and nothing where it audits or warns.
 */
export function policyOf(labels: Readonly<Record<string, string>> = {}): LabeledPolicy {
  const errors: FieldError[] = [];
  const read = (mode: string): Partial<LevelVersion> => {
    const level = labels[`${prefix}${mode}`];
    const version = labels[`${prefix}${mode}-version`];
    return {
      ...(level !== undefined && { level: readLevel(mode, level, errors) }),
      ...(version !== undefined && { version: readVersion(mode, version, errors) }),
    };
  };
  const enforced = read('enforce');
  const isReadable = errors.every(({ field }) => field !== pathOf('enforce'));
  const audit = { ...latest, ...read('audit') };
  const warned = read('warn');
  const enforce = { ...latest, ...enforced };
  const inherited = enforced.level !== undefined && isReadable ? enforce : latest;
  const warn = warned.level === undefined ? { ...inherited, ...warned } : { ...latest, ...warned };
  return { policy: { enforce, audit, warn }, errors };
}

function readLevel(mode: string, text: string, errors: FieldError[]): Level {
  const level = levels.find((known) => known === text);
  if (level !== undefined) return level;
  errors.push(invalid(pathOf(mode), text, `must be one of ${levels.join(', ')}`));
  return mode === 'enforce' ? 'restricted' : 'privileged';
}

function readVersion(mode: string, text: string, errors: FieldError[]): number {
  const [, minor] = /^v1\.(0|[1-9]\d*)$/.exec(text) ?? [];
  if (minor !== undefined && BigInt(minor) < 2n ** 63n) return Number(minor);
  if (text !== 'latest') errors.push(invalid(pathOf(`${mode}-version`), text, 'must be "latest" or "v1.x"'));
  return Infinity;
}

function pathOf(label: string): string {
  return `metadata.labels[${prefix}${label}]`;
}
