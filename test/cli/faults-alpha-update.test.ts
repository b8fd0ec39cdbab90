import { describe } from 'vitest';
import { formatRecord, recordFile } from '../../src/scaffold/scaffold-record.ts';
import { faultSuite } from '../support/fault-suite.ts';
import { releasedProjects, scaffoldOf } from '../update/releases.ts';

const { files } = releasedProjects.find(({ name }) => name === 'jobwatcher')!;
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
