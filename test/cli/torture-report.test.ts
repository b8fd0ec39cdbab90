import { stripVTControlCharacters } from 'node:util';
import type { Finding } from 'ots-testing';
import { expect, test } from 'vitest';
import { renderLine, textOf } from '../../src/dev/terminal/line.ts';
import { widthOf } from '../../src/dev/terminal/width.ts';
import { Baseline } from '../../src/torture/baseline.ts';
import { mergeReports } from '../../src/torture/merge-reports.ts';
import { htmlOf } from '../../src/torture/report/html.ts';
import { tortureDocument } from '../../src/torture/report/json.ts';
import { junitOf } from '../../src/torture/report/junit.ts';
import { reportLines } from '../../src/torture/report/text.ts';
import type { TortureResult } from '../../src/torture/torture-result.ts';
import { findingOf, reportOf } from '../support/torture-report.ts';

const sample = { file: 'config/samples/crew_v1_captain.yaml', kind: 'Captain' };
const options = { columns: 80, verbose: false };

/** A name that would do harm where it is not escaped. */
const hostile = `</script><script>alert(1)</script>"'&\u001B[31m\u202E\n]]>`;

function resultOf(changes: Partial<TortureResult> = {}): TortureResult {
  return {
    samples: Baseline.parse(undefined).apply([{ sample, report: reportOf() }]),
    failures: [],
    unused: [],
    isInterrupted: false,
    ...changes,
  };
}

const textReport = (result: TortureResult, with_ = options): string =>
  reportLines(result, with_)
    .map((line) => `${textOf(line)}\n`)
    .join('');

/** A finding in which every text is hostile. */
function hostileResult(): TortureResult {
  const finding = findingOf({
    id: hostile,
    consequence: hostile,
    details: [hostile, `${hostile}2`],
    description: hostile,
    timeline: [{ time: 1, actor: 'operator', what: hostile }],
    source: { file: hostile, line: 1 },
    cure: hostile,
    link: `javascript:${hostile}`,
  });
  const report = reportOf({ object: hostile, writes: [hostile], masked: [hostile], findings: [finding] });
  const bad = { file: hostile, kind: hostile };
  return resultOf({
    samples: [{ sample: bad, report, findings: [finding], accepted: [{ ...finding, reason: hostile }] }],
    failures: [{ sample: bad, problem: hostile, hint: hostile }],
    unused: [{ finding: hostile, line: 3 }],
  });
}

