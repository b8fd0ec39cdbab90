export type { OptionalPlugin } from './admission/plugins.ts';
export type { FeatureGate } from './feature-gates.ts';
export { ApiServer } from './api-server.ts';
export type { ApiServerOptions, TokenUser } from './api-server-options.ts';
export { type Answer, type Connection, send } from './client/connection.ts';
export { Collections } from './client/collections.ts';
export { createObjects, installCrds, refusal, untilServed } from './client/install-crds.ts';
export { InstallError } from './client/install-error.ts';
export { renderKubeconfig } from './client/kubeconfig.ts';
export { loadCrds } from './client/load-crds.ts';
export type { FaultAnswer, FaultEffect, LossTime } from './faults/fault-effect.ts';
export type { Fault, FaultedRequest, FaultSelection } from './faults/fault.ts';
export type { Faults } from './faults/faults.ts';
export type { CallResponse, ExchangeRequest } from './http/local-exchange.ts';
export type { ExchangeResponse } from './http/local-connection.ts';
export type { LeaseRenewal } from './built-in/cluster/renew-lease.ts';
export type { OwnWrite } from './registry/own-write.ts';
export type {
  AttachStreams,
  ConnectPort,
  ContainerStreams,
  LogOptions,
  OutputStream,
  PodStreams,
  RunCommand,
  TerminalSize,
} from './pods/pod-streams.ts';
export type { RecordedRequest } from './http/recorded-request.ts';
export { serviceConversion, withoutServiceConversion } from './client/without-service-conversion.ts';
export { type ControllerSelection, type Controllers, selectControllers } from './controllers/controllers.ts';
export { DataError } from './storage/persistence/data-error.ts';
export type { Snapshot } from './storage/snapshot.ts';
export type { LocalService, ServiceEndpoint, ServiceMap } from './webhooks/service-endpoints.ts';
export type { MirrorReader, MirroredResource } from './watch/mirrors.ts';
export { type CertifiedUser, createClientAuthority, issueClientCertificate } from './tls/client-authority.ts';
