/** Arguments of `npm` for all tests of a project but those that search for mistakes for ten seconds per kind. */
export const testWithoutTorture = ['test', '--', '--exclude=**/*.torture.test.ts'];
