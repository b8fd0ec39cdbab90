import { Lines } from '../bundle/line-of.ts';
import type { Bundle } from '../bundle/bundle.ts';
import type { Finding } from '../finding.ts';
import { upgradeFindings } from '../upgrade/upgrade-findings.ts';
import type { Validator, ValidatorInputs } from './validator.ts';
import { type OptionalValidator, requiredValidators } from './validators.ts';

/** What validators say about a bundle. */
export interface Verdict {
  /** The names of the validators that ran. */
  readonly validators: readonly string[];
  /** By file, in the order of the validators. */
  readonly findings: readonly Finding[];
}

const pathAtStart = /^(?:metadata|spec)(?:\.[A-Za-z][-\w]*|\[[^\]]*\])*(?=[ :,])/;

/** A larger file would take long to parse once more. */
const maxLocatedBytes = 2 ** 20;

/**
 * Runs the required validators and some optional ones. On a bundle that OLM could not load, only its format is validated: what else would
 * be said about its rest is not true of the whole.
 *
 * @param former a bundle that this one upgrades
 */
export function runValidators(
  bundle: Bundle,
  optional: readonly OptionalValidator[],
  inputs: ValidatorInputs,
  former?: Bundle,
): Verdict {
  const isLoaded = bundle.problems.length === 0;
  const required = Object.entries(requiredValidators).filter(([name]) => isLoaded || name === 'format');
  const chosen = isLoaded ? optional.map(({ name, validate }) => [name, validate] as const) : [];
  const upgrade: Validator | undefined =
    former && isLoaded ? () => upgradeFindings(former, bundle) : undefined;
  const all = [...required, ...chosen, ...(upgrade ? [['crd-upgrade', upgrade] as const] : [])];
  const findings = [...bundle.problems, ...all.flatMap(([, validate]) => validate(bundle, inputs))];
  return {
    validators: ['load', ...all.map(([name]) => name)],
    findings: located(findings, bundle).toSorted(byPlace),
  };
}

function byPlace(left: Finding, right: Finding): number {
  const [first = '', second = ''] = [left.file, right.file];
  if (first !== second) return first < second ? -1 : 1;
  return (left.line ?? 0) - (right.line ?? 0);
}

/** Adds paths and lines to findings that start with the path of a field. */
function located(findings: readonly Finding[], { files: { files } }: Bundle): Finding[] {
  const contents = new Map(files.map(({ path, content }) => [path, content]));
  const parsed = new Map<string, Lines>();
  return findings.map((finding) => {
    const { file = '', field, detail } = finding;
    const path = pathAtStart.exec(detail)?.[0] ?? (field?.startsWith('spec.') ? field : undefined);
    const content = contents.get(file);
    if (path === undefined || !content || content.length > maxLocatedBytes) return finding;
    const lines = parsed.get(file) ?? new Lines(content.toString('utf8'));
    parsed.set(file, lines);
    const line = finding.line ?? lines.at(path);
    return { ...finding, path, ...(line !== undefined && { line }) };
  });
}
