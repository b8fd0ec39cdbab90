import { describe } from 'vitest';
import { faultCommands, faultSuite } from '../support/fault-suite.ts';

describe('delete api', () => {
  const command = ['delete', 'api', ...faultCommands.api.slice(2)];
  faultSuite({ earlier: [faultCommands.init, faultCommands.api], command, next: ['manifests'] });
});
