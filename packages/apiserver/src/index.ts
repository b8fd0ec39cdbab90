export { ApiServer, type ApiServerOptions } from './api-server.ts';
export { TestEnvironment, type TestEnvironmentOptions } from './test-environment/test-environment.ts';
export { TestEnvironmentError } from './test-environment/test-environment-error.ts';
