import type { TestConfiguration } from './configuration.ts';

const scorecardApi = 'scorecard.operatorframework.io/v1alpha3';

/** What a test found. */
export type TestState = 'pass' | 'fail' | 'error';

/** A result of a test. One test may have several. */
export interface TestResult {
  /** Empty where a test without a name ended early. */
  readonly name: string;
  readonly state: TestState;
  readonly errors: readonly string[];
  readonly suggestions: readonly string[];
  /** What the test did, of any length; empty for nothing. */
  readonly log: string;
}

/** A test that was selected, and its results: none where it only was listed. */
export interface ScoredTest {
  readonly spec: TestConfiguration;
  readonly results: readonly TestResult[];
}

/** Results as operator-sdk prints them: without empty fields, and in its order. */
export function testListDocument(tests: readonly ScoredTest[]): object {
  return {
    kind: 'TestList',
    apiVersion: scorecardApi,
    items:
      tests.length === 0
        ? null
        : tests.map(({ spec, results }) => ({
            kind: 'Test',
            apiVersion: scorecardApi,
            spec: specDocument(spec),
            status: results.length === 0 ? {} : { results: results.map(resultDocument) },
          })),
  };
}

function specDocument({ image, uniqueId, entrypoint, labels, storagePath }: TestConfiguration): object {
  return {
    image,
    ...(uniqueId !== '' && { uniqueID: uniqueId }),
    ...(entrypoint.length > 0 && { entrypoint }),
    ...(Object.keys(labels).length > 0 && { labels }),
    storage: { spec: { mountPath: storagePath === '' ? {} : { path: storagePath } } },
  };
}

function resultDocument({ name, log, state, errors, suggestions }: TestResult): object {
  return {
    ...(name !== '' && { name }),
    ...(log !== '' && { log }),
    state,
    ...(errors.length > 0 && { errors }),
    ...(suggestions.length > 0 && { suggestions }),
    creationTimestamp: null,
  };
}
