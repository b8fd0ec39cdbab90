export {
  type Condition,
  type Duration,
  type IntOrString,
  type Kind,
  type KubernetesObject,
  type MicroTime,
  type ObjectMeta,
  type OwnerReference,
  type Quantity,
  type Time,
  defineKind,
  type double,
  type float,
  type int32,
  type int64,
} from 'ots-kubernetes';

export type { Cache } from './cache/cache.ts';
export { CacheSyncError } from './cache/cache-sync-error.ts';
export { KindNotCachedError } from './cache/kind-not-cached-error.ts';
export { CertificateError } from './certificates/certificate-error.ts';
export {
  ApiError,
  type StatusDetails,
  isAlreadyExists,
  isApiError,
  isConflict,
  isExpired,
  isForbidden,
  isInvalid,
  isNotFound,
  isTooManyRequests,
} from './client/api-error.ts';
export {
  Client,
  type ClientOptions,
  type DeleteOptions,
  type ListOptions,
  type ObjectList,
  type RequestOptions,
  type StatusClient,
} from './client/client.ts';
export { type ConditionUpdate, setCondition } from './conditions/set-condition.ts';
export type { Controller } from './controller/controller.ts';
export {
  ControllerBuilder,
  type ControllerSettings,
  type WatchOptions,
} from './controller/controller-builder.ts';
export { generationChanged } from './controller/generation-changed.ts';
export type { Predicate } from './controller/predicate.ts';
export type { ReconcileContext, Reconciler, Request, Result } from './controller/reconciler.ts';
export type { MapFunction } from './controller/source.ts';
export { TerminalError } from './controller/terminal-error.ts';
export { RuntimeError } from './errors/runtime-error.ts';
export { UsageError } from './errors/usage-error.ts';
export type { ConnectionConfig } from './kubeconfig/connection-config.ts';
export { ConnectionConfigError } from './kubeconfig/connection-config-error.ts';
export { type LoadConfigOptions, loadConfig } from './kubeconfig/load-config.ts';
export { type LoggerOptions, createLogger } from './logging/create-logger.ts';
export type { Logger } from './logging/logger.ts';
export { Manager } from './manager/manager.ts';
export type { ManagerOptions } from './manager/manager-options.ts';
export type { Runnable } from './manager/runnable.ts';
export { ShutdownTimeoutError } from './manager/shutdown-timeout-error.ts';
export type { MetricsOptions } from './metrics/metrics-server.ts';
export { controllerReference } from './objects/controller-reference.ts';
export type { DeepReadonly } from './objects/deep-readonly.ts';
export { addFinalizer, hasFinalizer, removeFinalizer } from './objects/finalizers.ts';
export type { ObjectKey } from './objects/object-key.ts';
export type { JsonPatchOperation, MergePatch } from './objects/patches.ts';
export { ListenError } from './server/listen-error.ts';
export type { ListenOptions } from './server/listener.ts';
export { shutdownSignal } from './signals/shutdown-signal.ts';
export { ConnectionError } from './transport/connection-error.ts';
export { type WaitOptions, waitFor } from './waiting/wait-for.ts';
export { WaitTimeoutError } from './waiting/wait-timeout-error.ts';
export type { AdmissionContext } from './webhook/admission-context.ts';
export type { Conversion } from './webhook/conversion.ts';
export { ConversionBuilder } from './webhook/conversion-builder.ts';
export type { Defaulter } from './webhook/defaulter.ts';
export { DeniedError } from './webhook/denied-error.ts';
export { type FieldError, InvalidError } from './webhook/invalid-error.ts';
export type { ValidationResult, Validator } from './webhook/validator.ts';
export { WebhookBuilder, type WebhookOptions } from './webhook/webhook-builder.ts';
export type { WebhookServerOptions } from './webhook/webhook-server.ts';
