import { oneLine } from '../../output/one-line.ts';
import type { ScoredTest, TestResult } from './test-list.ts';

/** A test and its results as lines, in the form of operator-sdk. */
export function textOfTest({ spec: { image, entrypoint, labels }, results }: ScoredTest): string {
  const pairs = Object.entries(labels);
  const lines = [
    '-'.repeat(80),
    `Image:      ${oneLine(image)}`,
    ...(entrypoint.length > 0 ? [`Entrypoint: [${oneLine(entrypoint.join(' '))}]`] : []),
    ...(pairs.length > 0 ? ['Labels:'] : []),
    ...pairs.map(([key, value]) => `\t${JSON.stringify(key)}:${JSON.stringify(value)}`),
    ...(results.length > 0 ? ['Results:'] : []),
    ...results.flatMap(linesOfResult),
  ];
  return `${lines.join('\n')}\n`;
}

function linesOfResult({ name, state, suggestions, errors, log }: TestResult): string[] {
  return [
    ...(name === '' ? [] : [`\tName: ${oneLine(name)}`]),
    `\tState: ${state}`,
    '',
    ...part('Suggestions', suggestions),
    ...part('Errors', errors),
    ...part('Log', log === '' ? [] : log.replace(/\r?\n$/, '').split(/\r?\n/)),
    '',
  ];
}

function part(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  return [`\t${title}:`, ...lines.map((line) => `\t\t${oneLine(line)}`)];
}
