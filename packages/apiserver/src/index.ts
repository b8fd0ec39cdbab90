export { ApiServer, type ApiServerOptions } from './api-server.ts';
export { type Answer, type Connection, send } from './client/connection.ts';
export { collectionOf, createObjects, installCrds, refusal, untilServed } from './client/install-crds.ts';
export { InstallError } from './client/install-error.ts';
export { renderKubeconfig } from './client/kubeconfig.ts';
export { loadCrds } from './client/load-crds.ts';
export { withoutServiceConversion } from './client/without-service-conversion.ts';
export { type ControllerSelection, type Controllers, selectControllers } from './controllers/controllers.ts';
export { type CertifiedUser, createClientAuthority, issueClientCertificate } from './tls/client-authority.ts';
