import { describe } from 'vitest';
import { faultCommands, faultSuite } from '../support/fault-suite.ts';

describe('init', () => {
  faultSuite({ earlier: [], command: faultCommands.init, next: faultCommands.init });
});
