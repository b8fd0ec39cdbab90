import { ControllerBuilder, type DeepReadonly, type Source, enqueueOwner } from 'ots-runtime';
import { CronJob, Job } from 'ots-kubernetes/batch/v1';
import { indexByController } from '../pods/controlled.ts';
import { retryRefusals } from '../retry-refusals.ts';
import type { AddController, WorkloadContext } from '../workload-context.ts';
import { CronJobReconciler } from './cron-job-reconciler.ts';
import { StartTimes } from './start-times.ts';

/** Creates jobs on schedules, as the cronjob-controller of kube-controller-manager does. */
export const addCronJobController: AddController = (context) => {
  const { manager, clock } = context;
  indexByController(manager.cache, Job);
  const keepsSchedule = { update: hasSameSchedule };
  new ControllerBuilder(manager)
    .for(CronJob, { predicates: [keepsSchedule] })
    .watches(Job, enqueueOwner(CronJob))
    .watchesSource(changedSchedules(context))
    .complete(retryRefusals(new CronJobReconciler(context), clock));
};

/** A CronJob with another schedule is looked at when it is time for its next start: what the schedule would have started before does not count. */
function changedSchedules({ manager, clock }: WorkloadContext): Source {
  return {
    name: 'CronJobs with another schedule',
    start: async ({ enqueue, signal }) => {
      const registration = manager.cache.informer(CronJob).addHandler({
        added: () => {},
        deleted: () => {},
        updated: (before, cronJob) => {
          if (hasSameSchedule(before, cronJob)) return;
          const { name = '', namespace } = cronJob.metadata;
          enqueue({ name, namespace }, { after: new StartTimes(cronJob, clock.epoch()).untilNext() });
        },
      });
      signal.addEventListener('abort', () => registration[Symbol.dispose](), { once: true });
      await registration.synced;
    },
  };
}

function hasSameSchedule(a: DeepReadonly<CronJob>, b: DeepReadonly<CronJob>): boolean {
  return a.spec?.schedule === b.spec?.schedule && a.spec?.timeZone === b.spec?.timeZone;
}
