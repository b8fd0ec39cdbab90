import fc from 'fast-check';

/**
 * Properties are tried on the same values in every run, so that a change fails for what it did. Other values:
 * FAST_CHECK_SEED=<any number> npm test
 */
fc.configureGlobal({ seed: Number(process.env['FAST_CHECK_SEED'] ?? 20261121) });
