import type { Finding, Pattern } from 'ots-testing';
import { escapeXml } from '../../output/escape-xml.ts';
import type { SampleFailure, SampleResult, TortureResult } from '../torture-result.ts';
import { commandFor, describeSource, doubtsOf, furtherDetails } from './describe-report.ts';

/** All patterns, in the order of the report. */
const patterns: Readonly<Record<Pattern, true>> = {
  undisturbed: true,
  crash: true,
  'stale view': true,
  'missed state': true,
  order: true,
  'refused request': true,
  'changed spec': true,
  deletion: true,
  'edit by hand': true,
  'failing workload': true,
  'second replica': true,
};

/** How a test case ends, other than well. */
type Outcome = 'failure' | 'error' | 'skipped';

interface Case {
  readonly outcome: Outcome | undefined;
  readonly xml: string;
}

/**
 * The result as JUnit XML, which CI systems show: a suite for each sample, with a case for each pattern. A case fails if there are findings,
 * and is skipped if the author accepts all of them, or if no plan of the pattern was tried.
 */
export function junitOf(result: TortureResult): string {
  const suites = [
    ...result.samples.map((sample) => suiteOf(sample, result)),
    ...result.failures.map(suiteOfFailure),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="ots torture">\n${suites.join('')}</testsuites>\n`;
}

function suiteOf(sample: SampleResult, result: TortureResult): string {
  const { report, findings, accepted } = sample;
  const cases = Object.keys(patterns).map((pattern) => {
    const failing = findings.filter((finding) => finding.pattern === pattern);
    const skipped = accepted.filter((finding) => finding.pattern === pattern);
    if (failing.length > 0) {
      const text = failing.map((finding) => textOf(finding, sample, result)).join('\n\n');
      return caseOf(pattern, report.object, 'failure', failing[0]!.consequence, text);
    }
    const isTried = report.patterns.some((tried) => tried === pattern);
    if (skipped.length === 0 && isTried) return caseOf(pattern, report.object);
    const reasons = skipped.map(({ id, reason }) => `${id}: ${reason}`).join('\n');
    return caseOf(pattern, report.object, 'skipped', reasons || 'no plan of this pattern was tried');
  });
  return suite(sample.sample.file, cases, report.milliseconds);
}

function suiteOfFailure({ sample, problem, hint }: SampleFailure): string {
  return suite(sample.file, [caseOf('search', sample.kind, 'error', problem, hint)], 0);
}

function suite(name: string, cases: readonly Case[], milliseconds: number): string {
  const count = (outcome: Outcome): number => cases.filter((each) => each.outcome === outcome).length;
  const counts = `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}"`;
  const time = (milliseconds / 1000).toFixed(3);
  const lines = cases.map(({ xml }) => xml).join('');
  return `  <testsuite name="${escapeXml(name)}" ${counts} time="${time}">\n${lines}  </testsuite>\n`;
}

function caseOf(name: string, className: string, outcome?: Outcome, message = '', text = ''): Case {
  const start = `    <testcase classname="${escapeXml(className)}" name="${escapeXml(name)}"`;
  if (outcome === undefined) return { outcome, xml: `${start}/>\n` };
  const element = `<${outcome} message="${escapeXml(message)}">${escapeXml(text)}</${outcome}>`;
  return { outcome, xml: `${start}>\n      ${element}\n    </testcase>\n` };
}

function textOf(finding: Finding, sample: SampleResult, result: TortureResult): string {
  const source = describeSource(finding);
  return [
    finding.id,
    finding.consequence,
    ...furtherDetails(finding),
    finding.description,
    ...(source === undefined ? [] : [source]),
    ...doubtsOf(finding),
    commandFor('--replay', finding, sample, result),
    ...[finding.cure, finding.link].filter((line) => line !== ''),
  ].join('\n');
}
