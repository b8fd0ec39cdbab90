export { ConvergenceError } from './convergence/convergence-error.ts';
export type {
  ChangeContext,
  ConvergenceOptions,
  ConvergenceReport,
  StartContext,
} from './convergence/convergence-options.ts';
export { expectConvergence } from './convergence/expect-convergence.ts';
export type { EnvironmentSnapshot } from './environment/environment-snapshot.ts';
export { TestEnvironment, type TestEnvironmentOptions } from './environment/test-environment.ts';
export { type SimulatedCallOptions, SimulatedApi } from './external/simulated-api.ts';
export {
  type AddedApiEffect,
  type SimulatedApiEffect,
  SimulatedApiError,
  type SimulatedOperation,
} from './external/simulated-api-effect.ts';
export { TestEnvironmentError } from './errors/test-environment-error.ts';
export type { FaultedRequests } from './faults/faulted-requests.ts';
export type { TestFaultEffect } from './faults/test-fault-effect.ts';
export type { RequestedFault, TestFaults } from './faults/test-faults.ts';
export type { InstallOptions } from './install/install-manifests.ts';
export { readManifest } from './install/read-manifest.ts';
export type {
  ExternalMetric,
  MeasuredPods,
  ObjectMetric,
  PodsMetric,
  ResourceUsage,
  TestMetric,
} from './metrics/metric.ts';
export type { TestMetrics } from './metrics/test-metrics.ts';
export type { OlmOptions, SimulatedOlm } from './olm/olm-options.ts';
export { simulateOlm } from './olm/simulate-olm.ts';
export type { RbacRecord, RbacRequest } from './requests/rbac-record.ts';
export type { RequestLog } from './requests/request-log.ts';
export type { Account, UnusedRule } from './requests/unused-rules.ts';
export type { Choice, Choose, Delivery } from './simulation/delivery.ts';
export type { TracedWrite } from './simulation/trace.ts';
export type { Oracle, World, WorldRequest } from './torture/oracles/oracle.ts';
export { readyWithChildren } from './torture/oracles/ready-with-children.ts';
export { requestBudget } from './torture/oracles/request-budget.ts';
export type { Plan as TorturePlan } from './torture/plans/plan.ts';
export { DifferentTracesError } from './torture/reference/same-trace.ts';
export { type ProjectSetupOptions, projectSetup, type TortureConfig } from './torture/project-setup.ts';
export { torture } from './torture/torture.ts';
export type {
  TortureOptions,
  TortureProgress,
  TortureSetup,
  TortureStartContext,
} from './torture/torture-options.ts';
export type { Finding, Pattern, TimelineEntry, TortureReport } from './torture/report/torture-report.ts';
export type { TestServices } from './services/test-services.ts';
export type { Identity } from './requests/user-of.ts';
export type { ClaimFailure, FailingClaims, FailingPods, PodFailure } from './workloads/failures/failure.ts';
export type { AddedFailure, WorkloadFailures } from './workloads/failures/workload-failures.ts';
export type {
  Application,
  ApplicationBehavior,
  ExecResult,
  Images,
  SimulatedContainer,
} from './workloads/images/application.ts';
export type { Network } from './workloads/network/network.ts';
export type { NodeOptions } from './workloads/nodes/node-options.ts';
export type { TestNodes } from './workloads/nodes/test-nodes.ts';
export type { WorkloadOptions } from './workloads/workload-options.ts';
