import { describe } from 'vitest';
import { faultCommands, faultSuite } from '../support/fault-suite.ts';

describe('create api', () => {
  faultSuite({ earlier: [faultCommands.init], command: faultCommands.api, next: ['manifests'] });
});
