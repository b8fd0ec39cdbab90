import { describe } from 'vitest';
import { COMMANDS, faultSuite } from '../support/fault-suite.ts';

describe('create api', () => {
  faultSuite({ earlier: [COMMANDS.init], command: COMMANDS.api, next: ['manifests'] });
});
