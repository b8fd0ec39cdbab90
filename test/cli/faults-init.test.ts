import { describe } from 'vitest';
import { COMMANDS, faultSuite } from '../support/fault-suite.ts';

describe('init', () => {
  faultSuite({ earlier: [], command: COMMANDS.init, next: COMMANDS.init });
});
