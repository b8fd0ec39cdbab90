import type { Bundle } from '../bundle/bundle.ts';
import { builtInTests, failed } from './built-in-tests.ts';
import type { TestConfiguration } from './configuration.ts';
import type { TestResult } from './test-list.ts';

const program = 'scorecard-test';

/** Whether a test runs in the image of operator-sdk's own tests, in any registry and version. */
export function isBuiltIn({ image }: TestConfiguration): boolean {
  return /^(?:[^@]*\/)?scorecard-test(?::[^/@]*)?(?:@.*)?$/.test(image);
}

/** Runs one of operator-sdk's own tests: its entrypoint is `[scorecard-test, <name>]`. */
export function runBuiltIn({ entrypoint }: TestConfiguration, bundle: Bundle): TestResult[] {
  const [command, name = ''] = entrypoint;
  const run = command === program ? builtInTests.get(name) : undefined;
  if (run) return [run(bundle)];
  const names = [...builtInTests.keys()].join(', ');
  return [failed('', `the entrypoint is not [${program}, <test>] with one of these tests: ${names}`)];
}
