import { describe } from 'vitest';
import { COMMANDS, faultSuite } from '../support/fault-suite.ts';

describe('create webhook', () => {
  faultSuite({ earlier: [COMMANDS.init, COMMANDS.api], command: COMMANDS.webhook, next: ['manifests'] });
});
