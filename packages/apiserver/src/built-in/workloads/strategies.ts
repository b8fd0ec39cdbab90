import { dnsLabel, pathSegment } from 'ots-apimachinery/names';
import type { StrategyFactories } from '../strategy-factory.ts';
import { ControllerRevisionStrategy } from './controller-revision-strategy.ts';
import { CronJobStrategy } from './cron-job-strategy.ts';
import { DaemonSetStrategy } from './daemon-set-strategy.ts';
import { DeploymentStrategy } from './deployment-strategy.ts';
import { HorizontalPodAutoscalerStrategy } from './horizontal-pod-autoscaler-strategy.ts';
import { JobStrategy } from './job-strategy.ts';
import { PodDisruptionBudgetStrategy } from './pod-disruption-budget-strategy.ts';
import { ReplicaSetStrategy } from './replica-set-strategy.ts';
import { ReplicationControllerStrategy } from './replication-controller-strategy.ts';
import { StatefulSetStrategy } from './stateful-set-strategy.ts';

export const workloadsStrategies: StrategyFactories = {
  '/replicationcontrollers': (traits) => new ReplicationControllerStrategy(traits),
  'apps/controllerrevisions': (traits) => new ControllerRevisionStrategy(traits),
  'apps/daemonsets': (traits) => new DaemonSetStrategy(traits),
  'apps/deployments': (traits) => new DeploymentStrategy(traits),
  'apps/replicasets': (traits) => new ReplicaSetStrategy(traits),
  'apps/statefulsets': (traits) => new StatefulSetStrategy({ ...traits, nameRule: dnsLabel }),
  'autoscaling/horizontalpodautoscalers': (traits) => new HorizontalPodAutoscalerStrategy(traits),
  'batch/cronjobs': (traits) => new CronJobStrategy(traits),
  'batch/jobs': (traits) => new JobStrategy(traits),
  'policy/poddisruptionbudgets': (traits) =>
    new PodDisruptionBudgetStrategy({ ...traits, nameRule: pathSegment }),
};
