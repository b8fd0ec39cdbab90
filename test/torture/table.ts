import { describePlan } from './describe-plan.ts';
import type { Subject } from './subject.ts';

const columns = [
  'operator',
  'published bug',
  'pattern',
  'what happens to it',
  'consequence',
  'seen in',
  'prevented',
];

/** The operators as a table in Markdown. */
export function tableOf(subjects: Readonly<Record<string, Subject>>): string {
  const rows = Object.entries(subjects).map(([name, subject]) => {
    const { bugs, pattern, consequence, demonstration, prevented } = subject;
    const guard = prevented ? `${describePlan(prevented.plan)}: ${prevented.by}` : '';
    return [
      name,
      bugs.join(', '),
      pattern,
      describePlan(demonstration.plan),
      consequence,
      demonstration.seenIn,
      guard,
    ];
  });
  return [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
