import { describe } from 'vitest';
import { faultCommands, faultSuite } from '../support/fault-suite.ts';

describe('create webhook', () => {
  faultSuite({
    earlier: [faultCommands.init, faultCommands.api],
    command: faultCommands.webhook,
    next: ['manifests'],
  });
});