test('a terminal shows what is wrong, what happened, and what to do, in 80 columns', () => {
  const text = textReport(resultOf());
  expect(text).toMatchInlineSnapshot(`
    "Captain default/hook
    config/samples/crew_v1_captain.yaml
    48 of 48 plans tried (12 more cannot differ) in 34 s, seed 1

    1. crash-converges-services
       The Service is never created
       also      status.phase: Pending instead of Ready
       plan      The operator crashes after write 2 (patch statefulsets.apps
                 default/db) when the object is created (shown by 3 plans)
       timeline
             0 s   user      create captains.crew.example.com default/hook
          0.05 s > operator  patch statefulsets.apps default/db
            61 s   plan      the operator crashes
       source    src/controllers/captain.controller.ts:42
       replay    ots torture --replay crash-converges-services
       test      ots torture --write-test crash-converges-services
       cure      Look for each object that the spec asks for, and create what is
                 missing.
       see       docs/runtime/patterns.md#two-writes

    1 finding in 1 sample
    "
  `);
  for (const line of text.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(80);
});

test('a long timeline shows its ends and what is around the cause', () => {
  const timeline = Array.from({ length: 40 }, (_, index) => ({
    time: index,
    actor: 'operator' as const,
    what: `write ${index}`,
    ...(index === 20 && { isCause: true }),
  }));
  const report = reportOf({ findings: [findingOf({ timeline })] });
  const text = textReport(resultOf({ samples: Baseline.parse('').apply([{ sample, report }]) }));
  const shown = [...text.matchAll(/write (\d+)$/gm)].map(([, number]) => Number(number));
  expect(shown).toEqual([0, 1, 2, 3, 16, 17, 18, 19, 20, 21, 22, 23, 24, 36, 37, 38, 39]);
  expect(text.match(/… (?:12|11) more/g)).toEqual(['… 12 more', '… 11 more']);
  expect(text).toContain('> operator  write 20');
});

test('the report says what it does not contain', () => {
  const accepted = { ...findingOf(), reason: 'the data can be made again' };
  const report = reportOf({
    plans: { all: 9, tried: 3, skipped: 0 },
    prevented: { 'services default/db': 2, 'pods default/db-0': 1 },
    fields: { 'spec.size': true, 'spec.color': false },
    masked: ['Secret default/tls: data'],
  });
  const result = resultOf({
    samples: [{ sample, report, findings: [], accepted: [accepted] }],
    unused: [{ finding: 'order-rest', line: 7 }],
  });
  const text = textReport(result);
  expect(text).toContain('Prevented: 3 deletions of another object by UID preconditions');
  expect(text).toContain('No visible effect: 1 field of the spec (see --verbose)');
  expect(text).toContain('Not compared: 1 value with other content in each run (see --verbose)');
  expect(text).toContain(
    'warning: torture-baseline.yaml:7: no plan shows order-rest any more. Remove the entry.',
  );
  expect(text).toContain('No findings in 1 sample (torture-baseline.yaml accepts 1)');
  expect(text).toContain('Some plans were not tried.');
  const verbose = textReport(result, { ...options, verbose: true });
  expect(verbose).toContain('Accepted: crash-converges-services: the data can be made again');
  expect(verbose).toContain(
    'Prevented: pods default/db-0: 1 deletion of another object by UID preconditions',
  );
  expect(verbose).toContain('No visible effect: spec.color\n');
  expect(verbose).toContain('Not compared: Secret default/tls: data');
  const html = htmlOf(result);
  expect(html).toContain('services default/db: 2 deletions of another object by UID preconditions');
  expect(html).toContain('<li><code>spec.color</code></li>');
  expect(textReport({ ...result, isInterrupted: true })).toContain(
    'Interrupted: there may be more findings.',
  );
});

test('a finding that did not happen again says so, everywhere', () => {
  const note = 'The operator wrote something else when the plan was tried again';
  for (const replays of [true, false]) {
    const report = reportOf({ findings: [findingOf({ replays })] });
    const result = resultOf({ samples: Baseline.parse('').apply([{ sample, report }]) });
    const reports = [textReport(result, { ...options, columns: 200 }), htmlOf(result), junitOf(result)];
    expect(reports.map((text) => text.includes(note))).toEqual([!replays, !replays, !replays]);
  }
});

test('a finding that several samples have is replayed with its sample', () => {
  const sailor = { file: 'config/samples/crew_v1_sailor.yaml', kind: 'Sailor' };
  const samples = Baseline.parse('').apply(
    [sample, sailor].map((each) => ({ sample: each, report: reportOf() })),
  );
  expect(textReport(resultOf({ samples }))).toContain(
    'ots torture config/samples/crew_v1_sailor.yaml --replay crash-converges-services',
  );
});

test('names from a cluster cannot write on a terminal, or break a line', () => {
  const lines = reportLines(hostileResult(), options).map((line) => renderLine(line, true));
  expect(lines.filter((line) => /\p{Bidi_Control}/u.test(line) || line.includes('\n'))).toEqual([]);
  // The only control characters are those of the styles.
  expect(lines.map(stripVTControlCharacters).filter((line) => /\p{Cc}/u.test(line))).toEqual([]);
  expect(lines.join('\n')).not.toContain('\u001B[31m\u202E');
});

test('the page needs no other file, runs no script, and escapes all names', () => {
  const html = htmlOf(hostileResult());
  expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
  expect(html).not.toMatch(/<script|javascript:[^<]*"|\son\w+=|src=|href=|url\(/i);
  // oxlint-disable-next-line no-control-regex -- they are what must not be there
  expect(html).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u202E]/);
  expect(html).toContain('&lt;/script&gt;&lt;script&gt;alert(1)');
  expect(html).toContain('@media (prefers-color-scheme: dark)');
});

