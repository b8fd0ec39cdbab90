import path from 'node:path';
import type { Context } from '../../context.ts';
import type { Bundle } from '../../olm/bundle/bundle.ts';
import type { Finding } from '../../olm/finding.ts';
import { findingMessage } from '../../olm/validate/finding-message.ts';
import type { Verdict } from '../../olm/validate/run-validators.ts';
import { oneLine } from '../../output/one-line.ts';
import { paint } from '../../output/paint.ts';
import type { ValidateOptions } from './validate.ts';
import { wrap } from './wrap.ts';

/** A verdict about a bundle. */
export interface BundleVerdict extends Verdict {
  readonly bundle: Bundle;
  /** The directory or the image, as the user named it. */
  readonly source: string;
  readonly isPassed: boolean;
}

const colors = { error: 'red', warning: 'yellow' } as const;

/** Prints a verdict to stdout, in the form that the flags choose. */
export function reportVerdict(verdict: BundleVerdict, options: ValidateOptions, context: Context): void {
  if (options.json) context.stdout.write(`${JSON.stringify(documentOf(verdict), null, 2)}\n`);
  else if (options.output === 'json-alpha1')
    context.stdout.write(`${JSON.stringify(alphaDocumentOf(verdict), null, 4)}\n`);
  else reportText(verdict, options, context);
}

function documentOf({ bundle, source, isPassed, validators, findings }: BundleVerdict): object {
  const { name, package: packageName, channels, defaultChannel } = bundle;
  return {
    source,
    bundle: { name, package: packageName, channels, defaultChannel },
    passed: isPassed,
    errors: count(findings, 'error'),
    warnings: count(findings, 'warning'),
    validators,
    findings,
  };
}

/** The form of operator-sdk. Its list is null when there is nothing to say. */
function alphaDocumentOf({ findings, bundle: { name } }: BundleVerdict): object {
  const outputs = findings.map((finding) => ({
    type: finding.level,
    message: findingMessage(finding, name),
  }));
  return { passed: count(findings, 'error') === 0, outputs: outputs.length > 0 ? outputs : null };
}

function reportText(verdict: BundleVerdict, { quiet }: ValidateOptions, context: Context): void {
  const { stdout } = context;
  const { findings, source } = verdict;
  const shown = merged(findings).filter(({ level }) => level === 'error' || !quiet);
  let last: string | undefined;
  for (const finding of shown) {
    const place = path.join(source, finding.file ?? '');
    if (place !== last) stdout.write(`${paint(context, 'stdout', 'bold', oneLine(place))}\n`);
    last = place;
    stdout.write(textOf(finding, context));
  }
  if (!quiet) stdout.write(`${shown.length > 0 ? '\n' : ''}${summaryOf(verdict)}\n`);
}

/** What several validators say counts once. */
function merged(findings: readonly Finding[]): Finding[] {
  const byText = new Map<string, Finding>();
  for (const finding of findings) {
    const key = JSON.stringify([finding.file, finding.line, finding.detail]);
    byText.set(key, both(byText.get(key), finding));
  }
  return [...byText.values()];
}

/** A warning that repeats an error adds nothing. */
function both(first: Finding | undefined, second: Finding): Finding {
  if (!first) return second;
  const names = new Set([...first.validator.split(', '), second.validator]);
  const level = first.level === 'error' ? 'error' : second.level;
  return { ...first, level, validator: [...names].join(', ') };
}

function textOf({ level, validator, line, detail }: Finding, context: Context): string {
  const width = Math.min(context.stdout.columns ?? 80, 120);
  const where = line === undefined ? validator : `${validator}, line ${line}`;
  const [first = '', ...rest] = wrap(oneLine(`${level}: ${detail} (${where})`), width - 4);
  const colored = `${paint(context, 'stdout', colors[level], `${level}:`)}${first.slice(level.length + 1)}`;
  return [`  ${colored}`, ...rest.map((text) => `    ${text}`)].map((text) => `${text}\n`).join('');
}

function summaryOf({ bundle, source, findings: all }: BundleVerdict): string {
  const findings = merged(all);
  const errors = count(findings, 'error');
  const warnings = count(findings, 'warning');
  const name = oneLine(bundle.name === '' ? source : bundle.name);
  const counts = [
    ...(errors > 0 ? [`${errors} ${errors === 1 ? 'error' : 'errors'}`] : []),
    ...(warnings > 0 ? [`${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`] : []),
  ];
  const untested =
    bundle.problems.length > 0 ? '; OLM cannot load it, so the other rules were not checked' : '';
  return counts.length === 0 ? `${name} is valid` : `${name}: ${counts.join(', ')}${untested}`;
}

function count(findings: readonly Finding[], level: Finding['level']): number {
  return findings.filter((finding) => finding.level === level).length;
}
