export { ApiServer, type ApiServerOptions } from './api-server.ts';
export type { ControllerSelection, Controllers } from './controllers/controllers.ts';
export type { Connection } from './test-environment/connection.ts';
export { installCrdFiles } from './test-environment/install-crds.ts';
export { TestEnvironment, type TestEnvironmentOptions } from './test-environment/test-environment.ts';
export { TestEnvironmentError } from './test-environment/test-environment-error.ts';
