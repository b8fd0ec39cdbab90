import { relative, sep } from 'node:path';
import { closestName } from 'ots-apimachinery/closest-name';
import type { CheckResult, Finding } from '../../check/finding.ts';
import { githubCommand } from '../../check/report/github.ts';
import { sarif } from '../../check/report/sarif.ts';
import { countsOf, summaryOf } from '../../check/report/summary.ts';
import type { CommonOptions } from '../../common-options.ts';
import type { Context } from '../../context.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { oneLine } from '../../output/one-line.ts';
import { paint } from '../../output/paint.ts';
import { didYouMean } from '../../project/names/did-you-mean.ts';
import { quoted } from '../../project/names/quoted.ts';
import type { Plan } from '../../scaffold/plan.ts';
import { type Format, formats } from './formats.ts';

/** What a run of `ots check` found and did. */
export interface Checked {
  readonly result: CheckResult;
  /** The repairs; undefined without --fix. */
  readonly plan: Plan | undefined;
  /** Absolute path of the project. */
  readonly root: string;
}

/**
 * The format of a report: that of the flag, or annotations in GitHub Actions, or text.
 *
 * @throws OtsError `INVALID_FORMAT`
 */
export function chooseFormat({ format }: { format?: string }, { env }: Context): Format {
  if (format === undefined) return env['GITHUB_ACTIONS'] === 'true' ? 'github' : 'text';
  const known = formats.find((each) => each === format);
  if (known !== undefined) return known;
  throw new OtsError('INVALID_FORMAT', `${quoted(format)} is not a format of --format`, {
    hint: didYouMean(closestName(format, formats), `Use ${formats.join(', ')}, or --json.`),
  });
}

/** Prints the result in the chosen form. */
export function printResult(
  checked: Checked,
  { format, json, quiet, verbose }: CommonOptions & { format: Format },
  context: Context,
): void {
  const { result, root } = checked;
  const { stdout } = context;
  if (json) stdout.write(`${JSON.stringify(jsonOf(checked), null, 2)}\n`);
  else if (format === 'sarif')
    stdout.write(`${JSON.stringify(sarif(result, prefixOf(root, context)), null, 2)}\n`);
  else {
    const prefix = prefixOf(root, context);
    const text = (finding: Finding): string =>
      format === 'github' ? githubCommand(finding, prefix) : textOf(finding, context);
    // A quiet command prints errors only.
    const shown = result.findings.filter(({ severity }) => !quiet || severity === 'error');
    for (const finding of shown) stdout.write(`${text(finding)}\n`);
    if (quiet) return;
    if (verbose) for (const line of details(result)) stdout.write(`${line}\n`);
    stdout.write(`${summaryOf(result)}\n`);
  }
}

function textOf({ file, line, column, severity, rule, message, hint }: Finding, context: Context): string {
  const place = `${oneLine(file)}:${line}${column === undefined ? '' : `:${column}`}`;
  const label = paint(context, 'stdout', severity === 'error' ? 'red' : 'yellow', `${severity}:`);
  const said = `${place}: ${label} ${oneLine(message)} (${rule})`;
  return `${said}\n  ${paint(context, 'stdout', 'cyan', 'hint:')} ${oneLine(hint)}`;
}

/** What did not become a finding, and why. */
function details({ ignored, skipped }: CheckResult): string[] {
  return [
    ...ignored.map(
      ({ file, line, rule, message, reason }) =>
        `turned off: ${oneLine(file)}:${line}: ${oneLine(message)} (${rule}): ${oneLine(reason)}`,
    ),
    ...skipped.map(({ rule, reason }) => `not checked: ${oneLine(reason)} (${rule})`),
  ];
}

function jsonOf({ result, plan }: Checked): object {
  const { findings, ignored, skipped, rules } = result;
  return {
    command: 'check',
    ...(plan && { fixed: plan.changes.map(({ path, action }) => ({ path, action })) }),
    counts: countsOf(result),
    findings: findings.map((finding) => ({ ...plain(finding), fixable: finding.fix !== undefined })),
    ignored: ignored.map(plain),
    skipped,
    rules,
  };
}

/** Without what only this process can use. */
function plain<T extends Finding>(finding: T): Omit<T, 'fix'> {
  const { fix: _fix, ...rest } = finding;
  return rest;
}

/** Code scanning and annotations name files from the root of the repository, in which the project may be a folder. */
function prefixOf(root: string, { env }: Context): string {
  const workspace = env['GITHUB_WORKSPACE'];
  if (!workspace) return '';
  const path = relative(workspace, root).replaceAll(sep, '/');
  return path === '' || path.startsWith('..') ? '' : `${path}/`;
}
