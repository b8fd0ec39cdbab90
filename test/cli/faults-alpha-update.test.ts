import { describe } from 'vitest';
import { formatRecord, recordFile } from '../../src/scaffold/scaffold-record.ts';
import { faultSuite } from '../support/fault-suite.ts';
import { releasedProjects, scaffoldOf } from '../update/releases.ts';

/** A project that needs few changes, as the command runs once for each of them, and more often: a file of each action. */
const { files: recent } = releasedProjects.findLast(({ name }) => name === 'jobwatcher')!;
const { 'scripts/image.mjs': _, ...remaining } = recent;
const settings = recent['PROJECT']!.replace(/cliVersion: .*/, 'cliVersion: 0.0.1');
const files = {
  ...remaining,
  PROJECT: settings,
  'scripts/operator.mjs': 'old();\n',
  Makefile: `${recent['Makefile']}# old\n`,
};
const scaffold = Object.entries(scaffoldOf(files)).map(([path, text]) => [path, Buffer.from(text)] as const);
const update = ['alpha', 'update'];

describe('alpha update', () => {
  faultSuite({
    files: { ...files, [recordFile]: formatRecord(new Map(scaffold)) },
    earlier: [],
    command: update,
    next: update,
  });
});
