export {
  type Identity,
  TestEnvironment,
  type TestEnvironmentOptions,
} from './environment/test-environment.ts';
export { TestEnvironmentError } from './environment/test-environment-error.ts';
