// What ots itself uses of this package, beside what tests import.
export { freePorts } from './environment/free-ports.ts';
export { requestToken } from './environment/request-token.ts';
export { TestFaults } from './faults/test-faults.ts';
export { type InstallOptions, installManifests } from './install/install-manifests.ts';
export { expand } from './workloads/kubelet/configuration/expand.ts';
export { type Account, type Grant, type ReadPath, findGrants, isUsed } from './requests/unused-rules.ts';
export { EmbeddedServices } from './services/embedded-services.ts';
