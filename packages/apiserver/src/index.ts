export { ApiServer, type ApiServerOptions } from './api-server.ts';
export { type Answer, type Connection, send } from './client/connection.ts';
export { createObjects, installCrds } from './client/install-crds.ts';
export { InstallError } from './client/install-error.ts';
export { renderKubeconfig } from './client/kubeconfig.ts';
export { loadCrds } from './client/load-crds.ts';
export { type ControllerSelection, type Controllers, selectControllers } from './controllers/controllers.ts';
