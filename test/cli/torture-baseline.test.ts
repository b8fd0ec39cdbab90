import { expect, test } from 'vitest';
import type { OtsError } from '../../src/errors/ots-error.ts';
import { Baseline } from '../../src/torture/baseline.ts';
import { findingOf, reportOf } from '../support/torture-report.ts';

const captain = { file: 'config/samples/crew_v1_captain.yaml', kind: 'Captain' };
const sailor = { file: 'config/samples/crew_v1_sailor.yaml', kind: 'Sailor' };
const reports = [captain, sailor].map((sample) => ({ sample, report: reportOf() }));
const accepted = (text: string) =>
  Baseline.parse(text)
    .apply(reports)
    .map((result) => result.accepted.map(({ id, reason }) => [id, reason]));

test('an entry accepts a finding with all samples, or with one', () => {
  const entry = '- finding: crash-converges-services\n  reason: it is made again\n';
  const known = ['crash-converges-services', 'it is made again'];
  expect(accepted(entry)).toEqual([[known], [known]]);
  expect(accepted(`${entry}  sample: ${sailor.file}\n`)).toEqual([[], [known]]);
  const [first] = Baseline.parse(entry).apply([
    { sample: captain, report: reportOf({ findings: [findingOf(), findingOf({ id: 'order-rest' })] }) },
  ]);
  expect(first?.findings.map(({ id }) => id)).toEqual(['order-rest']);
});

test.each([[undefined], [''], ['# nothing yet\n'], ['[]']])(
  'a file without entries accepts nothing: %j',
  (text) => {
    expect(
      Baseline.parse(text)
        .apply(reports)
        .map(({ findings }) => findings.length),
    ).toEqual([1, 1]);
  },
);

test('entries that accept nothing are named with their line', () => {
  const baseline = Baseline.parse(`# Known
- finding: crash-converges-services
  sample: ${captain.file}
  reason: known
- finding: crash-converges-services
  sample: config/samples/other.yaml
  reason: known
- {finding: order-rest, reason: known}
`);
  expect(baseline.unused(reports)).toEqual([
    { finding: 'crash-converges-services', line: 5 },
    { finding: 'order-rest', line: 8 },
  ]);
});

test.each([
  ['a: b', '1:1: The file is not a list', 'Write each entry as "- finding: …".'],
  ['- a', '1:3: The entry is not a map', 'Write "finding: …" and "reason: …".'],
  ['- reason: b', '1:3: The entry names no finding', 'Write the ID that ots torture prints'],
  ['- finding: 1\n  reason: b', '1:3: The entry names no finding', 'Write the ID'],
  ['- finding: a', '1:3: The entry has no reason', 'Say in "reason" why the operator may do that.'],
  ['- finding: a\n  reason: ""', '2:3: The entry has no reason', 'Say in "reason"'],
  ['- finding: a\n  reson: b', '2:3: "reson" is not a key of an entry', 'Did you mean "reason"?'],
  ['- finding: a\n  reason: b\n  sample: 1', '3:3: sample is not a path', 'Write the path as'],
  ['- finding: [', '1:13: The file is not valid YAML', 'Correct it.'],
  ['\0', '1:1: The file is not UTF-8 text', 'Correct it.'],
])('%j is refused with its place', (text, message, hint) => {
  expect(() => Baseline.parse(text)).toThrow(
    expect.objectContaining({
      code: 'INVALID_BASELINE',
      message: expect.stringContaining(`torture-baseline.yaml:${message}`),
      hint: expect.stringContaining(hint),
    }) as OtsError,
  );
});
