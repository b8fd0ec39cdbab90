export { TestEnvironment, type TestEnvironmentOptions } from './environment/test-environment.ts';
export { TestEnvironmentError } from './errors/test-environment-error.ts';
export type { InstallOptions } from './install/install-manifests.ts';
export { readManifest } from './install/read-manifest.ts';
export type { RbacRecord, RbacRequest } from './requests/rbac-record.ts';
export type { RequestLog } from './requests/request-log.ts';
export type { Account, UnusedRule } from './requests/unused-rules.ts';
export type { TestServices } from './services/test-services.ts';
export type { Identity } from './requests/user-of.ts';
