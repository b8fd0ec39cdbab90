import { describe, expect, test } from 'vitest';
import { run } from '../../support/run.ts';
import { casesOf, hasCorpus } from './corpus.ts';

interface Expected {
  readonly operatorSdk?: { readonly exit: number };
  readonly options?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** The exit codes that differ on purpose; the reasons are in docs/olm.md. */
const differences: Readonly<Record<string, number>> = {
  'bundle-related-images': 1,
  'bundle-release-invalid': 1,
  'bundle-release-name-wrong': 1,
  'hub-icon-empty-list': 1,
  'load-y-in-object': 1,
};
const suite = ['-o', 'json-alpha1', '--select-optional', 'suite=operatorframework'];

describe.skipIf(!hasCorpus)('ots bundle validate exits as operator-sdk', () => {
  const cases = casesOf<Expected>('validate').filter(({ expected }) => expected.operatorSdk);
  test.each(cases)(
    '$name',
    async ({ name, directory, expected: { operatorSdk, options = {}, env = {} } }) => {
      const inCase = (text: string) => text.replace('$CASE', directory);
      const values = Object.entries(options).flatMap(([key, value]) => [
        '--optional-values',
        `${key}=${inCase(value)}`,
      ]);
      const { code, stdout } = await run(directory, ['bundle', 'validate', 'bundle', ...suite, ...values], {
        env: Object.fromEntries(Object.entries(env).map(([key, value]) => [key, inCase(value)])),
      });
      expect(code).toBe(differences[name] ?? operatorSdk!.exit);
      expect(JSON.parse(stdout)).toMatchObject({ passed: code === 0 });
    },
  );
});
