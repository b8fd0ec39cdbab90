import { escapeXml } from '../../output/escape-xml.ts';
import type { ScoredTest, TestResult } from './test-list.ts';

/** Results in XML, in the form of operator-sdk: a suite for each test of the configuration. Other than there, all texts are escaped. */
export function xunitOf(tests: readonly ScoredTest[]): string {
  const suites = tests.flatMap(suiteOf).map((line) => `${line}\n`);
  const separator = suites.length === 0 ? '' : '\n';
  return `<testsuites name="scorecard">${separator}${suites.join('')}</testsuites>`;
}

function suiteOf({ spec: { image, entrypoint, labels }, results }: ScoredTest, index: number): string[] {
  const { test = `testsuite-${String(index + 1).padStart(3, '0')}`, 'cluster-phase': phase } = labels;
  const count = (state: string) => results.filter((result) => result.state === state).length;
  const counts = `tests="${results.length}" skipped="0" failures="${count('fail')}" errors="${count('error')}"`;
  const properties = [
    ['spec.image', image],
    ['spec.entrypoint', entrypoint.join(' ')],
    ['labels.test', test],
    ...(phase === undefined ? [] : [['labels.cluster-phase', phase]]),
  ];
  return [
    `  <testsuite name="${escapeXml(test)}" ${counts}>`,
    '    <properties>',
    ...properties.map(
      ([name = '', value = '']) =>
        `      <property name="${escapeXml(name)}" value="${escapeXml(value)}"></property>`,
    ),
    '    </properties>',
    ...results.flatMap(caseOf),
    '  </testsuite>',
  ];
}

const elements = { fail: 'failure', error: 'error' } as const;

/** operator-sdk has no times either. */
function caseOf({ name, state, log, errors }: TestResult): string[] {
  const element = state === 'pass' ? undefined : elements[state];
  const problem =
    element === undefined
      ? []
      : [`      <${element} type="${element}">${escapeXml(errors.join('\n'))}</${element}>`];
  return [
    `    <testcase name="${escapeXml(name)}" time="0001-01-01T00:00:00Z">`,
    `      <system-out>${escapeXml(log)}</system-out>`,
    ...problem,
    '    </testcase>',
  ];
}