test('the page shows all of a finding, and links to the web alone', () => {
  const link = 'https://example.com/a?b=1&c="2"';
  const samples = Baseline.parse('').apply([
    { sample, report: reportOf({ findings: [findingOf({ link }), findingOf({ id: 'order-rest' })] }) },
  ]);
  const html = htmlOf(resultOf({ samples }));
  for (const part of [
    'The Service is never created',
    'status.phase: Pending instead of Ready',
    'src/controllers/captain.controller.ts:42',
    'ots torture --replay crash-converges-services',
    '<tr class="cause"><td>0.05 s</td><td>operator</td>',
    '<a href="https://example.com/a?b=1&amp;c=&#34;2&#34;">',
    '<code>docs/runtime/patterns.md#two-writes</code>',
    '{&#34;phase&#34;:&#34;crash&#34;,&#34;step&#34;:0,&#34;write&#34;:2}',
  ])
    expect(html).toContain(part);
});

test('JUnit has a case for each pattern, and escapes all names', () => {
  const accepted = { ...findingOf({ pattern: 'deletion' }), reason: 'so be it' };
  const report = reportOf();
  const result = resultOf({
    samples: [{ sample, report, findings: report.findings, accepted: [accepted] }],
    failures: [{ sample, problem: 'It <hangs>', hint: 'Look for a loop.' }],
  });
  const xml = junitOf(result);
  expect(xml).toContain('tests="11" failures="1" errors="0" skipped="9" time="34.200"');
  expect(xml).toContain('<failure message="The Service is never created">crash-converges-services&#xA;');
  expect(xml).toContain('name="deletion">\n      <skipped message="crash-converges-services: so be it">');
  expect(xml).toContain('name="undisturbed"/>');
  expect(xml).toContain('name="order">\n      <skipped message="no plan of this pattern was tried">');
  expect(xml).toContain('<error message="It &lt;hangs&gt;">Look for a loop.</error>');
  const hostileXml = junitOf(hostileResult());
  // oxlint-disable-next-line no-control-regex -- they are what must not be there
  expect(hostileXml).not.toMatch(/<script|[\u0000-\u0008\u000B-\u001F]/);
});

test('JSON has all that is known', () => {
  expect(tortureDocument(resultOf({ unused: [{ finding: 'order-rest', line: 7 }] }))).toMatchObject({
    command: 'torture',
    interrupted: false,
    counts: { findings: 1, accepted: 0, failures: 0 },
    samples: [{ ...sample, ...reportOf(), findings: [findingOf()], accepted: [] }],
    failures: [],
    unusedBaselineEntries: [{ finding: 'order-rest', line: 7 }],
  });
});

test('of two processes that found the same, the one with the plan of what users certainly do is shown', () => {
  const plans: Finding['plan'][] = [
    { phase: 'spec', path: ['spec', 'name'], value: '', isGuess: true },
    { phase: 'rollback', step: 1 },
  ];
  const [one, other] = plans.map((plan) => reportOf({ findings: [findingOf({ plan })] }));
  expect(mergeReports([one!, other!]).findings).toMatchObject([{ plan: { phase: 'rollback' } }]);
});

test('what several processes found is one report, with the smallest plan of each finding', () => {
  const crash = (step: number, write: number): Finding['plan'] => ({ phase: 'crash', step, write });
  const report = (...findings: Finding[]) =>
    reportOf({
      findings,
      prevented: { a: 1 },
      fields: { 'spec.size': false, 'spec.color': false },
      masked: ['a'],
      plans: { all: 10, tried: 8, skipped: 1 },
    });
  const merged = mergeReports([
    report(findingOf({ id: 'a', plan: crash(1, 1) }), findingOf({ id: 'b' })),
    report(findingOf({ id: 'c' }), findingOf({ id: 'a', plan: crash(0, 4), plans: 2 })),
    reportOf({
      findings: [],
      prevented: { a: 1, b: 1 },
      masked: ['b'],
      plans: { all: 9, tried: 9, skipped: 0 },
      milliseconds: 40_000,
    }),
  ]);
  expect(merged).toMatchObject({
    plans: { all: 29, tried: 25, skipped: 1 },
    milliseconds: 40_000,
    prevented: { a: 3, b: 1 },
    fields: { 'spec.size': true, 'spec.color': false },
    masked: ['a', 'b'],
    findings: [{ id: 'a', plan: crash(0, 4), plans: 5 }, { id: 'c' }, { id: 'b' }],
  });
});
