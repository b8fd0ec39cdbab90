import type { TestEnvironment } from '../environment/test-environment.ts';
import type { OlmOptions, SimulatedOlm } from './olm-options.ts';

/**
 * Simulates the Operator Lifecycle Manager in an environment: installs its namespaces, CustomResourceDefinitions and Deployments, where they
 * are missing, and does what its controllers do. It is a simulation made from facts about the real one; `docs/runtime/testing.md` says what
 * it leaves out.
 *
 * ```ts
 * await simulateOlm(environment, { images: { 'example.com/catalog:v1': 'catalog' } });
 * ```
 *
 * @param environment with simulated nodes (`workloads: true`): OLM runs pods
 * @returns OLM, once it runs
 * @throws {TestEnvironmentError} when the environment has no simulated nodes
 * @throws {InstallError} (of ots-apiserver) when the server refuses a definition
 */
export async function simulateOlm(
  environment: TestEnvironment,
  options: OlmOptions = {},
): Promise<SimulatedOlm> {
  // Loaded on demand: most tests install no bundles.
  const { startOlm } = await import('./start-olm.ts');
  return startOlm(environment, options);
}
