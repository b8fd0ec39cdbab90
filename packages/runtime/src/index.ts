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
export {
  CacheSyncError,
  KindNotCachedError,
  NamespaceNotCachedError,
  ObjectNotCachedError,
} from './cache/cache-errors.ts';
export type { CacheEvent } from './cache/cache-events.ts';
export type { Informer } from './cache/informer.ts';
export type { HandlerRegistration, InformerHandler } from './cache/informer-handler.ts';
export { type CacheKindOptions, type Transform, withoutManagedFields } from './cache/informer-options.ts';
export { NamespaceList } from './cache/namespace-list.ts';
export type { LabeledNamespaces, NamespaceSelection } from './cache/namespace-selection.ts';
export { CertificateError } from './certificates/certificate-error.ts';
export type { RotatorOptions } from './certificates/rotator-options.ts';
export type { CachedListOptions, CachedReader, WriteBase } from './client/cached-reader.ts';
export { Client, type ClientOptions } from './client/client.ts';
export type { ApplyConfiguration, Content, DeepPartial, Writable } from './client/content.ts';
export type { ObjectList } from './client/object-reader.ts';
export type { ObjectWriter } from './client/object-writer.ts';
export type {
  ApplyOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  DraftPatchOptions,
  ItemsOptions,
  JsonPatchOptions,
  ListOptions,
  MergePatchOptions,
  RawRequest,
  RequestOptions,
  SelectOptions,
  WriteOptions,
} from './client/request-options.ts';
export type { SubresourceClient } from './client/subresource-client.ts';
export type { Clock } from 'ots-apimachinery/clock/clock';
export {
  ChildSet,
  type ChildSetOptions,
  type ChildSetRule,
  type ChildrenReport,
} from './composite/child-set.ts';
export type { ChildResult, ChildState, ChildrenResult, ReadyRule } from './composite/children-result.ts';
export { ClusterLeftError, UnknownClusterError } from './clusters/cluster-errors.ts';
export { type ClusterProfilesOptions, clusterProfiles } from './clusters/cluster-profiles.ts';
export type { ClusterProvider, ClusterProviderContext, ClusterSet } from './clusters/cluster-provider.ts';
export { Clusters, type ClustersOptions } from './clusters/clusters.ts';
export type { ClustersCache } from './clusters/clusters-cache.ts';
export { type KubeconfigContextsOptions, kubeconfigContexts } from './clusters/kubeconfig-contexts.ts';
export type { ClusterAccess } from './clusters/member.ts';
export { type SecretClustersOptions, secretClusters } from './clusters/secret-clusters.ts';
export type { ChildrenSource } from './composite/children.ts';
export { compositeController } from './composite/composite-controller.ts';
export type {
  ChildRule,
  CompositeOptions,
  CompositePause,
  CompositeReference,
  FinalizeResult,
  ImmutablePolicy,
  StatusOf,
  SyncResult,
  UpdateStrategy,
} from './composite/composite-options.ts';
export { type DesiredChild, desiredChild } from './composite/desired-child.ts';
export { notReadyReason } from './composite/not-ready-reason.ts';
export type { ObservedChildren } from './composite/observed-children.ts';
export { conditionTrue } from './conditions/condition-true.ts';
export {
  type ConditionList,
  type SomeCondition,
  findCondition,
  isConditionFalse,
  isConditionTrue,
} from './conditions/find-condition.ts';
export { type ConditionUpdate, removeCondition, setCondition } from './conditions/set-condition.ts';
export { Channel, type ChannelOptions } from './controller/channel.ts';
export { TerminalError } from './controller/classify-error.ts';
export type { Controller } from './controller/controller.ts';
export { ControllerBuilder } from './controller/controller-builder.ts';
export type { ControllerHost } from './controller/controller-host.ts';
export type { ControllerOptions } from './controller/controller-options.ts';
export { type OwnerOptions, enqueueOwner } from './controller/enqueue-owner.ts';
export { fromIterable } from './controller/iterable-source.ts';
export { type WatchOptions, kindSource } from './controller/kind-source.ts';
export { type MapFunction, requestsFromLabel } from './controller/map-function.ts';
export { objectReconciler } from './controller/object-reconciler.ts';
export type { PauseOptions } from './controller/pause.ts';
export {
  type DeleteDetails,
  type Predicate,
  and,
  annotationChanged,
  generationChanged,
  labelChanged,
  matchesLabels,
  not,
  or,
} from './controller/predicates.ts';
export { ReconcileTimeoutError } from './controller/reconcile-loop.ts';
export type { ReconcileContext, Reconciler, Request, Result } from './controller/reconciler.ts';
export type { Reference, ReferenceFunction } from './controller/references.ts';
export type { EnqueueFunction, EnqueueOptions, Source, SourceContext } from './controller/source.ts';
export type { WatchRegistration } from './controller/source-set.ts';
export {
  type CreateOrPatchOptions,
  type CreateOrPatchResult,
  createOrPatch,
} from './create-or-update/create-or-patch.ts';
export { type CreateOrUpdateResult, createOrUpdate } from './create-or-update/create-or-update.ts';
export type { MutateFunction } from './create-or-update/draft-of.ts';
export { toMilliseconds } from './duration/to-milliseconds.ts';
export { type WaitingTimeOptions, waitingTime } from './duration/waiting-time.ts';
export { AccessDeniedError } from './errors/access-denied-error.ts';
export {
  ApiError,
  type FailureStatus,
  type StatusDetails,
  isAlreadyExists,
  isApiError,
  isBadRequest,
  isConflict,
  isExpired,
  isForbidden,
  isInternalError,
  isInvalid,
  isKindMissing,
  isMethodNotSupported,
  isNotFound,
  isServiceUnavailable,
  isTimeout,
  isTooLarge,
  isTooManyRequests,
  isUnauthorized,
} from './errors/api-error.ts';
export { ConnectionError, RequestTimeoutError, isConnectionError } from './errors/connection-error.ts';
export { RuntimeError } from './errors/runtime-error.ts';
export { MultipleFailuresError } from './errors/multiple-failures-error.ts';
export { UsageError } from './errors/usage-error.ts';
export type { EventDetails } from './events/event-details.ts';
export type { EventRecorder } from './events/event-recorder.ts';
export { externalChanged } from './external/external-changed.ts';
export { externalResource } from './external/external-controller.ts';
export {
  ExternalCallError,
  type ExternalOperation,
  ExternalTimeoutError,
  NotCreatedError,
} from './external/external-errors.ts';
export type { ExternalOptions, ExternalReconcilerOptions } from './external/external-options.ts';
export { externalReconciler } from './external/external-reconciler.ts';
export type {
  ExternalContext,
  ExternalResource,
  ExternalResourceWithIds,
  Observation,
} from './external/external-resource.ts';
export { FinalizerError } from './finalizers/finalizer-error.ts';
export { type CleanupFunction, FinalizerRegistry } from './finalizers/finalizer-registry.ts';
export { addFinalizer, hasFinalizer, removeFinalizer } from './finalizers/finalizers.ts';
export { type FinalizerClient, dropFinalizer, ensureFinalizer } from './finalizers/patch-finalizer.ts';
export type { FlagDefinition, FlagTable, FlagValues } from './flags/flag-definition.ts';
export { type ParsedFlags, type ParseFlagsOptions, parseFlags } from './flags/parse-flags.ts';
export { FlagError } from './flags/read-flags.ts';
export type { HealthCheck } from './health/health-checks.ts';
export {
  type ConnectionConfig,
  ConnectionConfigError,
  type ExecPluginConfig,
  type Impersonation,
  type ServiceMap,
} from './kubeconfig/connection-config.ts';
export type { LocalExchange, LocalRequest, LocalResponse } from './kubeconfig/local-exchange.ts';
export { fromKubeConfig, type KubeConfigLike } from './kubeconfig/from-kube-config.ts';
export { type LoadConfigOptions, loadConfig } from './kubeconfig/load-config.ts';
export type { LeaderElectionOptions } from './leader-election/leader-election-options.ts';
export type { ShardingOptions } from './sharding/sharding-options.ts';
export { ShardLostError, ShardUncertainError } from './sharding/shard-errors.ts';
export { LeadershipLostError, LeadershipUncertainError } from './leader-election/leadership-errors.ts';
export { type LoggerOptions, createLogger } from './logging/create-logger.ts';
export { type LogLevel, logLevel } from './logging/log-level.ts';
export type { Logger } from './logging/logger.ts';
export type { IdleOptions } from './manager/idleness.ts';
export { Manager, type ManagerInternals } from './manager/manager.ts';
export { ManagerError } from './manager/manager-error.ts';
export type { ManagerCacheOptions, ManagerOptions } from './manager/manager-options.ts';
export type { ServerName } from './manager/manager-servers.ts';
export type { Runnable } from './manager/runnable.ts';
export { ShutdownTimeoutError } from './manager/shutdown-timeout.ts';
export { NoKindMatchError, NoSubresourceError } from './mapping/mapping-errors.ts';
export type { GroupKind, MappingOptions, RestMapper } from './mapping/rest-mapper.ts';
export type { MetricSet } from './metrics/metric-set.ts';
export type { MetricsOptions } from './metrics/metrics-server.ts';
export { childName } from './objects/child-name.ts';
export { contentHash } from './objects/content-hash.ts';
export type { DeepReadonly } from './objects/deep-readonly.ts';
export { mergePatchBetween } from './objects/merge-patch.ts';
export { type MetadataKind, type MetadataObject, isMetadataKind, metadataOf } from './objects/metadata-of.ts';
export { type ObjectKey, keyOf } from './objects/object-key.ts';
export {
  AlreadyOwnedError,
  controllerOf,
  controllerReference,
  hasOwnerReference,
  isControlledBy,
  ownerReference,
  removeOwnerReference,
  setControllerReference,
  setOwnerReference,
} from './objects/owner-references.ts';
export type { JsonPatchOperation, MergePatch } from './objects/patches.ts';
export {
  type FieldPath,
  type FieldPathsIn,
  type PickedFields,
  type Projected,
  type ProjectedKind,
  projectionOf,
} from './objects/projection-of.ts';
export { type UnstructuredObject, unstructured } from './objects/unstructured.ts';
export type { UserInfo } from './objects/user-info.ts';
export { exitWithError } from './process/exit-with-error.ts';
export { type ShutdownSignal, shutdownSignal } from './process/shutdown-signal.ts';
export type { ProfilingOptions } from './profiling/profiling-server.ts';
export { type BucketOptions, bucketRateLimiter } from './queue/bucket-rate-limiter.ts';
export {
  type ItemExponentialOptions,
  itemExponentialRateLimiter,
} from './queue/item-exponential-rate-limiter.ts';
export { type ItemFastSlowOptions, itemFastSlowRateLimiter } from './queue/item-fast-slow-rate-limiter.ts';
export { lowPriority } from './queue/priority.ts';
export { type RateLimiter, maxOfRateLimiter } from './queue/rate-limiter.ts';
export type {
  BackoffReason,
  EventReason,
  OmittedReasons,
  ReasonObject,
  ReconcileReason,
  RequeueReason,
  ResyncReason,
  ShardReason,
  SourceReason,
  StartReason,
} from './reasons/reason.ts';
export type { LabelRequirement, LabelSelector } from './selectors/label-selector.ts';
export { SelectorError } from './selectors/selector-error.ts';
export { ListenError, type ListenOptions } from './server/listener.ts';
export type { TlsListenOptions } from './server/tls-listener.ts';
export {
  type AddStorageMigrationOptions,
  addStorageMigration,
} from './storage-migration/add-storage-migration.ts';
export {
  type StorageMigrationInternals,
  type StorageMigrationOptions,
  type StorageMigrationProgress,
  type StorageMigrationResult,
  migrateStorage,
} from './storage-migration/migrate-storage.ts';
export { type FailedObject, StorageMigrationError } from './storage-migration/storage-migration-error.ts';
export { Transport } from './transport/transport.ts';
export type { TransportOptions } from './transport/transport-options.ts';
export { type WaitOptions, WaitTimeoutError, waitFor } from './waiting/wait-for.ts';
export { type ObjectSource, type WaitForObjectOptions, waitForObject } from './waiting/wait-for-object.ts';
export { addAdmissionHandler } from './webhook/add-admission-handler.ts';
export type { AdmissionContext } from './webhook/admission-context.ts';
export type { AdmissionDecision, AdmissionHandler } from './webhook/admission-handler.ts';
export type { AdmissionKind, AdmissionRequest, AdmissionResource } from './webhook/admission-review.ts';
export { ConversionBuilder } from './webhook/conversion-builder.ts';
export type { Defaulter } from './webhook/defaulter.ts';
export type { Conversion } from './webhook/kind-converter.ts';
export { DeniedError, type FieldError, InvalidError } from './webhook/refusal.ts';
export type { ValidationResult, Validator } from './webhook/validator.ts';
export { WebhookBuilder, type WebhookOptions } from './webhook/webhook-builder.ts';
export type { WebhookHost } from './webhook/webhook-host.ts';
export type {
  BuiltInRotation,
  CertificateDirectory,
  WebhookServerOptions,
} from './webhook/webhook-server.ts';
export type { Dependent, Dependents, DesiredObjects } from './workflow/dependent.ts';
export { Plan, type PlanResult, type PlanRunOptions } from './workflow/plan.ts';
export type { PlanStatus, StepStatus } from './workflow/plan-status.ts';
export {
  type PlanStage,
  type PlanStep,
  type StepProgress,
  parallel,
  phase,
  serial,
  step,
} from './workflow/step.ts';
export { Workflow, type WorkflowOptions, type WorkflowReport } from './workflow/workflow.ts';
export {
  type DependentResult,
  type DependentState,
  type WorkflowResult,
  readyCondition,
} from './workflow/workflow-result.ts';
